/* Trains a table of token vectors on pairs of a question and a text that answers it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "corpus.h"
#include "loss.h"
#include "matrix.h"
#include "random.h"
#include "table.h"

enum { LONGEST_QUERY = 48, TOUCHED_LIMIT = 120000 };

struct options {
    const char *corpus, *output;
    int dimensions, batch, run, longest_text;
    long steps;
    float rate, weight_rate, temperature, drop_query, drop_text, split_word;
    uint64_t seed;
};

static struct options read_options(int count, char **words)
{
    struct options options = {
        .dimensions = 256, .batch = 1024, .run = 4, .longest_text = 128, .steps = 1000, .rate = 0.1f,
        .weight_rate = 0.02f, .temperature = 0.05f, .drop_query = 0.1f, .drop_text = 0.1f, .split_word = 0.02f, .seed = 1,
    };
    for (int i = 1; i + 1 < count; i += 2) {
        const char *name = words[i], *value = words[i + 1];
        if (strcmp(name, "--corpus") == 0) options.corpus = value;
        else if (strcmp(name, "--output") == 0) options.output = value;
        else if (strcmp(name, "--dimensions") == 0) options.dimensions = atoi(value);
        else if (strcmp(name, "--batch") == 0) options.batch = atoi(value);
        else if (strcmp(name, "--run") == 0) options.run = atoi(value);
        else if (strcmp(name, "--longest-text") == 0) options.longest_text = atoi(value);
        else if (strcmp(name, "--steps") == 0) options.steps = atol(value);
        else if (strcmp(name, "--rate") == 0) options.rate = atof(value);
        else if (strcmp(name, "--weight-rate") == 0) options.weight_rate = atof(value);
        else if (strcmp(name, "--temperature") == 0) options.temperature = atof(value);
        else if (strcmp(name, "--drop-query") == 0) options.drop_query = atof(value);
        else if (strcmp(name, "--drop-text") == 0) options.drop_text = atof(value);
        else if (strcmp(name, "--split-word") == 0) options.split_word = atof(value);
        else if (strcmp(name, "--seed") == 0) options.seed = atol(value);
        else {
            fprintf(stderr, "unknown option %s\n", name);
            exit(2);
        }
    }
    if (options.corpus == NULL || options.output == NULL || options.dimensions % 64 || options.batch % 64 ||
        options.batch % options.run) {
        fprintf(stderr, "usage: train --corpus FILE --output FILE [--steps N] [--dimensions 64n] [--batch 64n] ...\n");
        exit(2);
    }
    return options;
}

/* The order of runs of neighbouring pairs. Neighbours are mostly of one page: hard negatives of one another. */
static void shuffle(int32_t *order, long count, uint64_t *state)
{
    for (long i = count - 1; i > 0; i--) {
        long j = random_bits(state) % (i + 1);
        int32_t held = order[i];
        order[i] = order[j];
        order[j] = held;
    }
}

/* Adds a text's tokens, some left out, some in the guise of an unknown word (their trigrams). */
static void add_text(struct texts *texts, const int32_t *tokens, int length, int longest, float drop,
                     const struct options *options, const struct corpus *corpus, uint64_t *state)
{
    int at = texts->starts[texts->count], first = at;
    for (int t = 0; t < length && at - first < longest; t++) {
        float chance = random_unit(state);
        if (chance < drop && length > 3)
            continue;
        if (chance > 1 - options->split_word && tokens[t] < corpus->words) {
            const int32_t *trigrams = corpus->trigrams + (long)tokens[t] * TRIGRAMS;
            for (int i = 0; i < TRIGRAMS && trigrams[i] != NO_ROW; i++)
                texts->tokens[at++] = trigrams[i];
        } else {
            texts->tokens[at++] = tokens[t];
        }
    }
    texts->starts[++texts->count] = at;
}

static struct texts new_texts(int count, int longest)
{
    struct texts texts = {.count = 0};
    texts.tokens = (int32_t *)new_floats((long)count * (longest + TRIGRAMS));
    texts.starts = (int *)new_floats(count + 1);
    return texts;
}

int main(int count, char **words)
{
    struct options options = read_options(count, words);
    struct corpus corpus = read_corpus(options.corpus);
    int batch = options.batch, dimensions = options.dimensions;
    long run_count = corpus.pair_count / options.run, runs_a_batch = batch / options.run;
    if (run_count < runs_a_batch) {
        fprintf(stderr, "%ld pairs are too few for a batch of %d\n", corpus.pair_count, batch);
        return 1;
    }
    uint64_t state = options.seed;
    struct table table = new_table(&corpus, dimensions, TOUCHED_LIMIT, options.seed);
    struct loss loss = new_loss(batch, dimensions, options.temperature);
    struct texts queries = new_texts(batch, LONGEST_QUERY), texts = new_texts(batch, options.longest_text);
    long size = (long)batch * dimensions;
    float *query_vectors = new_floats(size), *text_vectors = new_floats(size);
    float *query_gradients = new_floats(size), *text_gradients = new_floats(size);
    float *query_lengths = new_floats(batch), *text_lengths = new_floats(batch);
    int32_t *order = (int32_t *)new_floats(run_count);
    const struct pair **pairs = malloc(batch * sizeof *pairs);
    for (long i = 0; i < run_count; i++)
        order[i] = i;

    long next = run_count;
    float mean = 0;
    for (long now = 0; now < options.steps; now++) {
        if (next + runs_a_batch > run_count) {
            shuffle(order, run_count, &state);
            next = 0;
        }
        queries.count = texts.count = 0;
        for (int i = 0; i < batch; i++) {
            long run = order[next + i / options.run];
            const struct pair *pair = pairs[i] = &corpus.pairs[run * options.run + i % options.run];
            add_text(&queries, pair->query, pair->query_length, LONGEST_QUERY, options.drop_query, &options, &corpus, &state);
            add_text(&texts, pair->text, pair->text_length, options.longest_text, options.drop_text, &options, &corpus, &state);
        }
        next += runs_a_batch;
        encode(&table, &queries, query_vectors, query_lengths);
        encode(&table, &texts, text_vectors, text_lengths);
        float value = contrast(&loss, pairs, query_vectors, text_vectors, query_gradients, text_gradients);
        backpropagate(&table, &queries, query_vectors, query_lengths, query_gradients);
        backpropagate(&table, &texts, text_vectors, text_lengths, text_gradients);
        float left = 1 - (float)now / options.steps;
        step(&table, options.rate * left, options.weight_rate * left);
        mean = now == 0 ? value : 0.99f * mean + 0.01f * value;
        if ((now + 1) % 200 == 0 || now + 1 == options.steps) {
            printf("step %ld of %ld, %.0f s, loss %.3f\n", now + 1, options.steps, (double)clock() / CLOCKS_PER_SEC, mean);
            fflush(stdout);
        }
    }
    write_table(&table, options.output);
    return 0;
}
