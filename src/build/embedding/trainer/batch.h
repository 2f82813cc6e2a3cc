#ifndef BATCH_H
#define BATCH_H

#include "corpus.h"
#include "table.h"

/* How pairs are varied each time they are drawn. Shares are from 0 to 1. */
struct variation {
    /* Tokens left out of a query and of a text: what is left must do, so words lean less on themselves. */
    float drop_query, drop_text;
    /* Words in the guise of unknown ones, by their trigrams. */
    float split_word;
    /* Pairs whose question is a run of words cut out of the text itself. */
    float cut_out;
    int longest_text;
};

/* Endless batches from a corpus, in an order shuffled anew each time all pairs have been drawn. */
struct batch {
    int size;
    const struct pair **pairs;
    struct texts queries, texts;

    const struct corpus *corpus;
    struct variation variation;
    int32_t *order;
    long next;
    uint64_t random;
};

struct batch new_batch(const struct corpus *corpus, int size, struct variation variation, uint64_t seed);

/* Draws the next pairs and the tokens of their queries and texts. */
void draw_batch(struct batch *batch);

#endif
