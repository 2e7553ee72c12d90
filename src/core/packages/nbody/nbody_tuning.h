/* What was measured for gravity. Of two rows, the first is for f32 and the second for f64. */
#pragma once

#include "call/interface.h"

/* Each pair of bodies once, in tiles: CPUs. */
typedef struct tiled_tuning {
    size_t tile; /* bodies that stay in a core's nearest cache while the others come by */
    size_t rows; /* bodies that meet a tile in one unit of work */
    double rate; /* interactions a second and core */
} tiled_tuning;

/* Each body by itself, all others come by in tiles: GPUs and anywhere. */
typedef struct blocks_tuning {
    size_t block; /* work-items in a group, and bodies in a tile */
    size_t each;  /* bodies to a work-item */
    double rate;  /* interactions a second and compute unit */
} blocks_tuning;

/* Few bodies, many steps in a launch: GPUs. */
typedef struct few_tuning {
    size_t most; /* bodies */
    double rate; /* interactions a second of the group */
} few_tuning;

/* Each pair of bodies once, around a ring: GPUs. */
typedef struct pairs_tuning {
    size_t most;  /* bodies that this row is for; 0: any number */
    size_t block; /* work-items in a group, and bodies in a tile */
    size_t each;  /* bodies to a work-item */
    size_t steps; /* of the walk that are unrolled, on NVIDIA */
    double rate;  /* interactions a second and compute unit */
} pairs_tuning;

/* A tree. */
typedef struct tree_tuning {
    size_t targets; /* bodies that go through the tree together */
    size_t unit;    /* such groups that are a unit of work */
    double rate;    /* bodies a second and compute unit, with an accuracy of 3e-3 */
    size_t least;   /* bodies that attract, from which on the tree is faster than the direct sum */
} tree_tuning;

typedef struct nbody_tuning {
    tuning tuning;
    tiled_tuning tiled[2];
    blocks_tuning blocks[2], plain[2];
    few_tuning few[2];
    pairs_tuning pairs[2][3];
    tree_tuning tree_cpu[2], tree_gpu[2];

    /* Work that a core gets at least, as below a second one does not pay: */
    size_t loaded, stored; /* bodies that it loads and stores, */
    size_t kicked;         /* and vectors of them that it kicks along an axis */
    size_t looked;         /* bodies for a force of the host's own */
    size_t keyed, celled;  /* bodies and cells of a tree */
    size_t field;          /* interactions of a field */
    double shared;         /* interactions of a step that all groups share */

    /* Bodies: */
    size_t units_apart;        /* from which on launches find the units, and not each group of the load by itself */
    size_t alone;              /* of a system that one group takes through many steps, at most */
    size_t own_few, own_items; /* work-items that a GPU has for a system: for that many bodies at most, and for more */
    size_t gpu_tile;           /* of a tree, to a work-item of a GPU: it finds the cells which begin with them */
    size_t core_tiles;         /* tiles of a tree to a core, */
    size_t least_tile;         /* and bodies in one of them */
    size_t worker_units;       /* units of work that a core's second worker needs to pay, */
    size_t worker_bodies;      /* likewise, bodies that attract, */
    size_t worker_bytes;       /* and bytes of all workers' sums, at most */
    size_t part_bytes;         /* up to which every place on the ring has a part of `pull`, unless one takes more */
    size_t core_groups; /* groups to a core, where there is much to do: the last one to end is then not much later */

    /* Seconds: */
    double pairs_launch; /* of a launch of pairs, at most, about */
    double walk_launch;  /* of a launch that walks a tree, at most */
    double field_launch; /* of a launch of a field, at most */
    double core_start;   /* that the two launches of an evaluation cost for each core of a CPU */
    double kick;         /* that they cost besides an evaluation's work, */
    double advanced;     /* and an evaluation in a launch that does many */
    double step, body;   /* that a step of an own kernel costs besides its forces, and for each body and evaluation */
    double wide_body;    /* interactions that take as long as what is done for a body besides */
    double exact;        /* interactions with an exact root, a pair met twice, that take as long as one of `rate` */
} nbody_tuning;

const nbody_tuning *nbody_tuned(const lun_device *device);
