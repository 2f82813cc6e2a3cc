#include "batch.h"

#include <stdio.h>
#include <stdlib.h>

#include "matrix.h"
#include "random.h"

enum { LONGEST_QUERY = 48, SHORTEST_CUT = 5, LONGEST_CUT = 16, SHORTEST_CUT_TEXT = 40 };

static struct texts new_texts(int count, int longest)
{
    struct texts texts = {.count = 0};
    texts.tokens = (int32_t *)new_floats((long)count * (longest + TRIGRAMS));
    texts.starts = (int *)new_floats(count + 1);
    return texts;
}

struct batch new_batch(const struct corpus *corpus, int size, struct variation variation, uint64_t seed)
{
    struct batch batch = {.size = size, .corpus = corpus, .variation = variation, .random = seed};
    if (corpus->pair_count < size) {
        fprintf(stderr, "%ld pairs are too few for a batch of %d\n", corpus->pair_count, size);
        exit(1);
    }
    batch.pairs = malloc(size * sizeof *batch.pairs);
    batch.queries = new_texts(size, LONGEST_QUERY);
    batch.texts = new_texts(size, variation.longest_text);
    batch.order = (int32_t *)new_floats(corpus->pair_count);
    for (long i = 0; i < corpus->pair_count; i++)
        batch.order[i] = i;
    batch.next = corpus->pair_count;
    return batch;
}

static void shuffle(struct batch *batch)
{
    for (long i = batch->corpus->pair_count - 1; i > 0; i--) {
        long j = random_bits(&batch->random) % (i + 1);
        int32_t held = batch->order[i];
        batch->order[i] = batch->order[j];
        batch->order[j] = held;
    }
    batch->next = 0;
}

/* Adds tokens to the text that is being written at the end of `texts`, varied. */
static void add_tokens(struct batch *batch, struct texts *texts, const int32_t *tokens, int length, int longest, float drop)
{
    const struct corpus *corpus = batch->corpus;
    int first = texts->starts[texts->count - 1], *end = &texts->starts[texts->count];
    for (int t = 0; t < length && *end - first < longest; t++) {
        float chance = random_unit(&batch->random);
        if (chance < drop && length > 3)
            continue;
        if (chance > 1 - batch->variation.split_word && tokens[t] < corpus->words) {
            const int32_t *trigrams = corpus->trigrams + (long)tokens[t] * TRIGRAMS;
            for (int i = 0; i < TRIGRAMS && trigrams[i] != NO_ROW; i++)
                texts->tokens[(*end)++] = trigrams[i];
        } else {
            texts->tokens[(*end)++] = tokens[t];
        }
    }
}

static void open_text(struct texts *texts)
{
    texts->count++;
    texts->starts[texts->count] = texts->starts[texts->count - 1];
}

static void add_pair(struct batch *batch, const struct pair *pair)
{
    const struct variation *vary = &batch->variation;
    int longest = vary->longest_text, read = pair->text_length < longest ? pair->text_length : longest;
    open_text(&batch->queries);
    open_text(&batch->texts);
    if (read < SHORTEST_CUT_TEXT || random_unit(&batch->random) >= vary->cut_out) {
        add_tokens(batch, &batch->queries, pair->query, pair->query_length, LONGEST_QUERY, vary->drop_query);
        add_tokens(batch, &batch->texts, pair->text, pair->text_length, longest, vary->drop_text);
        return;
    }
    int length = SHORTEST_CUT + random_bits(&batch->random) % (LONGEST_CUT - SHORTEST_CUT);
    int start = random_bits(&batch->random) % (read - length);
    add_tokens(batch, &batch->queries, pair->text + start, length, LONGEST_QUERY, vary->drop_query);
    add_tokens(batch, &batch->texts, pair->query, pair->query_length, longest, vary->drop_text);
    add_tokens(batch, &batch->texts, pair->text, start, longest, vary->drop_text);
    add_tokens(batch, &batch->texts, pair->text + start + length, pair->text_length - start - length, longest, vary->drop_text);
}

void draw_batch(struct batch *batch)
{
    if (batch->next + batch->size > batch->corpus->pair_count)
        shuffle(batch);
    batch->queries.count = batch->texts.count = 0;
    for (int i = 0; i < batch->size; i++) {
        batch->pairs[i] = &batch->corpus->pairs[batch->order[batch->next++]];
        add_pair(batch, batch->pairs[i]);
    }
}
