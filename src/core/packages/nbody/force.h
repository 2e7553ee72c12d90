/* Forces: how the accelerations of bodies, or their fields, are computed on a device. The variants of nbody, gravity and
 * energy are its rows. */
#pragma once

#include "call/interface.h"
#include "packages/nbody/bodies.h"

typedef struct force force;

#define FORCE_KEPT 8 /* arrays that a row may keep */

/* The stages of a step, each a kick and a drift, for many steps in one launch. */
typedef struct force_factors {
    double kick[NBODY_FACTORS], drift[NBODY_FACTORS];
    uint64_t again; /* bits: the stages that have the accelerations of the one before */
    size_t count;
} force_factors;

/* A row of the table of variants fills this in. It points into itself and to the bodies: both stay where they are. */
struct force {
    const bodies *of;
    double softening, G, accuracy;
    program_key
        program; /* its kernels and those of the bodies; found anew for each plan, as programs may leave the cache */
    char defines[200];
    const char *kernel; /* that `evaluate` or `advance` launches */
    size_t items;       /* work-items in a group of that kernel and of nbody_field; 0: an item is a core's loop */
    size_t targets;     /* of nbody_field, that a group has */
    size_t at_once;     /* bodies that a group keeps while the others come by */
    double rate;        /* interactions a second that a compute unit does */
    double seconds;     /* that an evaluation takes; 0: as long as its interactions at the rate */
    size_t units;       /* of work in an evaluation of all accelerations of a system, alike */
    size_t least, most; /* units that a launch takes, but for the last of an evaluation */
    size_t parts;       /* that a body's acceleration is in: each is three arrays of a system's `pull` */
    size_t span;        /* places of the ring that a group takes (pairs) */
    lun_array pull;     /* systems x parts x 3 x size; made by whoever runs the force */
    lun_array kept[FORCE_KEPT]; /* what the row itself keeps from launch to launch; made by its plan */

    /* Plans what comes before the first unit of an evaluation; NULL: nothing does. */
    lun_status (*prepare)(plan *out, const force *f, lun_error *err);
    /* Plans a launch of the units first .. first+count-1 of an evaluation of one system, which leaves its sums in `pull`. */
    lun_status (*evaluate)(plan *out, const force *f, cl_kernel kernel, size_t system, size_t first, size_t count,
                           lun_error *err);
    /* Or else plans a launch that does many stages of all systems, of whole steps, with their evaluations. */
    lun_status (*advance)(plan *out, const force *f, cl_kernel kernel, const force_factors *factors, uint64_t stages,
                          lun_error *err);
    /* Plans acceleration and potential of that many bodies from `first` on, a row of dst each; NULL: nbody_field does. */
    lun_status (*field)(plan *out, const force *f, const lun_array *dst, size_t first, size_t rows, lun_error *err);
};

/* What rows are chosen and planned by. A row's plan makes `out` and finds its kernels; it appends no command. */
typedef struct force_problem {
    const bodies *of;
    double softening, G;
    double accuracy;                   /* 0: that of the direct sum */
    bool fields;                       /* accelerations and potentials are needed for the user, not steps: */
    size_t first_target, target_count; /* of these rows of bodies of each system */
    bool named;                        /* the caller names the row */
    size_t shares;                     /* 0, or an evaluation is in that many, one at a time */
    bool forced;                       /* something else accelerates the bodies too: `advance` is of no use */
    const char *own; /* the file of an integrator that has kernels of its own for whole systems, or NULL */
    bool wide;       /* of which all groups share a system */
    force *out;
} force_problem;

/* ---- for those who use forces ---------------------------------------------------------------------------------- */

/* The file of nbody_field for rows of GPUs: tiles of as many bodies as `items`, which pull `targets`. */
#define FORCE_FIELDS "nbody_plain"

lun_status force_check_options(const lun_gravity_options *options, lun_error *err);
/* Appends a look at the bodies and points, which gives the operation its verdict where no tree takes them (tree.c). */
lun_status tree_plan_check(plan *p, const bodies *b, lun_error *err);
/* Notes that an operation uses what the force keeps. */
lun_status force_uses(operation *op, const force *f, lun_error *err);
void force_clear(force *f); /* at any time; zeroed memory is fine */
lun_status force_kernel(cl_kernel *out, const force *f, lun_device *device, const char *name, lun_error *err);
/* How many an evaluation of all accelerations of a system has. */
double force_interactions(const bodies *b);
/* Nanoseconds that one core of a CPU takes for that many evaluations of all systems. */
double force_weight(const bodies *b, const lun_device *device, double evaluations);
/* Seconds that the whole device takes for an evaluation of all accelerations of a system. */
double force_seconds(const force *f, const lun_device *device);

/* ---- for the rows ------------------------------------------------------------------------------------------------ */

/* What all rows say alike; `file` has the kernels that are needed. The row adds its own defines, at most 110 characters. */
void force_init(force *out, const variant *row, const force_problem *p, const char *file);
void force_define(force *f, const char *name, size_t value);
/* So that a compiler's refusal shows while the row is planned. */
lun_status force_find_kernels(force *f, const force_problem *p, lun_device *device, lun_error *err);

/* The kernel of an integrator's file that does most of the work. */
const char *force_own_kernel(const force_problem *p);
/* Is the problem that of an integrator with kernels of its own? */
bool force_is_own(const force_problem *p);
/* Plans such a problem: a group of that many items takes a system, and does `rate` interactions a second. */
lun_status force_own_plan(plan *out, const variant *row, const force_problem *p, size_t items, double rate,
                          lun_error *err);

/* A force's `advance` by one group to a system. */
lun_status force_advance_alone(plan *out, const force *f, cl_kernel kernel, const force_factors *factors,
                               uint64_t stages, lun_error *err);

#define FORCE_ROW(name)                                                                                                \
    bool force_##name##_applies(const lun_device *device, const void *problem);                                        \
    lun_status force_##name##_plan(plan *out, const variant *row, const void *problem, lun_error *err)

FORCE_ROW(tree_cpu);
FORCE_ROW(tree_gpu);
FORCE_ROW(small);
FORCE_ROW(cpu);
FORCE_ROW(few);
FORCE_ROW(pairs);
FORCE_ROW(gpu);
FORCE_ROW(plain);
