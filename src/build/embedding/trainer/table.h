#ifndef TABLE_H
#define TABLE_H

#include "corpus.h"

/* The table of token vectors in training. A token counts as its weight times its row. */
struct table {
    int row_count, dimensions;
    float *rows, *weights;
    /* Adagrad's sums of squared gradients: one for a row, one for its weight. */
    float *row_squares, *weight_squares;
    /* The gradient of the rows that a batch touches, and which place each has there (-1: none). */
    float *gradients, *weight_gradients;
    int32_t *places, *touched;
    int touched_count, touched_limit;
};

/* Texts of a batch as runs of rows: text i is tokens[starts[i]] to tokens[starts[i + 1] - 1]. */
struct texts {
    int32_t *tokens;
    int *starts;
    int count;
};

/* A table of small random rows, each weighted by how rare its token is in the corpus. */
struct table new_table(const struct corpus *corpus, int dimensions, int touched_limit, uint64_t seed);

/* Unit vectors of the texts, and the length each sum had before. */
void encode(const struct table *table, const struct texts *texts, float *vectors, float *lengths);

/* Adds the gradient of the texts' unit vectors to that of the rows they are made of. */
void backpropagate(struct table *table, const struct texts *texts, const float *vectors, const float *lengths,
                   const float *vector_gradients);

/* Moves the touched rows and weights against their gradient (row-wise Adagrad), and forgets the gradient. */
void step(struct table *table, float rate, float weight_rate);

/* Writes the rows times their weights as floats. Ends the program where that fails. */
void write_table(const struct table *table, const char *path);

#endif
