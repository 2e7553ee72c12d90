/* Signals cut into frames: what their transforms and the way back share. */
#pragma once

#include "op/fft/signal.h"

typedef struct framing {
    size_t n, hop, count; /* numbers of a frame, from one to the next, and frames of a line */
    bool center; /* half a frame is put at both ends, so that the first frame has the first number in its middle */
    signal_window named;
    bool plain;        /* all of the window is 1 */
    lun_array *window; /* n real numbers, once frames_window has made it; as it was given, or of the request's own */
} framing;

/* The options `window`, `n`, `hop` and `center`. `n` is the window's length where that is an array, else `missing`; 0: it must be there. */
lun_status frames_read(framing *out, const lun_request *r, size_t missing, lun_error *err);
/* Makes the window, of that dtype, unless it is plain. */
lun_status frames_window(framing *f, composing *c, lun_dtype dtype, lun_error *err);

/* The frames of a line, which is the last axis, as they lie in it. */
lun_array frames_view(const lun_array *line, const framing *f);
