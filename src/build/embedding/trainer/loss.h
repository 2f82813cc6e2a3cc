#ifndef LOSS_H
#define LOSS_H

#include "corpus.h"

/* Room for one batch's similarities and gradients. */
struct loss {
    int batch, dimensions;
    float temperature;
    float *similarities, *turned, *text_columns;
};

struct loss new_loss(int batch, int dimensions, float temperature);

/* The symmetric in-batch contrastive loss (mean over the batch) of unit vectors, query i belonging to text i and to no
   other, except that pairs of one group or of the same words are left out of account. Gives the gradients of both. */
float contrast(struct loss *loss, const struct pair *const *pairs, const float *queries, const float *texts,
               float *query_gradients, float *text_gradients);

#endif
