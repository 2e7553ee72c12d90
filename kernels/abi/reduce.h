/* What the kernels that reduce share with their host. */
#ifndef LUN_ABI_REDUCE_H
#define LUN_ABI_REDUCE_H

#include "abi/layout.h"

/* ---- reduce_cpu.cl -------------------------------------------------------------------------------------------- */

#define REDUCE_ABREAST 8         /* rows of columns that are read side by side */
#define REDUCE_BLOCK 64          /* rows in a leaf of columns */
#define REDUCE_LEVELS 16         /* of the tree that joins the blocks of a part, */
#define REDUCE_MOST_BLOCKS 65535 /* so a part has at most that many blocks */
#define REDUCE_STRIP 256         /* vectors in a strip of columns, at most */

/* Partial results lie as outer x parts x columns; the work-item that stores the last part of an output joins them. */
typedef struct reduce_parts {
    abi_long out; /* first element of the result */
    abi_long outer, parts, columns;
    abi_long out_step;   /* between columns of the result */
    abi_long past_cache; /* write the result past the cache? */
} reduce_parts;

/* Outputs of a few neighbouring elements each. */
typedef struct reduce_short_shape {
    lun_layout kept, kept_out;
    abi_long in, out;        /* first elements */
    abi_long outer, inner;   /* outputs are outer x inner */
    abi_long step, out_step; /* between neighbouring outputs in the input and in the result */
    abi_long elements;       /* of an output */
    abi_long readable;       /* elements of the whole buffer, which vectors may read beyond an output */
    abi_long per_item;       /* vectors of outputs that a work-item makes */
    abi_long dense;          /* outputs follow one another without gaps, and their length divides a vector's */
    abi_long past_cache;     /* write the result past the cache? */
} reduce_short_shape;

/* Neighbours in memory go to different outputs. */
typedef struct reduce_columns_shape {
    lun_layout kept, kept_out, reduced;
    abi_long in;            /* first element */
    abi_long part;          /* rows of a part */
    abi_long rows, columns; /* of a place, of which there are `whole.outer` */
    abi_long last;          /* columns of the last row, which may be shorter */
    abi_long fold;          /* a row here is that many rows of the array, one behind the other */
    abi_long strips, strip; /* columns are cut in that many strips of that many columns */
    abi_long per_item;      /* outer * parts * strips are dealt out in ranges of that many */
    reduce_parts whole;     /* its columns are those of the outputs */
} reduce_columns_shape;

/* ---- reduce_gpu.cl, reduce_short.cl ---------------------------------------------------------------------------- */

#define REDUCE_GPU_ITEMS 256 /* work-items in a group */
#define REDUCE_LANE_BYTES 32 /* bytes of results that a work-item of the column kernels keeps */
#define REDUCE_SHORT_LOADS 4 /* loads that a work-item of reduce_short.cl has under way */

typedef struct reduce_gpu_shape {
    abi_long in, out;               /* first elements */
    abi_long outer, parts, columns; /* outputs are outer x columns; each is made in that many parts */
    abi_long part, step;            /* elements between the beginnings of parts, and between the rounds of one part */
    abi_long elements;              /* of an output */
    abi_long out_step;              /* between columns of the result */
    abi_long share;                 /* work-items that work on one part, or columns side by side */
    abi_long width;                 /* columns of a group */
} reduce_gpu_shape;

#endif
