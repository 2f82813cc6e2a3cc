#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"
#include "random.h"

/* Smooth inverse frequency (Arora et al. 2017): a word of one in a thousand counts half of a rare one. */
static const float COMMON = 1e-3f;

static void weigh_by_rarity(float *weights, const struct corpus *corpus, int row_count)
{
    double total = 0;
    for (long i = 0; i < corpus->pair_count; i++) {
        const struct pair *pair = &corpus->pairs[i];
        for (int t = 0; t < pair->text_length; t++)
            weights[pair->text[t]]++;
        total += pair->text_length;
    }
    for (int row = 0; row < row_count; row++)
        weights[row] = COMMON / (COMMON + weights[row] / total);
}

struct table new_table(const struct corpus *corpus, int dimensions, int touched_limit, uint64_t seed)
{
    int row_count = corpus->words + corpus->buckets;
    long size = (long)row_count * dimensions;
    struct table table = {.row_count = row_count, .dimensions = dimensions, .touched_limit = touched_limit};
    table.rows = new_floats(size);
    table.weights = new_floats(row_count);
    table.row_squares = new_floats(row_count);
    table.weight_squares = new_floats(row_count);
    table.gradients = new_floats((long)touched_limit * dimensions);
    table.weight_gradients = new_floats(touched_limit);
    table.places = (int32_t *)new_floats(row_count);
    table.touched = (int32_t *)new_floats(touched_limit);
    for (int row = 0; row < row_count; row++)
        table.places[row] = NO_ROW;
    for (long i = 0; i < size; i++)
        table.rows[i] = (random_unit(&seed) - 0.5f) * 2 / sqrtf(dimensions);
    weigh_by_rarity(table.weights, corpus, row_count);
    /* A word outside the vocabulary is several trigrams: together they count as one rare word. */
    for (int row = corpus->words; row < row_count; row++)
        table.weights[row] *= 0.3f;
    return table;
}

void encode(const struct table *table, const struct texts *texts, float *vectors, float *lengths)
{
    int dimensions = table->dimensions;
    for (int i = 0; i < texts->count; i++) {
        float *vector = vectors + (long)i * dimensions;
        memset(vector, 0, dimensions * sizeof *vector);
        for (int t = texts->starts[i]; t < texts->starts[i + 1]; t++) {
            const float *row = table->rows + (long)texts->tokens[t] * dimensions;
            float weight = table->weights[texts->tokens[t]];
            for (int d = 0; d < dimensions; d++)
                vector[d] += weight * row[d];
        }
        float squares = 1e-12f;
        for (int d = 0; d < dimensions; d++)
            squares += vector[d] * vector[d];
        lengths[i] = sqrtf(squares);
        for (int d = 0; d < dimensions; d++)
            vector[d] /= lengths[i];
    }
}

/* The place of a row's gradient in this batch, made where it has none yet. */
static int place_of(struct table *table, int row)
{
    if (table->places[row] != NO_ROW)
        return table->places[row];
    int place = table->touched_count++;
    if (place == table->touched_limit) {
        fprintf(stderr, "a batch touches more than %d rows\n", table->touched_limit);
        exit(1);
    }
    table->places[row] = place;
    table->touched[place] = row;
    memset(table->gradients + (long)place * table->dimensions, 0, table->dimensions * sizeof(float));
    table->weight_gradients[place] = 0;
    return place;
}

void backpropagate(struct table *table, const struct texts *texts, const float *vectors, const float *lengths,
                   const float *vector_gradients)
{
    int dimensions = table->dimensions;
    float through[dimensions];
    for (int i = 0; i < texts->count; i++) {
        const float *vector = vectors + (long)i * dimensions;
        const float *gradient = vector_gradients + (long)i * dimensions;
        float along = 0;
        for (int d = 0; d < dimensions; d++)
            along += vector[d] * gradient[d];
        for (int d = 0; d < dimensions; d++)
            through[d] = (gradient[d] - along * vector[d]) / lengths[i];
        for (int t = texts->starts[i]; t < texts->starts[i + 1]; t++) {
            int token = texts->tokens[t], place = place_of(table, token);
            const float *row = table->rows + (long)token * dimensions;
            float *sum = table->gradients + (long)place * dimensions;
            float weight = table->weights[token], dot = 0;
            for (int d = 0; d < dimensions; d++) {
                sum[d] += weight * through[d];
                dot += row[d] * through[d];
            }
            table->weight_gradients[place] += dot;
        }
    }
}

void step(struct table *table, float rate, float weight_rate)
{
    int dimensions = table->dimensions;
    for (int place = 0; place < table->touched_count; place++) {
        int row = table->touched[place];
        float *values = table->rows + (long)row * dimensions;
        const float *gradient = table->gradients + (long)place * dimensions;
        float squares = 0;
        for (int d = 0; d < dimensions; d++)
            squares += gradient[d] * gradient[d];
        table->row_squares[row] += squares / dimensions;
        float factor = rate / (sqrtf(table->row_squares[row]) + 1e-10f);
        for (int d = 0; d < dimensions; d++)
            values[d] -= factor * gradient[d];
        float slope = table->weight_gradients[place];
        table->weight_squares[row] += slope * slope;
        /* In proportion to the weight: a frequent word's is small, and must neither leap nor change its sign. */
        float change = weight_rate * slope / (sqrtf(table->weight_squares[row]) + 1e-10f);
        table->weights[row] *= expf(-fminf(fmaxf(change, -0.5f), 0.5f));
        table->places[row] = NO_ROW;
    }
    table->touched_count = 0;
}

void write_table(const struct table *table, const char *path)
{
    FILE *file = fopen(path, "wb");
    float scaled[table->dimensions];
    int failed = file == NULL;
    for (int row = 0; row < table->row_count && !failed; row++) {
        for (int d = 0; d < table->dimensions; d++)
            scaled[d] = table->weights[row] * table->rows[(long)row * table->dimensions + d];
        failed = fwrite(scaled, sizeof *scaled, table->dimensions, file) != (size_t)table->dimensions;
    }
    if (failed || fclose(file) != 0) {
        fprintf(stderr, "%s: cannot be written\n", path);
        exit(1);
    }
}
