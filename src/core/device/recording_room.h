/* The contents of a recording: for recording.c and recording_trace.c. */
#pragma once

#include "device/recording.h"

typedef enum span_kind { SPAN_CALL, SPAN_COMMAND, SPAN_WAIT, SPAN_BUILD } span_kind;

typedef struct span {
    span_kind kind;
    uint32_t row;
    unsigned queue;
    uint64_t serial; /* of a command's operation; 0: unknown */
    double from, to; /* of a command with an event on the device's clock */
    uint64_t bytes;
    bool on_device; /* that clock is the device's */
    bool known;     /* from and to are */
} span;

typedef struct edge {
    unsigned device, queue; /* the operation that is waited for */
    uint64_t serial;
    size_t to; /* the span that waits */
} edge;

/* When the last command of a queue ended, on the device's clock. */
typedef struct queue_end {
    unsigned device, queue;
    double at;
} queue_end;

/* A program that was compiled before its operation began. */
typedef struct early_build {
    const char *name;
    double start, seconds;
    bool own; /* a text of the user's */
} early_build;
#define EARLY_BUILDS 8

typedef struct row {
    uint32_t device, operation, command, place; /* which device; numbers of names */
    lun_recorded sums;
} row;

/* A list that grows. */
typedef struct grown {
    void *items;
    size_t count, room, bytes;
} grown;

/* Positions in a list by the hash of the item: 0 is none, else the position plus one. */
typedef struct finder {
    uint32_t *places;
    size_t room; /* a power of 2, more than twice the list's length */
} finder;

struct lun_recording {
    lun_system *system; /* NULL: it has stopped */
    bool spans_wanted;
    double started, stopped;
    double claimed;      /* seconds of the host that calls, waits and compilers have been counted for */
    const char *current; /* the current operation; NULL: none */
    unsigned depth;      /* how many are */
    uint32_t place;
    uint64_t lost;
    size_t sweep_at; /* the number of pending commands from which a check is worthwhile */
    grown names, rows, pending, spans, edges, ends;
    early_build early[EARLY_BUILDS];
    unsigned early_count;
    finder by_name, by_row;
    double *earliest, *latest; /* for each device: bounds of the difference between the host's clock and its own */
    size_t device_count;
};

static inline const char *recording_name(const lun_recording *r, uint32_t name)
{
    return ((char *const *)r->names.items)[name];
}
static inline const row *recording_rows(const lun_recording *r) { return r->rows.items; }

/* Appends a zeroed item to the list; NULL: no memory, which is counted. */
void *recording_grow(lun_recording *r, grown *list);
/* The name's number; 0, for "", if there is no memory. */
uint32_t recording_number(lun_recording *r, const char *name);
unsigned recording_position(const lun_recording *r, const lun_device *device); /* among the system's devices, from 0 */
/* The position of the row of that operation and command at the host's current place; *out is NULL if there is no
 * memory. */
uint32_t recording_row(row **out, lun_recording *r, lun_device *device, const char *operation, const char *command);
#define NO_SPAN SIZE_MAX
/* Records a span, if spans are needed; NO_SPAN: not recorded. */
size_t recording_span(lun_recording *r, const span *what);
