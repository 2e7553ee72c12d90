/* A stable sort by digits, as a part of other operations: what they append to their plans. */
#pragma once

#include "abi/sort.h"
#include "op/plan.h"

/* The kernels of a variant to sort by digits, and how they share the work out. */
typedef struct radix_kernels {
    const char *file, *count, *move;
    const char *scan; /* a kernel of the same file; NULL: radix_plan_scan */
    unsigned digit_bits;
    size_t items;      /* of a group */
    size_t tile_bytes; /* of a tile's keys or positions, whichever are longer; 0: each core gets some tiles */
    /* Sums the digits of each row up, behind `scan`, which then sums the counts of each digit in a group of its own; NULL:
     * `scan` sums all counts up. */
    const char *bases;
    /* Clears the counts of a variant that counts the digits of all passes before the first one: `scan` sums them up, and the tiles
     * of a pass pass to one another how many keys they have. NULL: each pass counts its own digits. */
    const char *clear;
    const char *defines; /* of the file, or NULL */
    size_t most;         /* keys of a row for which numbers of 32 bits are enough */
} radix_kernels;

extern const radix_kernels radix_bytes, radix_once, radix_nvidia, radix_cpu;

/* Rows of keys, which are dense, and where they go. The passes write to the two scratch lists in turn, from [1] on; the last
 * one writes to `out` and `end` where these are needed, and else to a scratch list. */
typedef struct radix_sort {
    lun_dtype dtype; /* of the keys; it says their order */
    size_t rows, count;
    unsigned bits;   /* the lowest, which alone differ */
    bool descending; /* NaN comes last all the same */
    bool places;     /* positions go along in the scratch lists, in 32 bits unless `wide` */
    bool wide;
    lun_block *in, *out, *end; /* end: i64, positions in their row, which count from 1; out, end: NULL if not wanted */
    int64_t in_at, out_at, end_at;
    lun_block *keys[2], *positions[2], *counts;
    int64_t keys_at[2]; /* first elements, where the caller has made the lists of keys */
} radix_sort;

/* Acquires what of the scratch lists is missing and needed. */
lun_status radix_scratch(radix_sort *sort, plan *p, const radix_kernels *kernels, lun_error *err);
/* Kernels that are found, to be called before anything is acquired: a compiler may refuse them. */
lun_status radix_find_kernels(plan *p, const radix_sort *sort, const radix_kernels *kernels, lun_error *err);
/* Appends the sort; *list is which of the scratch lists the last pass wrote to, if it did. */
lun_status radix_plan(int *list, plan *p, const radix_sort *sort, const radix_kernels *kernels, lun_error *err);
/* Turns `count` i64 numbers into the sums of those before each, and puts the sum of all behind them: on GPUs. */
lun_status radix_plan_scan(plan *p, const lun_block *counts, size_t count, lun_error *err);
