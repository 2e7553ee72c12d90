/* Recordings: the total times of operations and their commands, by name, and each single span if needed. */
#include "base/error.h"
#include "device/recording_room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FIRST_SWEEP 256

/* A command whose times are not known yet. */
typedef struct pending {
    cl_event event;
    uint32_t row;
    unsigned device, queue;
    size_t span;
    bool waits;           /* for another queue */
    double before, after; /* on the host's clock: it was enqueued between */
} pending;

double recording_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the times of commands ---------------------------------------------------------------------------------------- */

enum { QUEUED, SUBMITTED, STARTED, ENDED, MOMENTS };

static bool read_times(double *out, cl_event event)
{
    static const cl_profiling_info asked[MOMENTS] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                                     CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    for (int i = 0; i < MOMENTS; i++) {
        cl_ulong ns;
        if (clGetEventProfilingInfo(event, asked[i], sizeof ns, &ns, NULL) != CL_SUCCESS)
            return false;
        out[i] = 1e-9 * (double)ns;
    }
    return out[ENDED] >= out[STARTED];
}

/* The end of the previous command in its queue, which this command's end replaces; 0: there was none. */
static double next_end(lun_recording *r, const pending *p, double end)
{
    queue_end *list = r->ends.items;
    size_t i = 0;
    while (i < r->ends.count && (list[i].device != p->device || list[i].queue != p->queue))
        i++;
    queue_end *own = i < r->ends.count ? &list[i] : recording_grow(r, &r->ends);
    if (!own)
        return 0;
    const double before = own->at;
    *own = (queue_end){p->device, p->queue, end};
    return before;
}

/* Reads the times of a command that has ended. */
static void take_times(lun_recording *r, const pending *p)
{
    double at[MOMENTS];
    if (!read_times(at, p->event)) {
        r->lost++;
        return;
    }
    const double queued = at[QUEUED], from = at[STARTED], to = at[ENDED];
    row *of = (row *)r->rows.items + p->row;
    of->sums.on_device += to - from;
    if (p->before - queued > r->earliest[p->device])
        r->earliest[p->device] = p->before - queued;
    if (p->after - queued < r->latest[p->device])
        r->latest[p->device] = p->after - queued;
    const double before = next_end(r, p, to), ready = before > at[SUBMITTED] ? before : at[SUBMITTED];
    if (!p->waits && from > ready)
        of->sums.starting += from - ready;
    if (p->span == NO_SPAN)
        return;
    span *shown = (span *)r->spans.items + p->span;
    shown->from = from;
    shown->to = to;
    shown->known = true;
}

/* Reads the times of the commands that have ended; `all`: drops the others. PoCL 3.1 uses a failed event again without
 * holding a reference (flow/ticket.c), so such events are never released. */
static void sweep(lun_recording *r, bool all)
{
    pending *list = r->pending.items;
    size_t kept = 0;
    for (size_t i = 0; i < r->pending.count; i++) {
        cl_int state = CL_QUEUED;
        const cl_int code =
            clGetEventInfo(list[i].event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
        const bool failed = code != CL_SUCCESS || state < 0;
        if (!failed && state > CL_COMPLETE && !all) {
            list[kept++] = list[i];
            continue;
        }
        if (!failed && state == CL_COMPLETE)
            take_times(r, &list[i]);
        else
            r->lost++;
        if (!failed)
            clReleaseEvent(list[i].event);
    }
    r->pending.count = kept;
    r->sweep_at = 2 * kept + FIRST_SWEEP;
}

/* ---- what happens --------------------------------------------------------------------------------------------------- */

/* Adds the program to the row of the operation, and to that of its kernel file. */
static void take_build(lun_recording *r, lun_device *device, const char *operation, const early_build *b)
{
    row *of, *file;
    (void)recording_row(&of, r, device, operation, "");
    if (of) {
        of->sums.compiling += b->seconds;
        of->sums.built++;
    }
    char name[64];
    snprintf(name, sizeof name, "%s%s", b->name, b->own ? "" : ".cl");
    const uint32_t at = recording_row(&file, r, device, operation, name);
    if (!file)
        return;
    file->sums.compiling += b->seconds;
    file->sums.built++;
    recording_span(
        r, &(span){.kind = SPAN_BUILD, .row = at, .from = b->start, .to = b->start + b->seconds, .known = true});
}

static void take_early(lun_recording *r, lun_device *device, const char *operation)
{
    for (unsigned i = 0; i < r->early_count; i++)
        take_build(r, device, operation, &r->early[i]);
    r->early_count = 0;
}

void recording_built(lun_device *device, const char *file, double start)
{
    lun_recording *r = device->recording;
    if (!r || start == 0)
        return;
    const early_build b = {file ? file : "source", start, recording_clock() - start, !file};
    r->claimed += b.seconds;
    if (r->current || !file || r->early_count == EARLY_BUILDS)
        take_build(r, device, r->current ? r->current : "program", &b);
    else
        r->early[r->early_count++] = b;
}

void recording_call_begin(recorded_call *out, lun_device *device, const char *name)
{
    lun_recording *r = device->recording;
    *out = (recorded_call){.of = r, .claimed = r->claimed, .first_span = r->spans.count};
    r->current = name;
    r->depth++;
    out->start = recording_clock();
}

void recording_call_end(recorded_call *call, lun_device *device, const char *name, uint64_t bytes)
{
    lun_recording *r = device->recording;
    row *of;
    if (!call->of || call->of != r)
        return;
    call->of = NULL;
    const double now = recording_clock(), own = now - call->start - (r->claimed - call->claimed);
    r->claimed += own;
    r->current = --r->depth ? r->current : NULL;
    const uint32_t at = recording_row(&of, r, device, name, "");
    if (!of)
        return;
    of->sums.calls++;
    of->sums.on_host += own;
    of->sums.bytes += bytes;
    take_early(r, device, name);
    recording_span(
        r, &(span){.kind = SPAN_CALL, .row = at, .from = call->start, .to = now, .bytes = bytes, .known = true});
}

static void take_command(lun_recording *r, lun_device *device, const recorded_command *c, const char *name)
{
    row *of;
    const uint32_t at = recording_row(&of, r, device, c->operation, name);
    if (!of)
        return;
    const double now = recording_clock();
    of->sums.calls++;
    span shown = {.kind = SPAN_COMMAND, .row = at, .queue = c->queue};
    if (!c->event) {
        of->sums.on_device += now - c->start;
        of->sums.at_once += now - c->start;
        r->claimed += now - c->start;
        shown.from = c->start;
        shown.to = now;
        shown.known = true;
        recording_span(r, &shown);
        return;
    }
    pending *made = recording_grow(r, &r->pending);
    if (!made)
        return;
    clRetainEvent(c->event);
    shown.on_device = true;
    *made = (pending){.event = c->event,
                      .row = at,
                      .device = of->device,
                      .queue = c->queue,
                      .waits = c->waits,
                      .before = c->start,
                      .after = now};
    made->span = recording_span(r, &shown);
    if (r->pending.count >= r->sweep_at)
        sweep(r, false);
}

void recording_command(lun_device *device, const recorded_command *c)
{
    lun_recording *r = device->recording;
    char name[256] = "";
    if (!r || c->start == 0)
        return;
    if (c->kernel && clGetKernelInfo(c->kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL) != CL_SUCCESS)
        strcpy(name, "a kernel"); /* whose name is longer */
    take_command(r, device, c, c->kernel ? name : c->command);
}

void recording_ticket(const recorded_call *call, lun_device *device, unsigned queue, uint64_t serial)
{
    lun_recording *r = device->recording;
    if (!r || call->of != r)
        return;
    for (size_t i = call->first_span; i < r->spans.count; i++) {
        span *each = (span *)r->spans.items + i;
        if (each->kind == SPAN_COMMAND && each->queue == queue && !each->serial)
            each->serial = serial;
    }
}

void recording_edge(const recorded_call *call, const lun_device *device, unsigned queue, uint64_t serial)
{
    lun_recording *r = device->recording;
    if (!r || call->of != r)
        return;
    size_t to = call->first_span;
    while (to < r->spans.count && ((const span *)r->spans.items)[to].kind != SPAN_COMMAND)
        to++;
    edge *made = to < r->spans.count ? recording_grow(r, &r->edges) : NULL;
    if (made)
        *made = (edge){recording_position(r, device), queue, serial, to};
}

/* A part of the host's time that is not attributed to a call. */
static row *claim(uint32_t *at, lun_device *device, const char *name, double start, double *seconds)
{
    lun_recording *r = device->recording;
    row *of;
    if (!r || start == 0)
        return NULL;
    *seconds = recording_clock() - start;
    r->claimed += *seconds;
    *at = recording_row(&of, r, device, name, "");
    return of;
}

void recording_waited(lun_device *device, const char *name, double start)
{
    uint32_t at = 0;
    double seconds = 0;
    row *of = claim(&at, device, name, start, &seconds);
    if (!of)
        return;
    of->sums.waiting += seconds;
    recording_span(device->recording,
                   &(span){.kind = SPAN_WAIT, .row = at, .from = start, .to = start + seconds, .known = true});
}

/* ---- for hosts -------------------------------------------------------------------------------------------------------- */

static lun_status allocate(lun_recording **out, size_t devices, lun_error *err)
{
    lun_recording *made = calloc(1, sizeof *made);
    if (made)
        made->earliest = calloc(2 * devices + 1, sizeof *made->earliest);
    *out = made;
    if (!made || !made->earliest)
        return fail(err, LUN_NO_MEMORY, "out of host memory for a recording");
    made->latest = made->earliest + devices;
    for (size_t i = 0; i < devices; i++) {
        made->earliest[i] = -1e300;
        made->latest[i] = 1e300;
    }
    made->device_count = devices;
    made->sweep_at = FIRST_SWEEP;
    made->names.bytes = sizeof(char *);
    made->rows.bytes = sizeof(row);
    made->pending.bytes = sizeof(pending);
    made->spans.bytes = sizeof(span);
    made->edges.bytes = sizeof(edge);
    made->ends.bytes = sizeof(queue_end);
    (void)recording_number(made, "");
    return made->names.count ? LUN_OK : fail(err, LUN_NO_MEMORY, "out of host memory for a recording");
}

lun_status lun_recording_start(lun_recording **out, lun_system *system, bool spans, lun_error *err)
{
    lun_status status = LUN_OK;
    const size_t devices = lun_system_count(system);
    *out = NULL;
    if (lun_system_recording(system))
        FAIL_DONE(LUN_MISUSE, "a profile or a trace is already being recorded; only one at a time is possible");
    TRY_DONE(allocate(out, devices, err));
    (*out)->system = system;
    (*out)->spans_wanted = spans;
    (*out)->started = recording_clock();
    for (size_t i = 0; i < devices; i++)
        lun_system_device(system, i)->recording = *out;
done:
    if (status != LUN_OK) {
        lun_recording_free(*out);
        *out = NULL;
    }
    return status;
}

lun_recording *lun_system_recording(const lun_system *system)
{
    return lun_system_count(system) ? lun_system_device(system, 0)->recording : NULL;
}

void lun_recording_place(lun_recording *recording, const char *place)
{
    recording->place = recording_number(recording, place);
}

void lun_recording_stop(lun_recording *r)
{
    if (!r->system)
        return;
    r->stopped = recording_clock();
    take_early(r, lun_system_device(r->system, 0), "program");
    if (r->device_count && !device_in_child(lun_system_device(r->system, 0)))
        sweep(r, true);
    for (size_t i = 0; i < r->device_count; i++)
        lun_system_device(r->system, i)->recording = NULL;
    r->system = NULL;
}

void lun_recording_free(lun_recording *r)
{
    if (!r)
        return;
    lun_recording_stop(r);
    for (size_t i = 0; i < r->names.count; i++)
        free(((char **)r->names.items)[i]);
    grown *lists[] = {&r->names, &r->rows, &r->pending, &r->spans, &r->edges, &r->ends};
    for (size_t i = 0; i < COUNT(lists); i++)
        free(lists[i]->items);
    free(r->by_name.places);
    free(r->by_row.places);
    free(r->earliest);
    free(r);
}

bool lun_recording_row(lun_recorded *out, const lun_recording *r, size_t position)
{
    if (position >= r->rows.count)
        return false;
    const row *of = &recording_rows(r)[position];
    *out = of->sums;
    out->operation = recording_name(r, of->operation);
    out->command = recording_name(r, of->command);
    out->place = recording_name(r, of->place);
    return true;
}

double lun_recording_seconds(const lun_recording *r) { return r->stopped - r->started; }
uint64_t lun_recording_lost(const lun_recording *r) { return r->lost; }
