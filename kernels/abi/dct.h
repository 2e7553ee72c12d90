/* What the kernels before and behind cosine and sine transforms share with their host. */
#ifndef LUN_ABI_DCT_H
#define LUN_ABI_DCT_H

#include "abi/layout.h"

/* By which Fourier transform it is done. ORDERED: of the numbers in another order, of which the spectrum is turned;
 * SPECTRUM: back from there; PAIRS: of half as many complex numbers, turned before and behind; FOLDED: of the numbers
 * in a third order; EVEN, ODD: of the line and its mirror image. */
#define DCT_ORDERED 0
#define DCT_SPECTRUM 1
#define DCT_PAIRS 2
#define DCT_FOLDED 3
#define DCT_EVEN 4
#define DCT_ODD 5

/* Flags. Sine transforms are cosine transforms of numbers in reverse, or with every second sign changed. */
#define DCT_REVERSE_IN 1
#define DCT_ALTERNATE_IN 2
#define DCT_REVERSE_OUT 4
#define DCT_ALTERNATE_OUT 8
#define DCT_ENDS_IN 16  /* the first number (of EVEN the last one, too) times the root of 2, */
#define DCT_ENDS_OUT 32 /* and through it */

/* Lines of n numbers in an array, and of `core` numbers in memory of the operation's own, which has `inner` of them
 * side by side. */
typedef struct dct_shape {
    abi_long n, core, outer, inner;
    abi_long has;      /* numbers of a line in the array, behind which 0 is read */
    abi_long strip;    /* that a work-item goes along a line */
    abi_long at, step; /* of the array */
    abi_long form, flags;
    abi_long shift;    /* of the table of roots */
    lun_layout around; /* the array's other axes */
} dct_shape;

#endif
