/* Steps of transforms, as the plans of lines have them. */
#pragma once

#include "op/fft/fft.h"

#define FFT_STEPS 8

/* A set of neighbours or of places: their number, and how far apart they are. */
typedef struct fft_around {
    size_t size;
    int64_t in, out, from, to, by;
} fft_around;

/* A line's way through its steps. */
typedef struct fft_form {
    plan *p;
    const fft_way *way;
    const fft_line *line;
    size_t core; /* numbers that are transformed: a line's, or half as many pairs, or Bluestein's padded line */
    bool halved, bluestein;
    bool packed; /* does the input lie packed in its own memory, which is scratch memory, too? */
    size_t lengths[FFT_STEPS], count;
    fft_around batch[LUN_MAX_AXES];    /* strides of the other axes in the arrays */
    int64_t lines[LUN_MAX_AXES], unit; /* and in scratch memory, where a line's numbers are `unit` apart */
    int batch_count, lane;             /* which of them has the lines side by side; -1: none */
    lun_block *scratch;
} fft_form;

static inline bool is_pairs(const lun_array *a) { return lun_dtype_has(a->dtype, LUN_PAIRS); }

/* The step's lines: those of the other axes, where `in` and `out` say whether they lie in the arrays, not in scratch memory;
 * and `more` within each line, of which the `lane`-th has the lines side by side unless an axis has. */
void fft_lay_lines(fft_step *s, const fft_form *f, bool in, bool out, const fft_around *more, size_t more_count,
                   size_t lane);
/* How the first step reads: `apart` positions between its numbers. */
void fft_read_input(fft_step *s, const fft_form *f, int64_t apart);
/* How the last step writes. Numbers of pairs that are unpacked later are written as they are: *later. */
void fft_write_output(fft_step *s, const fft_form *f, int64_t apart, bool *later);
/* Finds the step's tables, and appends it. `turned`: the length whose roots turn its numbers; `in` and `out` as fft_lay_lines has them. */
lun_status fft_add_step(fft_form *f, fft_step *s, size_t turned, bool in, bool out, double scale, lun_error *err);
