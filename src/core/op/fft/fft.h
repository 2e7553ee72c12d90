/* Fourier transforms: what the room's files share. */
#pragma once

#include "abi/fft.h"
#include "call/interface.h"

/* ---- lengths (length.c) ---------------------------------------------------------------------------------------------- */

/* Has n no prime factor above 13? */
bool fft_is_smooth(size_t n);
/* n as the product of `count` lengths of at most `most`, about equal; false: there is none. */
bool fft_split(size_t *out, size_t n, size_t count, size_t most);
#define FFT_RADICES 16 /* of a pass, at most: fft_step has 4 bits for each of that many */
/* The radices of a length's passes, of which the largest is `most`; how many. */
size_t fft_radices(unsigned *out, size_t n, unsigned most);

/* ---- tables (roots.c) ------------------------------------------------------------------------------------------------- */

typedef struct fft_tables {
    cl_mem turns, roots, whole_roots, chirp, filter, lanes, factor;
} fft_tables;

/* All n roots of a step's length. */
lun_status fft_turns(cl_mem *out, lun_device *device, lun_dtype dtype, size_t n, lun_error *err);
/* The roots of n as products of fine and coarse ones. */
lun_status fft_roots(cl_mem *out, abi_long *shift, lun_device *device, lun_dtype dtype, size_t n, lun_error *err);
/* For FFT_LANES lines side by side: of n, the roots k l for k < count, l < FFT_LANES; real parts, then imaginary ones. */
lun_status fft_lane_roots(cl_mem *out, lun_device *device, lun_dtype dtype, size_t n, size_t count, lun_error *err);
/* Bluestein's chirp for n numbers; and the transform of it, around which a line of `padded` numbers is filtered. */
lun_status fft_chirp(cl_mem *out, lun_device *device, lun_dtype dtype, size_t n, lun_error *err);
lun_status fft_filter(cl_mem *out, lun_device *device, lun_dtype dtype, size_t n, size_t padded, lun_error *err);

/* ---- plans ------------------------------------------------------------------------------------------------------------ */

/* One axis after the other: the first reads the input, the last writes the output. Where an axis has fewer numbers than n, 0
 * follows. An array without a device has its numbers in memory of the operation's own. */
typedef struct fft_line {
    lun_array to, from;
    const lun_array *factor; /* the numbers are read times its ones; NULL: they are read as they are */
    int axis;
    size_t n, first; /* the numbers from the first-th on are written */
    bool inverse;
    bool spare; /* may what it reads be overwritten? */
    double scale;
} fft_line;

typedef struct fft_problem {
    int count;
    fft_line lines[LUN_MAX_AXES];
    lun_dtype dtype;  /* complex, that is computed with; the first array and the last one may have narrower numbers */
    int between_ndim; /* of that memory; 0: there is none */
    size_t between_shape[LUN_MAX_AXES];
} fft_problem;

/* Along some axes, of which the last one is halved where numbers are real. What is longer than n is cut, what is shorter padded; of
 * the result what fits is written. */
typedef struct fft_axes {
    int count, axes[LUN_MAX_AXES];
    size_t n[LUN_MAX_AXES]; /* of each */
    bool inverse;
    double scale;
    bool accurate;           /* computed in f64 whatever the arrays have, and rounded once */
    const lun_array *factor; /* of the complex input's shape and dtype: their product is what is transformed */
    size_t
        first[LUN_MAX_AXES]; /* of each, where the result begins within all n; 0 unless it is an inverse transform's */
} fft_axes;

/* Transforms as an operation of that name (fft_words.c). The dtypes of both say which of the parts there are; `out` may be `in`. */
lun_status fft_along(const lun_array *out, const lun_array *in, const fft_axes *along, const char *name,
                     const lun_call *call, lun_error *err);

/* What operations along one axis read: the axis, and the length along it (option `n`). */
lun_status fft_read_line(int *axis, size_t *n, const lun_request *r, lun_error *err);
/* The option `accurate`: f32 and c64 are computed in f64. LUN_MISUSE where there is none. */
lun_status fft_read_accurate(bool *out, const lun_request *r, lun_error *err);
/* The dtype of memory between: of that dtype's numbers or of their parts, and wide where they are `accurate`. */
lun_dtype fft_between(lun_dtype dtype, bool pairs, bool accurate);
/* The option `norm`, of a transform that makes that many of its numbers when it goes there and back. */
lun_status fft_read_norm(double *scale, const lun_request *r, double numbers, bool inverse, lun_error *err);

/* What a step writes and reads, and the dtypes of the parts of numbers there. */
typedef struct fft_ends {
    cl_mem dst, src;
    lun_dtype to, from;
} fft_ends;

/* How a variant runs steps. */
typedef struct fft_way {
    const variant *row;
    const char *unpacks; /* the file whose fft_unpack_lines and fft_pack_lines run */
    size_t longest;      /* a line that is one step */
    size_t most;         /* of each of several steps */
    size_t across;       /* that of lines that lie side by side */
    size_t alone, few;   /* and that where there are fewer than `few` lines */
    size_t lanes;        /* lines side by side */
    lun_status (*launch)(plan *p, const struct fft_way *way, const fft_step *step, const fft_tables *tables,
                         const fft_ends *ends, double scale, lun_error *err);
    lun_dtype dtype;
} fft_way;

/* Appends the steps of all lines of the problem. */
lun_status fft_plan(plan *p, const fft_way *way, const fft_problem *problem, lun_error *err);
/* A number for a kernel's PART. */
launch_arg fft_part(lun_dtype dtype, double x);
