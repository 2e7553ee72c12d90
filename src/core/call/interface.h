/* What an operation is written on: its room of op/ needs no other header of core, whether it is in this repository or not.
 *
 * An operation of one plan is a function of lunarray.h's that checks its arguments, says what it touches, and hands a problem of
 * its own to the rows of its variants, which append launches to a plan (the head of plan.h shows it whole). It gets
 *     from base/      TRY, FAIL and CL; dtypes; shapes, strides and layouts
 *     from device/    `device->info`, type and size of work-groups; kernels by their program_key
 *     from memory/    block_memory for arguments; block_writes, which changes when somebody has written to a block
 *     from op/        requests, by which hosts call it: functions that read arguments and options, and words, which say what the results
 *                     are, and make them;
 *                     operation_reads and _writes, scratch memory, plan_launch, plan_copy, verdicts, variants, tunings; filling
 *                     and sorting as parts of its own plan; tables of constants; array_check_... (lunarray.h has the functions of arrays)
 * and knows nothing of queues, events, tickets and failures: what it has touched is all that these need.
 *
 * An operation of many launches, in which the host decides how to go on, is a run: a struct of its own with four functions, as
 * those of packages/nbody/nbody_run.c, which its host calls in turn.
 *     start    checks all arguments, makes all the memory that the steps need (arrays of its own), and runs an operation that
 *              loads the inputs there. The caller's arrays are not touched again before the end.
 *     advance  runs one operation, a slice: as many launches as take some 20 ms, 64 at most, for they share a ticket.
 *              It plans with a copy of the run's progress and keeps the copy once operation_run has succeeded: after a
 *              refusal the same slice can be asked for again. Where the next launches depend on what the last ones have
 *              found, kernels leave that in a few numbers; advance looks with lun_array_await whether these are ready,
 *              returns with *more set if they are not, else reads them, and decides. Between two slices the host lets
 *              interrupts in.
 *     finish   runs the operation that writes the caller's arrays, whole. A run that failed or was left before has changed
 *              nothing of them. The caller's event begins with the first one's: call_event_since.
 *     free     at any time; slices that are under way end by themselves, as they hold what they touch. */
#pragma once

#include "call/compose.h"
#include "call/device_shares.h"
#include "memory/lent.h"
#include "op/fill.h"
#include "op/planning.h"
#include "op/radix.h"
#include "op/tables.h"

#define SLICE_SECONDS 0.02 /* of work that one slice of a run enqueues, about: a run can be left as fast */
#define SLICE_LAUNCHES 64  /* that one slice enqueues at most: they share a ticket */

/* Lets the times of the call's event, if it has one, begin with those of an earlier operation of the same run. */
void call_event_since(const lun_call *call, const lun_event *earlier);
