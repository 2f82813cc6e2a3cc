#include "matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16, TILE_ROWS = 4, TILE_VECTORS = 4, TILE_COLUMNS = LANES * TILE_VECTORS };

typedef float vector __attribute__((vector_size(LANES * sizeof(float))));

/* One tile of c, held in registers over the whole of k. */
static void multiply_tile(float *c, const float *a, const float *b, int k, int n)
{
    vector sum[TILE_ROWS][TILE_VECTORS] = {0};
    for (int i = 0; i < k; i++) {
        const vector *row = (const vector *)(b + (long)i * n);
        for (int r = 0; r < TILE_ROWS; r++) {
            float factor = a[(long)r * k + i];
            for (int v = 0; v < TILE_VECTORS; v++)
                sum[r][v] += factor * row[v];
        }
    }
    for (int r = 0; r < TILE_ROWS; r++)
        memcpy(c + (long)r * n, sum[r], sizeof sum[r]);
}

void multiply(float *c, const float *a, const float *b, int m, int k, int n)
{
    /* Columns outermost: the strip of b that a tile reads stays in the cache for all rows of a. */
    for (int column = 0; column < n; column += TILE_COLUMNS)
        for (int row = 0; row < m; row += TILE_ROWS)
            multiply_tile(c + (long)row * n + column, a + (long)row * k, b + column, k, n);
}

void transpose(float *to, const float *from, int rows, int columns)
{
    enum { BLOCK = 16 };
    for (int r0 = 0; r0 < rows; r0 += BLOCK)
        for (int c0 = 0; c0 < columns; c0 += BLOCK)
            for (int r = r0; r < r0 + BLOCK; r++)
                for (int c = c0; c < c0 + BLOCK; c++)
                    to[(long)c * rows + r] = from[(long)r * columns + c];
}

float *new_floats(long count)
{
    size_t size = ((size_t)count * sizeof(float) + 63) / 64 * 64;
    float *block = aligned_alloc(64, size);
    if (block == NULL) {
        fprintf(stderr, "no memory for %ld numbers\n", count);
        exit(1);
    }
    return memset(block, 0, size);
}
