#ifndef CORPUS_H
#define CORPUS_H

#include <stdint.h>

enum { TRIGRAMS = 8, NO_ROW = -1 };

/* A question and its answer as rows of the table. Pairs of one group are no negatives of one another. */
struct pair {
    uint32_t group;
    uint16_t query_length, text_length;
    const int32_t *query, *text;
};

/* The corpus file: int32 `words`, `buckets`, `pairs`; for each word the rows of its first trigrams, -1 where it has
   fewer than 8; then for each pair its group, the two lengths, and the rows of the query and of the text. */
struct corpus {
    int words, buckets;
    long pair_count;
    const int32_t *trigrams;
    struct pair *pairs;
};

/* Reads a corpus file. Ends the program with a message where it cannot be read. */
struct corpus read_corpus(const char *path);

#endif
