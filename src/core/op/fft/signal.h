/* Signals: what the files of the room share that are made of transforms. */
#pragma once

#include "call/compose.h"
#include "op/fft/fft.h"

/* ---- windows (window.c) ------------------------------------------------------------------------------------------------ */

typedef struct signal_window {
    size_t which, n;
    bool periodic;
    double parameter;
} signal_window;

/* The one of that name; LUN_MISUSE with all names. */
lun_status window_find(signal_window *out, const char *name, lun_error *err);
/* The option that such a window needs, `beta` or `std`; LUN_MISUSE for another's. */
lun_status window_read_parameter(signal_window *out, const lun_request *r, lun_error *err);
const char *window_wants(const signal_window *w); /* that option's name, or NULL */
bool window_is_plain(const signal_window *w);     /* is it 1 everywhere? */
/* Writes its n numbers to a new array. */
lun_status window_write(const lun_array *out, const signal_window *w, const char *name, const lun_call *call,
                        lun_error *err);
