/* What the kernels of Fourier transforms share with their host. */
#ifndef LUN_ABI_FFT_H
#define LUN_ABI_FFT_H

#include "abi/types.h"

#define FFT_AXES 14      /* around a step's lines: those of the array, and digits of positions */
#define FFT_AXES_IN 9    /* of a step that reads the input: those of the array, its position's first digit, and parts */
#define FFT_LANES 8      /* lines that a CPU's work-item transforms side by side */
#define FFT_PLAIN 32     /* the longest step of the plain variant */
#define FFT_RADIX_BITS 4 /* of a pass in fft_step's `radices`, which has the radix less one */

/* How a step reads its numbers. PAIRS: two reals are one complex number. PACKED: X[k] and X[whole/2 - k] of a real
 * line's transform are the k-th number of the transform of its pairs. */
#define FFT_COMPLEX 0
#define FFT_REAL 1
#define FFT_PAIRS 2
#define FFT_HERMITIAN 3
#define FFT_PACKED 4
/* How it writes them, beside COMPLEX, REAL and PAIRS. HALF, FULL: what a real line's pairs were transformed to is made
 * that line's transform, its first half and one, or all of it. */
#define FFT_HALF 3
#define FFT_FULL 4

/* Flags. Exchanging the parts of what comes and of what goes makes a transform the inverse one. */
#define FFT_SWAP_IN 1
#define FFT_SWAP_OUT 2
#define FFT_TURN_IN 4 /* times w^(k from), where `from` is the position of the line's first number */
#define FFT_TURN_OUT 8
#define FFT_CHIRP_IN 16 /* times the chirp at its position */
#define FFT_CHIRP_OUT 32
#define FFT_FILTERED 64 /* transformed, times the filter, its parts exchanged, transformed again */
#define FFT_CONJUGATE 128
#define FFT_TIMES_IN 256 /* complex numbers times those of another array, as both are read */
#define FFT_ALONE 512    /* the step is the whole transform of its lines */

/* Many transforms of `n` numbers. A place has `lanes` lines; a number of a line has a position along the array's axis
 * where it comes from, and one where it goes to: what lies behind the ends is read as 0, and not written. */
typedef struct fft_step {
    abi_long n, lanes, places;
    abi_long in, out; /* first elements */
    abi_long in_lane, out_lane, from_lane, to_lane;
    abi_long in_step, out_step, from_step, to_step;
    abi_long from_end, to_end;
    abi_long to_begin;          /* what lies before is not written */
    abi_long odd_out;           /* of PAIRS: is the first number of the pair at to_end written? */
    abi_long odd_begin;         /* and is that of the pair at to_begin not? */
    abi_long whole;             /* length of the whole transform, */
    abi_long in_unit, out_unit; /* and the strides along its axis */
    abi_long axes;
    abi_long size[FFT_AXES], in_axis[FFT_AXES], out_axis[FFT_AXES], from_axis[FFT_AXES], to_axis[FFT_AXES];
    abi_long by, by_lane, by_unit, by_axis[FFT_AXES_IN]; /* where the other factor lies */
    abi_ulong radices;
    abi_long passes;
    abi_long load, store, flags;
    abi_long plain_in, plain_out; /* does nothing lie behind those ends? */
    abi_long shift, whole_shift;  /* of the tables of roots: a root is the product of a fine and a coarse one */
} fft_step;

#endif
