#include "corpus.h"

#include <stdio.h>
#include <stdlib.h>

static void fail(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    exit(1);
}

static int32_t *read_numbers(const char *path, long *count)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        fail(path, "cannot be read");
    long size = ftell(file);
    rewind(file);
    int32_t *numbers = malloc(size);
    if (numbers == NULL || fread(numbers, 1, size, file) != (size_t)size)
        fail(path, "cannot be read whole");
    fclose(file);
    *count = size / (long)sizeof *numbers;
    return numbers;
}

struct corpus read_corpus(const char *path)
{
    long count;
    const int32_t *numbers = read_numbers(path, &count);
    if (count < 3)
        fail(path, "is no corpus");
    struct corpus corpus = {.words = numbers[0], .buckets = numbers[1], .pair_count = numbers[2]};
    corpus.trigrams = numbers + 3;
    corpus.pairs = malloc(corpus.pair_count * sizeof *corpus.pairs);
    if (corpus.pairs == NULL)
        fail(path, "does not fit in memory");
    const int32_t *at = corpus.trigrams + (long)corpus.words * TRIGRAMS, *end = numbers + count;
    for (long i = 0; i < corpus.pair_count; i++) {
        if (end - at < 3 || end - at < 3 + at[1] + at[2])
            fail(path, "ends before its last pair");
        corpus.pairs[i] = (struct pair){at[0], at[1], at[2], at + 3, at + 3 + at[1]};
        at += 3 + at[1] + at[2];
    }
    return corpus;
}
