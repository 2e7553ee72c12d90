/* How a group of a GPU transforms lines: the radices of its passes, the work-items of a line, and the lines. */
#include "op/fft/gpu_shape.h"

/* Those that the kernel has. */
static const unsigned char radices[] = {32, 28, 25, 24, 21, 20, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2};

typedef struct search {
    const fft_tuning *tuning;
    size_t n, most_held;
    double cost;
    fft_gpu_shape now, best;
} search;

/* What the passes cost, in passes of which no work-item is idle; of equal ones the least radices are the best. */
static void weigh(search *s, size_t items)
{
    double cost = 0;
    size_t held = 0;
    for (size_t i = 0; i < s->now.passes; i++) {
        const size_t numbers = ceil_div(s->n / s->now.radices[i], items) * s->now.radices[i];
        held = larger(held, numbers);
        cost += (double)(numbers * items) / (double)s->n + 1e-3 * s->now.radices[i];
    }
    if (held > s->tuning->gpu_held)
        cost *= s->tuning->gpu_heavy;
    if (items > s->tuning->gpu_items || held > s->most_held || cost >= s->cost)
        return;
    s->cost = cost;
    s->best = s->now;
    s->best.items = items;
    s->best.held = held;
}

/* Radices that do not grow. */
static void try_radices(search *s, size_t rest, size_t from)
{
    for (size_t i = 0; i < s->now.passes && rest == 1; i++)
        for (size_t each = 1; each <= 4; each++) {
            const size_t items = ceil_div(s->n / s->now.radices[i], each);
            if (items >= 4 || s->n < 16)
                weigh(s, items);
        }
    const size_t most = radices[from], more = rest == 1 ? 0 : rest <= most ? 1 : rest <= most * most ? 2 : 3;
    if (rest == 1 || (double)(s->now.passes + more) >= s->cost)
        return;
    for (size_t i = from; i < sizeof radices; i++)
        if (rest % radices[i] == 0) {
            s->now.radices[s->now.passes++] = radices[i];
            try_radices(s, rest / radices[i], i);
            s->now.passes--;
        }
}

/* The key has the length and the tuning's address. */
static lun_status make_passes(void *data, const table_key *key, lun_error *err)
{
    (void)err;
    const fft_tuning *t = (const fft_tuning *)key->of[1];
    fft_gpu_shape *out = data;
    search s = {
        .tuning = t, .n = key->of[0], .most_held = t->gpu_held * (key->dtype == LUN_c64 ? 2 : 1), .cost = FFT_RADICES};
    s.best = (fft_gpu_shape){.radices = {1}, .passes = 1, .items = 1, .held = 1};
    if (s.n > 1)
        try_radices(&s, s.n, 0);
    *out = s.best;
    for (size_t i = 0; i < out->passes; i++)
        out->padded |= out->radices[i] % 8 == 0;
    return LUN_OK;
}

static size_t part_bytes(lun_dtype dtype) { return lun_dtype_bytes(dtype) / 2; }

/* Of `lines`, one component, as fft_gpu.cl lays it. */
static size_t local_bytes(lun_dtype dtype, size_t n, size_t lines)
{
    return lines * (n + n / 16 + 1) * part_bytes(dtype);
}

/* Some of local memory is the driver's. */
static size_t local_room(const lun_device *device) { return (size_t)device->info.local_memory / 4 * 3; }

size_t fft_gpu_longest(const lun_device *device, lun_dtype dtype)
{
    return dtype == LUN_c128 ? fft_tuned(device)->gpu_longest_c128 : fft_tuned(device)->gpu_longest_c64;
}

lun_status fft_gpu_shape_for(fft_gpu_shape *out, lun_device *device, lun_dtype dtype, size_t n, bool across,
                             size_t lanes, size_t places, lun_error *err)
{
    const fft_tuning *t = fft_tuned(device);
    const size_t room = local_room(device), wide = t->gpu_wide / lun_dtype_bytes(dtype);
    const void *passes;
    TRY(table_find_here(&passes, device, &(table_key){make_passes, dtype, sizeof *out, {n, (size_t)t}}, err));
    *out = *(const fft_gpu_shape *)passes;
    size_t lines = larger(1, t->gpu_group / out->items);
    if (across)
        lines = larger(lines, smaller(wide, t->gpu_items / out->items));
    while (lines > 1 && local_bytes(dtype, n, lines) * (lines * out->items > t->gpu_group ? 1 : 2) > room)
        lines--;
    lines = smaller(lines, lanes);
    while (lines > (across ? wide / 4 : 1) && ceil_div(lanes, lines) * places < device->info.units)
        lines = ceil_div(lines, 2);
    out->lines = lines;
    out->together = 2 * local_bytes(dtype, n, lines) <= room;
    out->parts = ceil_div(local_bytes(dtype, n, lines), room);
    return LUN_OK;
}
