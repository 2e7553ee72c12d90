/* The interface for writing operations: a room of op/ needs no other header of core, and neither does an operation
 * outside this repository.
 *
 * An operation with one plan is a function of lunarray.h that checks its arguments, declares the memory that it
 * touches, and passes a struct with its problem to the rows of its variants, which append launches to a plan (the head
 * of plan.h shows a complete one). It uses
 *     from base/      TRY, FAIL and CL; dtypes; shapes, strides and layouts
 *     from device/    `device->info`, type and size of work-groups; kernels by their program_key
 *     from memory/    block_memory for arguments; block_writes, which changes with every write to a block
 *     from op/        requests, by which hosts call it: functions that read arguments and options, and compositions,
 *                     which describe the results and make them;
 *                     operation_reads and _writes, scratch memory, plan_launch, plan_copy, verdicts, variants, tunings;
 *                     filling and sorting as parts of its own plan; tables of constants; array_check_...
 *                     (lunarray.h has the functions of arrays)
 * and does not depend on queues, events, tickets and failures: these need only the declared memory.
 *
 * An operation of many launches between which the host decides how to continue is a run: a struct of its own with four
 * functions, as in packages/nbody/nbody_run.c, which the host calls in turn.
 *     start    checks all arguments, allocates all memory of the steps (arrays of its own), and runs an operation that
 *              copies the inputs there. The caller's arrays are not touched again before the end.
 *     advance  runs one operation, a slice: launches of some 20 ms in all, at most 64, because they share a ticket.
 *              It plans with a copy of the run's progress, and keeps the copy once operation_run has succeeded, so that
 *              a refused slice can be requested again. If the next launches depend on results of the last ones, kernels
 *              leave these in a few numbers: advance checks with lun_array_await whether they are ready; if not, it
 *              returns with *more set, otherwise it reads them and decides. Between two slices the host allows
 *              interrupts.
 *     finish   runs the operation that completely writes the caller's arrays. A run that failed or was abandoned before
 *              has not changed them. The times of the caller's event begin with those of the first slice:
 *              call_event_since.
 *     free     may be called at any time; enqueued slices end by themselves, because they hold the memory that they
 *              touch. */
#pragma once

#include "call/compose.h"
#include "call/device_shares.h"
#include "memory/lent.h"
#include "op/fill.h"
#include "op/planning.h"
#include "op/radix.h"
#include "op/tables.h"

#define SLICE_SECONDS 0.02 /* of work in one slice of a run, about: the time within which a run can be interrupted */
#define SLICE_LAUNCHES 64  /* in one slice, at most: they share a ticket */

/* Makes the times of the call's event, if any, begin with those of an earlier operation of the same run. */
void call_event_since(const lun_call *call, const lun_event *earlier);
