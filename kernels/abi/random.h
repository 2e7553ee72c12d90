/* What the kernels of random numbers share with their host. */
#ifndef LUN_ABI_RANDOM_H
#define LUN_ABI_RANDOM_H

#include "abi/types.h"

/* Where in the generator's blocks the numbers of a draw come from. */
typedef struct random_source {
    abi_ulong seed;
    abi_ulong block; /* the first one */
    abi_long stream; /* of that seed */
    abi_long skip;   /* elements that the first block would give, and that an earlier draw has taken */
} random_source;

#endif
