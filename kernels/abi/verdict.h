/* A verdict: what kernels have found wrong in an operation's data, for the host to read behind them. */
#ifndef LUN_ABI_VERDICT_H
#define LUN_ABI_VERDICT_H

#include "abi/types.h"

typedef struct lun_verdict {
    abi_uint found;    /* 0: nothing is wrong, and the rest says nothing */
    abi_uint turn;     /* 1 while a work-item writes the rest */
    abi_long position; /* of the first that is wrong, counted from 0 */
    abi_long value;    /* what is there */
    abi_long beside;   /* a second number, where the words have one */
} lun_verdict;

#endif
