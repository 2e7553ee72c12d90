/* What the kernels of linear algebra share with their host. */
#ifndef LUN_ABI_LINALG_H
#define LUN_ABI_LINALG_H

#include "abi/layout.h"

/* Groups that share a matrix, all at work at once, and pass to each other what they find. */
typedef struct linalg_team {
    abi_long groups; /* of a matrix; 1: none passes anything to another */
    abi_long told;   /* where their words are: that many elements of 4 bytes behind the start of info */
    abi_long step;   /* the number of the step before the first */
} linalg_team;

#endif
