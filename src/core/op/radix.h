/* A stable sort by digits, as a part of the plans of other operations. */
#pragma once

#include "abi/sort.h"
#include "op/plan.h"

/* The kernels of a variant that sorts by digits, and how they divide the work. */
typedef struct radix_kernels {
    const char *file, *count, *move;
    const char *scan; /* a kernel of the same file; NULL: radix_plan_scan */
    unsigned digit_bits;
    size_t items;      /* of a group */
    size_t tile_bytes; /* of a tile's keys or positions, whichever are longer; 0: a few tiles for each core */
    /* Sums over the digits of each row, after `scan`, which then sums the counts of each digit in its own group; NULL:
     * `scan` sums all counts. */
    const char *bases;
    /* Clears the counts of a variant that counts the digits of all passes before the first one: `scan` sums them, and
     * in each pass the tiles report their numbers of keys to one another. NULL: each pass counts its own digits. */
    const char *clear;
    const char *defines; /* of the file, or NULL */
    size_t most;         /* keys of a row for which 32-bit numbers suffice */
} radix_kernels;

extern const radix_kernels radix_bytes, radix_once, radix_nvidia, radix_cpu;

/* Dense rows of keys, and their destination. The passes write to the two scratch lists alternately, beginning with [1];
 * the last one writes to `out` and `end` if these are needed, otherwise to a scratch list. */
typedef struct radix_sort {
    lun_dtype dtype; /* of the keys; it determines their order */
    size_t rows, count;
    unsigned bits;   /* the lowest digits, the only ones that differ */
    bool descending; /* NaN comes last all the same */
    bool places;     /* positions are moved with the keys, in 32 bits unless `wide` */
    bool wide;
    lun_block *in, *out, *end; /* end: i64, positions in their row, from 1; out, end: NULL if not needed */
    int64_t in_at, out_at, end_at;
    lun_block *keys[2], *positions[2], *counts;
    int64_t keys_at[2]; /* first elements, where the caller has made the lists of keys */
} radix_sort;

/* Acquires the missing scratch lists that are needed. */
lun_status radix_scratch(radix_sort *sort, plan *p, const radix_kernels *kernels, lun_error *err);
/* Finds the kernels. Called before any memory is acquired, because a compiler may refuse them. */
lun_status radix_find_kernels(plan *p, const radix_sort *sort, const radix_kernels *kernels, lun_error *err);
/* Appends the sort; *list is which of the scratch lists the last pass wrote to, if it did. */
lun_status radix_plan(int *list, plan *p, const radix_sort *sort, const radix_kernels *kernels, lun_error *err);
/* Replaces `count` i64 numbers by the sums of the numbers before each, followed by the sum of all: on GPUs. */
lun_status radix_plan_scan(plan *p, const lun_block *counts, size_t count, lun_error *err);
