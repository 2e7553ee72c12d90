/* What the kernels that sort share with their host. */
#ifndef LUN_ABI_SORT_H
#define LUN_ABI_SORT_H

#include "abi/types.h"

/* Rows of neighbouring elements, each of which is sorted for itself; and one pass of a sort by digits. */
typedef struct sort_pass {
    abi_long rows, count;   /* elements of a row */
    abi_long tiles, tile;   /* of a row; elements in each but the last */
    abi_ulong flip;         /* all bits are set: the largest come first */
    abi_long from, to, end; /* first elements: of what is read, of what is written, of the final positions */
    abi_long shift;         /* bits below the digit */
} sort_pass;

#define SELECT_BITS 11     /* of a digit by which elements are selected, at most */
#define SELECT_TARGETS 8   /* places in the order that are looked for in a row at a time, at most */
#define SELECT_COUNTS 2049 /* of the digits, and of NaN */

/* One pass of a selection: which elements of a row would be at the places `at` if it were sorted. */
typedef struct select_pass {
    abi_long rows, count;
    abi_long tiles, tile; /* of a row; elements in each but the last */
    abi_ulong flip;       /* all bits are set: the largest come first */
    abi_long from;        /* the first element */
    abi_long shift, bits; /* below the digit, and of the digit */
    abi_long first, last; /* is it the first pass, the last one? */
    abi_long targets;
    abi_long at[SELECT_TARGETS];
} select_pass;

/* What is known of a target: the digits of its rank so far, its place among the elements with these, and how many NaN
 * the row has. */
typedef struct select_target {
    abi_ulong prefix;
    abi_long left, nan;
} select_target;

/* How a quantile follows from its place in the order, which may be between two elements: by a straight line; the one
 * before; the next; the mean of both; that mean for the place of an element, else the next one; the nearest, of two
 * the one at an even or an odd place. */
#define QUANTILE_LINEAR 0
#define QUANTILE_LOWER 1
#define QUANTILE_HIGHER 2
#define QUANTILE_MIDPOINT 3
#define QUANTILE_AVERAGED 4
#define QUANTILE_EVEN 5
#define QUANTILE_ODD 6

/* Quantiles of rows that are sorted: one number for each row, between two of its elements. */
typedef struct quantile_shape {
    abi_long rows, count;
    abi_long from, to;  /* first elements */
    abi_long low, high; /* the two */
    abi_long present;   /* is NaN left out? Then the two follow from the fields below, and not from these */
    abi_ulong q, shift; /* in units of 2^-63: the place is q (count - 1) + shift, from 0, or q count + shift - 1 */
    abi_long whole;     /* is it the latter? */
    abi_long rule;
} quantile_shape;

/* Which bin each element belongs to. */
typedef struct bins_shape {
    abi_long from, size; /* the first element, and how many */
    abi_long bins;
    abi_long base;  /* of integers: the one that the first bin counts */
    abi_long edges; /* of numbers: the first edge */
} bins_shape;

/* Counts of bins: each of `chunks` parts of the elements has counts of its own, which are joined in order. */
typedef struct count_shape {
    abi_long size, bins, chunks;
    abi_long weights, to; /* first elements */
} count_shape;

/* Of the keys, or of the positions if these are longer, of a tile that a group orders in local memory: 16384 at
 * least. */
#define RADIX_TILE_BYTES 16384
#define RADIX_COUNTERS 16 /* words before what radix_once.cl counts, one for each pass */
#define COUNT_ROOM 4096   /* bins that a group counts in local memory */
#define SORT_NETWORK 1024 /* elements of rows that a work-item sorts side by side */
#define SORT_ROOM 2048    /* elements that a group sorts in local memory */

#endif
