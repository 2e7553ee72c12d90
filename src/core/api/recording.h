/* A part of lunarray.h: recordings of what devices run for a host, with times.
 *
 *     lun_recording_start(&recording, system, false, &err);
 *     ...                                                    calls of the core, as usual
 *     lun_device_drain(&done, device, seconds, &err);        for each device: waits for the end of what was enqueued
 *     lun_recording_stop(recording);
 *     for (i = 0; lun_recording_row(&row, recording, i); i++) ...
 *     lun_recording_free(recording);
 *
 * Recording never makes a call fail: if memory is short, entries are left out and counted. */
#pragma once

#include "device.h"

typedef struct lun_recording lun_recording;

/* The times of one operation, called at one place of the host's program, or of one of its commands: a kernel, or a
 * transfer by its name, "copy", "read", "write", "map", "unmap". The recording owns the texts. */
typedef struct lun_recorded {
    lun_device *device;    /* borrowed of the system, */
    size_t position;       /* and its position there, from 0 */
    const char *operation; /* "program" for programs compiled outside of operations */
    const char *command;   /* "": the operation itself; only this row has host time, waits and compilers */
    const char *place;     /* as last set by lun_recording_place; "" if not set */
    uint64_t calls;        /* of the operation; runs of the command */
    uint64_t bytes;        /* of an operation: from the first to the last element of what its calls read and write */
    double on_device;      /* seconds that the commands ran for, */
    double at_once;        /* of which a core of the host itself was at work, for the companion and some transfers */
    double starting;       /* seconds between when a command could have begun, after the commands before it, and when it
                      * began */
    double on_host;        /* seconds in calls of the core, without the ones below */
    double waiting;        /* seconds that the host waited for its end, */
    double compiling;      /* and for compilers */
    uint64_t built;        /* programs compiled */
} lun_recorded;

/* Starts recording the devices of the system, open or not. `spans`: also keeps each command, call, wait and compilation
 * separately, for lun_recording_write. LUN_MISUSE while another recording of that system is running. */
lun_status lun_recording_start(lun_recording **out, lun_system *system, bool spans, lun_error *err);
/* The running recording, or NULL. */
lun_recording *lun_system_recording(const lun_system *system);
/* Sets the position of the host's program, "file:line"; copied. */
void lun_recording_place(lun_recording *recording, const char *place);
/* Stops recording, and reads the times of commands that have ended. May be called twice; the system must still
 * exist. */
void lun_recording_stop(lun_recording *recording);
void lun_recording_free(lun_recording *recording); /* also stops it; NULL: does nothing */
bool lun_recording_row(lun_recorded *out, const lun_recording *recording, size_t position); /* false after the last */
double lun_recording_seconds(const lun_recording *recording);                               /* from start to stop */
/* The number of commands without times: they had not ended, had failed, or there was no memory. */
uint64_t lun_recording_lost(const lun_recording *recording);
/* Writes the spans of a stopped recording in the Trace Event Format: JSON that browsers and Perfetto show. LUN_IO
 * where the file cannot be written. */
lun_status lun_recording_write(const lun_recording *recording, const char *path, lun_error *err);
