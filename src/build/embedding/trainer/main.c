/* Trains a table of token vectors on pairs of a question and a text that answers it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "batch.h"
#include "corpus.h"
#include "loss.h"
#include "matrix.h"
#include "table.h"

/* A batch touches fewer rows than this: memory for gradients is laid out once. */
enum { TOUCHED_LIMIT = 120000 };

struct options {
    const char *corpus, *output;
    int dimensions, batch;
    long steps;
    float rate, weight_rate, temperature;
    struct variation variation;
    uint64_t seed;
};

static void set_option(struct options *options, const char *name, const char *value)
{
    struct variation *variation = &options->variation;
    if (strcmp(name, "--corpus") == 0) options->corpus = value;
    else if (strcmp(name, "--output") == 0) options->output = value;
    else if (strcmp(name, "--dimensions") == 0) options->dimensions = atoi(value);
    else if (strcmp(name, "--batch") == 0) options->batch = atoi(value);
    else if (strcmp(name, "--steps") == 0) options->steps = atol(value);
    else if (strcmp(name, "--rate") == 0) options->rate = atof(value);
    else if (strcmp(name, "--weight-rate") == 0) options->weight_rate = atof(value);
    else if (strcmp(name, "--temperature") == 0) options->temperature = atof(value);
    else if (strcmp(name, "--longest-text") == 0) variation->longest_text = atoi(value);
    else if (strcmp(name, "--drop-query") == 0) variation->drop_query = atof(value);
    else if (strcmp(name, "--drop-text") == 0) variation->drop_text = atof(value);
    else if (strcmp(name, "--split-word") == 0) variation->split_word = atof(value);
    else if (strcmp(name, "--cut-out") == 0) variation->cut_out = atof(value);
    else if (strcmp(name, "--seed") == 0) options->seed = atol(value);
    else {
        fprintf(stderr, "unknown option %s\n", name);
        exit(2);
    }
}

static struct options read_options(int count, char **words)
{
    struct options options = {
        .dimensions = 256, .batch = 1024, .steps = 1000, .rate = 0.1f, .weight_rate = 0.02f, .temperature = 0.05f, .seed = 1,
        .variation = {.drop_query = 0.1f, .drop_text = 0.1f, .split_word = 0.02f, .cut_out = 0, .longest_text = 128},
    };
    for (int i = 1; i + 1 < count; i += 2)
        set_option(&options, words[i], words[i + 1]);
    if (options.corpus == NULL || options.output == NULL || options.dimensions % 64 || options.batch % 64) {
        fprintf(stderr, "usage: train-embedding --corpus FILE --output FILE [--steps N] [--dimensions 64n] [--batch 64n]\n");
        exit(2);
    }
    return options;
}

/* One side of a batch in vectors. */
struct side {
    float *vectors, *lengths, *gradients;
};

static struct side new_side(int batch, int dimensions)
{
    long size = (long)batch * dimensions;
    return (struct side){new_floats(size), new_floats(batch), new_floats(size)};
}

int main(int count, char **words)
{
    struct options options = read_options(count, words);
    struct corpus corpus = read_corpus(options.corpus);
    struct table table = new_table(&corpus, options.dimensions, TOUCHED_LIMIT, options.seed);
    struct loss loss = new_loss(options.batch, options.dimensions, options.temperature);
    struct batch batch = new_batch(&corpus, options.batch, options.variation, options.seed);
    struct side asked = new_side(options.batch, options.dimensions), told = new_side(options.batch, options.dimensions);
    float mean = 0;
    for (long now = 0; now < options.steps; now++) {
        draw_batch(&batch);
        encode(&table, &batch.queries, asked.vectors, asked.lengths);
        encode(&table, &batch.texts, told.vectors, told.lengths);
        float value = contrast(&loss, batch.pairs, asked.vectors, told.vectors, asked.gradients, told.gradients);
        backpropagate(&table, &batch.queries, asked.vectors, asked.lengths, asked.gradients);
        backpropagate(&table, &batch.texts, told.vectors, told.lengths, told.gradients);
        float left = 1 - (float)now / options.steps;
        step(&table, options.rate * left, options.weight_rate * left);
        mean = now == 0 ? value : 0.99f * mean + 0.01f * value;
        if ((now + 1) % 500 == 0 || now + 1 == options.steps) {
            printf("step %ld of %ld, %.0f s, loss %.3f\n", now + 1, options.steps, (double)clock() / CLOCKS_PER_SEC, mean);
            fflush(stdout);
        }
    }
    write_table(&table, options.output);
    return 0;
}
