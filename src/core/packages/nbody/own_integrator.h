/* Integrators with kernels of their own: what systems.c and wide.c have in common. */
#pragma once

#include "packages/nbody/nbody_run.h"

/* The whole state of a run between two slices: with the run's bodies it is all that later steps depend on. */
typedef struct own_state {
    lun_array
        arrays; /* systems x arrays of the kernel file x 3 x size: abi/nbody.h says which of them outlive a step */
    lun_array clocks; /* systems x NBODY_CLOCK */
    lun_array report; /* of the device */
    double adaptive;  /* 0: steps are as long as dt */
    uint64_t heard;   /* slices whose outcome the host has read */
    bool goes_on;     /* where a run before has ended, which has handed its arrays and clocks on */
} own_state;

/* `report`: its numbers. */
lun_status own_init(own_state *s, lun_nbody *run, size_t report, lun_error *err);
void own_clear(own_state *s);
/* Notes that an operation uses all of it. */
lun_status own_uses(const own_state *s, operation *op, lun_error *err);

/* A launch; `tail` are the arguments behind those that all kernels have. */
#define OWN_ARGS 10
#define OWN_TAIL 8
lun_status own_plan(plan *out, const own_state *s, const lun_nbody *run, const char *name, size_t groups,
                    const launch_arg *tail, size_t tail_count, lun_error *err);
/* Takes over what the run before has left: its clocks then count the intervals of this run. */
lun_status own_plan_resume(plan *out, const own_state *s, const lun_nbody *run, lun_error *err);
/* What was reported in the last slice, unless it has not ended; raises where a system is in trouble. Waits a moment at most. */
lun_status own_read_report(bool *ready, double *report, own_state *s, const lun_nbody *run, lun_error *err);
