#include "loss.h"

#include <math.h>
#include <string.h>

#include "matrix.h"

struct loss new_loss(int batch, int dimensions, float temperature)
{
    struct loss loss = {.batch = batch, .dimensions = dimensions, .temperature = temperature};
    loss.similarities = new_floats((long)batch * batch);
    loss.turned = new_floats((long)batch * batch);
    loss.text_columns = new_floats((long)batch * dimensions);
    return loss;
}

static int same_question(const struct pair *a, const struct pair *b)
{
    return a->query_length == b->query_length &&
           memcmp(a->query, b->query, a->query_length * sizeof *a->query) == 0;
}

static void leave_out_kin(struct loss *loss, const struct pair *const *pairs)
{
    for (int i = 0; i < loss->batch; i++)
        for (int j = 0; j < i; j++)
            if (pairs[i]->group == pairs[j]->group || same_question(pairs[i], pairs[j])) {
                loss->similarities[(long)i * loss->batch + j] = -1e4f;
                loss->similarities[(long)j * loss->batch + i] = -1e4f;
            }
}

/* Turns each row of scores into probabilities; gives the sum of -log of those on the diagonal. */
static float softmax_rows(float *scores, int size)
{
    float sum = 0;
    for (int i = 0; i < size; i++) {
        float *row = scores + (long)i * size, most = row[0], total = 0;
        for (int j = 1; j < size; j++)
            most = fmaxf(most, row[j]);
        for (int j = 0; j < size; j++) {
            row[j] = expf(row[j] - most);
            total += row[j];
        }
        for (int j = 0; j < size; j++)
            row[j] /= total;
        sum -= logf(fmaxf(row[i], 1e-20f));
    }
    return sum;
}

float contrast(struct loss *loss, const struct pair *const *pairs, const float *queries, const float *texts,
               float *query_gradients, float *text_gradients)
{
    int batch = loss->batch, dimensions = loss->dimensions;
    long cells = (long)batch * batch;
    transpose(loss->text_columns, texts, batch, dimensions);
    multiply(loss->similarities, queries, loss->text_columns, batch, dimensions, batch);
    leave_out_kin(loss, pairs);
    for (long i = 0; i < cells; i++)
        loss->similarities[i] /= loss->temperature;
    transpose(loss->turned, loss->similarities, batch, batch);
    float sum = softmax_rows(loss->similarities, batch) + softmax_rows(loss->turned, batch);

    float *both = loss->similarities, scale = 0.5f / (batch * loss->temperature);
    for (int i = 0; i < batch; i++)
        for (int j = 0; j < batch; j++)
            both[(long)i * batch + j] += loss->turned[(long)j * batch + i];
    for (int i = 0; i < batch; i++)
        both[(long)i * batch + i] -= 2;
    for (long i = 0; i < cells; i++)
        both[i] *= scale;
    multiply(query_gradients, both, texts, batch, batch, dimensions);
    transpose(loss->turned, both, batch, batch);
    multiply(text_gradients, loss->turned, queries, batch, batch, dimensions);
    return sum / (2 * batch);
}
