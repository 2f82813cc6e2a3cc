#ifndef MATRIX_H
#define MATRIX_H

/* Row-major float matrices. Every dimension is a multiple of 64 and every matrix aligned to 64 bytes. */

/* c (m x n) = a (m x k) times b (k x n). */
void multiply(float *c, const float *a, const float *b, int m, int k, int n);

/* to (columns x rows) = from (rows x columns) turned. */
void transpose(float *to, const float *from, int rows, int columns);

/* A zeroed, aligned block of `count` floats. Ends the program where there is no memory. */
float *new_floats(long count);

#endif
