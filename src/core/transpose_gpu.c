/* Transposing on GPUs: tiles through local memory, of vectors where both sides are aligned, else of words. */
#include "transpose.h"

#include <stdio.h>
#include <string.h>

#define SECTOR 32 /* bytes that a GPU's memory moves together */

/* A tile and how a group does it; found on an H200, bench/NOTES.md has the steps. */
typedef struct tile {
    size_t rows, columns, step; /* of dst's lines; of src's rows, and of those how many a group does in all */
    size_t wide, deep;          /* a group's items */
    char defines[200];
} tile;

/* By the bytes of an item, as in transpose_vector.cl. */
static const struct vector_tile {
    size_t length, wide, deep, each, band;
} vector_tiles[9] = {
    [1] = {2, 32, 8, 2, 1},
    [2] = {4, 16, 16, 1, 1},
    [4] = {4, 16, 16, 1, 1},
    [8] = {2, 16, 16, 2, 64},
};

/* By the bytes of an item, as in transpose_gpu.cl. */
static const struct word_tile {
    size_t rows, wide, deep, band, steps;
} word_tiles[9][2] = {
    /* all lines begin on a sector: no, yes */
    [1] = {{256, 32, 8, 1, 2}, {128, 64, 4, 1, 1}},
    [2] = {{128, 32, 8, 1, 2}, {128, 64, 4, 1, 1}},
    [4] = {{64, 64, 4, 1, 1}, {64, 64, 4, 1, 1}},
    [8] = {{64, 32, 4, 1, 1}, {64, 32, 8, 1, 1}},
};

static size_t item_bytes(const transpose_problem *p) { return lun_dtype_bytes(p->dst->dtype); }

/* Do all lines of dst begin on a sector, and all rows of src on so many bytes? */
static bool is_aligned(const transpose_problem *p, size_t bytes)
{
    const int64_t item = (int64_t)item_bytes(p), line = SECTOR / item;
    const int64_t row = (int64_t)bytes > item ? (int64_t)bytes / item : 1;
    bool aligned =
        p->dst_first % line == 0 && p->dst_column % line == 0 && p->src_first % row == 0 && p->src_row % row == 0;
    for (int i = 0; i < p->to.ndim; i++)
        aligned &= p->to.stride[i] % line == 0 && p->from.stride[i] % row == 0;
    return aligned;
}

static bool of_vectors(const variant *row) { return strcmp(row->file, "transpose_vector") == 0; }

static tile vector_tile_of(size_t item)
{
    const struct vector_tile *t = &vector_tiles[item];
    const size_t edge = t->length * (item < 4 ? 4 / item : 1);
    tile out = {t->deep * t->each * edge, t->wide * edge, t->wide * edge, t->wide, t->deep, ""};
    snprintf(out.defines, sizeof out.defines,
             "#define LENGTH %zu\n#define WIDE %zu\n#define DEEP %zu\n#define EACH %zu\n#define BAND %zu\n", t->length,
             t->wide, t->deep, t->each, t->band);
    return out;
}

static tile word_tile_of(size_t item, bool aligned, bool nvidia)
{
    const struct word_tile *t = &word_tiles[item][aligned];
    const size_t pack = item < 4 ? 4 / item : 1;
    const size_t columns = (pack > 1 && !aligned ? t->wide - 1 : t->wide) * pack; /* the last item's word has no next */
    tile out = {t->rows, columns, columns * t->steps, t->wide, t->deep, ""};
    snprintf(out.defines, sizeof out.defines,
             "#define ROWS %zu\n#define WIDE %zu\n#define DEEP %zu\n#define BAND %zu\n#define STEPS %zu\n%s%s", t->rows,
             t->wide, t->deep, t->band, t->steps, aligned ? "" : "#define SHIFTED 1\n",
             nvidia ? "#define NVIDIA 1\n" : "");
    return out;
}

static tile tile_of(const variant *row, const transpose_problem *p)
{
    const size_t item = item_bytes(p);
    return of_vectors(row) ? vector_tile_of(item)
                           : word_tile_of(item, is_aligned(p, 4), row->applicable == transpose_nvidia_applies);
}

static bool device_has_room(const lun_device *device)
{
    const size_t most_local = 38 << 10, most_items = 256; /* the largest tile and group */
    return device->info.local_memory > most_local && device->info.max_group >= most_items;
}

bool transpose_vector_applies(const lun_device *device, const void *data)
{
    const size_t vector = 16;
    return device_has_room(device) && (!data || (transpose_tiles(data) && is_aligned(data, vector)));
}

bool transpose_nvidia_applies(const lun_device *device, const void *data)
{
    return variant_on_nvidia(device) && transpose_gpu_applies(device, data) && (!data || !is_aligned(data, 4));
}

bool transpose_gpu_applies(const lun_device *device, const void *data)
{
    return device_has_room(device) && (!data || transpose_tiles(data));
}

static lun_status find_kernel(cl_kernel *out, const variant *row, const transpose_problem *p, const tile *t,
                              lun_error *err)
{
    const program_key key = {row->file, dtype_of_bytes(item_bytes(p)), t->defines};
    return program_kernel(out, p->dst->device, &key, row->file, err);
}

lun_status transpose_gpu_prepare(const variant *row, const transpose_problem *p, lun_error *err)
{
    cl_kernel ignored;
    const tile t = tile_of(row, p);
    return find_kernel(&ignored, row, p, &t, err);
}

lun_status transpose_gpu_run(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const transpose_problem *p = data;
    cl_kernel kernel;
    const transpose_plan plan = transpose_make_plan(p);
    const tile t = tile_of(row, p);
    const bool shifted = !of_vectors(row) && !is_aligned(p, 4);
    const size_t before =
        shifted ? SECTOR / item_bytes(p) - 1 : 0; /* the first sector may begin before the first row */
    TRY(find_kernel(&kernel, row, p, &t, err));
    cl_uint down = (cl_uint)ceil_div(p->rows + before, t.rows), across = (cl_uint)ceil_div(p->columns, t.step);
    TRY(launch(op, &(launch_plan){kernel, 2, {down * across * p->batch, 1, 1}, {t.wide, t.deep, 1}},
               ARGS(ARG_BLOCK(p->dst->block), ARG_BLOCK(p->src->block), ARG_VALUE(&p->to), ARG_VALUE(&p->from),
                    ARG_VALUE(&plan), ARG_VALUE(&down), ARG_VALUE(&across)),
               err));
done:
    return status;
}
