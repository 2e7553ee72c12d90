/* A part of lunarray.h: recordings of what devices run for a host, and how long that takes.
 *
 *     lun_recording_start(&recording, system, false, &err);
 *     ...                                                    calls of the core, as ever
 *     lun_device_drain(&done, device, seconds, &err);        of each device: the end of what was enqueued
 *     lun_recording_stop(recording);
 *     for (i = 0; lun_recording_row(&row, recording, i); i++) ...
 *     lun_recording_free(recording);
 *
 * Recording never makes a call fail: what there is no memory for is left out, and counted. */
#pragma once

#include "device.h"

typedef struct lun_recording lun_recording;

/* What one operation did when it was called at one place of the host's program; or what one of its commands did: a kernel, or
 * a transfer by its name, "copy", "read", "write", "map", "unmap". Texts are the recording's. */
typedef struct lun_recorded {
    lun_device *device;    /* borrowed of the system, */
    size_t position;       /* and which one it is there, from 0 */
    const char *operation; /* "program" where programs were compiled outside of any */
    const char *command;   /* "": the operation itself; its host time, waits and compilers are here alone */
    const char *place;     /* as lun_recording_place was given last; "" where it was given nothing */
    uint64_t calls;        /* of the operation; runs of the command */
    uint64_t bytes;        /* of an operation: from the first to the last element of what its calls read and write */
    double on_device;      /* seconds that the commands ran for, */
    double at_once;  /* of which a core of the host itself was at work, as the companion's and some transfers have it */
    double starting; /* seconds in which a command could have run, by what was enqueued before, and had not begun */
    double on_host;  /* seconds in calls of the core, without the others here */
    double waiting;  /* seconds that the host waited for its end, */
    double compiling; /* and for compilers */
    uint64_t built;   /* programs compiled */
} lun_recorded;

/* Records from now on what the devices of the system do, whether they are open or not. `spans`: each command, call, wait and
 * compilation for itself too, for lun_recording_write. LUN_MISUSE while another recording of that system goes on. */
lun_status lun_recording_start(lun_recording **out, lun_system *system, bool spans, lun_error *err);
/* The recording that goes on, or NULL. */
lun_recording *lun_system_recording(const lun_system *system);
/* Where the host's program is, "file:line"; copied. */
void lun_recording_place(lun_recording *recording, const char *place);
/* Records no more, and takes the times of commands that have ended. May be called twice; the system must live. */
void lun_recording_stop(lun_recording *recording);
void lun_recording_free(lun_recording *recording); /* stops it, too; NULL: does nothing */
bool lun_recording_row(lun_recorded *out, const lun_recording *recording, size_t position); /* false behind the last */
double lun_recording_seconds(const lun_recording *recording);                               /* from start to stop */
/* Commands whose times are not known: they had not ended, have failed, or there was no memory. */
uint64_t lun_recording_lost(const lun_recording *recording);
/* Writes the spans of a stopped recording in the Trace Event Format: JSON that browsers and Perfetto show. LUN_IO
 * where the file cannot be written. */
lun_status lun_recording_write(const lun_recording *recording, const char *path, lun_error *err);
