#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/* The next of a sequence of well mixed 64-bit numbers (splitmix64, Steele et al. 2014). */
static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t bits = (*state += 0x9e3779b97f4a7c15u);
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

/* From 0 up to, not including, 1. */
static inline float random_unit(uint64_t *state)
{
    return (random_bits(state) >> 40) * 0x1p-24f;
}

#endif
