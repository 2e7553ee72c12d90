/* Transposing on GPUs: which tile goes through local memory, and how a group shares it. */
#include "abi/move.h"
#include "op/move/move.h"
#include "op/move/move_tuning.h"
#include "op/planning.h"

#include <stdio.h>
#include <stdlib.h>

#define SECTOR 32 /* bytes that a GPU's memory moves together */
#define VECTOR 16 /* bytes that a work-item reads or writes together */

/* A tile, the group that transposes it, and the order of tiles. Measured on an H200.
 *
 * The L2 cache bounds these kernels: it is 88 to 94 % busy. A row of 256 bytes that begins anywhere touches 9
 * sectors, and a tile reads 72 rows for 64. Copies by the GPU itself (cp.async), cache hints, several tiles to a
 * group and a ring of rows were all slower. Bands of one tile are best but for f64 rows a large power of two apart,
 * which take 64. */
typedef struct tile {
    size_t rows, columns; /* of src; rows become lines of dst */
    size_t wide, deep;    /* work-items of a group */
    size_t band;          /* neighbouring tiles of a row of src that are done before the next row of tiles */
    size_t far_band;      /* the same where the rows of src are far apart */
    char defines[160];
} tile;

/* Indexed by the bytes of an item; the names are those of the defines of transpose_vector.cl. */
static const struct vector_tile {
    size_t length, wide, deep, each, band, far_band;
} vector_tiles[9] = {
    [1] = {4, 16, 8, 1, 1, 1},
    [2] = {2, 32, 8, 4, 1, 1},
    [4] = {4, 16, 16, 1, 2, 2},
    [8] = {2, 16, 16, 2, 1, 64},
};

/* Indexed by the bytes of an item, and by: do all lines of dst begin on a sector? The names are those of transpose_gpu.cl. */
static const struct any_tile {
    size_t space, wide, deep;
} any_tiles[9][2] = {
    [1] = {{32, 16, 8}, {32, 16, 8}},
    [2] = {{64, 16, 16}, {64, 16, 16}},
    [4] = {{72, 32, 8}, {64, 32, 8}},
    [8] = {{36, 32, 6}, {32, 32, 8}},
};

static size_t item_bytes(const transpose_problem *p) { return lun_dtype_bytes(p->dst->dtype); }

/* Do all lines begin on a multiple of `items` items? */
static bool on_items(int64_t first, int64_t step, const layout *batch, int64_t items)
{
    bool yes = first % items == 0 && step % items == 0;
    for (int i = 0; i < batch->ndim; i++)
        yes &= batch->stride[i] % items == 0;
    return yes;
}

/* Do all lines of dst begin on a sector? */
static bool on_sectors(const transpose_problem *p)
{
    return on_items(p->dst_first, p->dst_column, &p->to, SECTOR / (int64_t)item_bytes(p));
}

/* Do all rows of src begin on a vector? */
static bool on_vectors(const transpose_problem *p)
{
    return on_items(p->src_first, p->src_row, &p->from, VECTOR / (int64_t)item_bytes(p));
}

static tile vector_tile_of(const transpose_problem *p)
{
    const size_t item = item_bytes(p);
    const struct vector_tile *t = &vector_tiles[item];
    const size_t edge = t->length * (item < 4 ? 4 / item : 1);
    tile out = {t->deep * t->each * edge, t->wide * edge, t->wide, t->deep, t->band, t->far_band, ""};
    snprintf(out.defines, sizeof out.defines,
             "#define LENGTH %zu\n#define WIDE %zu\n#define DEEP %zu\n#define EACH %zu\n", t->length, t->wide, t->deep,
             t->each);
    return out;
}

static tile any_tile_of(const transpose_problem *p, bool nvidia)
{
    const size_t item = item_bytes(p), pack = item < 4 ? 4 / item : 1;
    const bool sectors = on_sectors(p), straight = on_vectors(p);
    const struct any_tile *t = &any_tiles[item][sectors];
    const size_t extra = sectors ? 0 : SECTOR / item, slant = straight ? 0 : 1;
    tile out = {t->space * pack - extra, (t->wide - slant) * (VECTOR / item), t->wide, t->deep, 1, 1, ""};
    snprintf(out.defines, sizeof out.defines, "#define SPACE %zu\n#define WIDE %zu\n#define DEEP %zu\n%s%s%s", t->space,
             t->wide, t->deep, sectors ? "#define SECTORS 1\n" : "", straight ? "#define STRAIGHT 1\n" : "",
             nvidia ? "#define PTX 1\n" : "");
    return out;
}

/* A row of src with few tiles is one band: its last tile, which may be nearly empty, is then done among the others. */
static size_t band_of(const tile *t, const transpose_problem *p, size_t across)
{
    const move_tuning *tuned = move_tuned(p->dst->device);
    const bool is_far = (uint64_t)llabs(p->src_row) * item_bytes(p) >= tuned->far;
    return across <= tuned->few_tiles ? across : is_far ? t->far_band : t->band;
}

static bool device_has_room(const lun_device *device)
{
    const size_t most_local = 38 << 10, most_items = 256; /* the largest tile and group */
    return device->info.local_memory > most_local && device->info.max_group >= most_items;
}

bool transpose_vector_applies(const lun_device *device, const void *data)
{
    return device_has_room(device) && (!data || (transpose_tiles(data) && on_sectors(data) && on_vectors(data)));
}

bool transpose_gpu_applies(const lun_device *device, const void *data)
{
    return device_has_room(device) && (!data || transpose_tiles(data));
}

static lun_status plan_tiles(plan *out, const variant *row, const transpose_problem *p, const tile *t, lun_error *err)
{
    const program_key key = {.file = row->file, .dtype = dtype_of_bytes(item_bytes(p)), .defines = t->defines};
    const transpose_shape shape = transpose_shape_of(p);
    const size_t before = on_sectors(p) ? 0 : SECTOR / item_bytes(p) - 1; /* the first sector may begin before a line */
    const cl_uint down = (cl_uint)ceil_div(p->rows + before, t->rows);
    const cl_uint across = (cl_uint)ceil_div(p->columns, t->columns), band = (cl_uint)band_of(t, p, across);
    cl_kernel kernel;
    TRY(program_kernel(&kernel, out->op->device, &key, row->file, err));
    return plan_launch(out, &(launch){kernel, 2, {down * across * p->batch, 1, 1}, {t->wide, t->deep, 1}},
                       ARGS(ARG_BLOCK(p->dst->block), ARG_BLOCK(p->src->block), ARG_VALUE(&p->to), ARG_VALUE(&p->from),
                            ARG_VALUE(&shape), ARG_VALUE(&down), ARG_VALUE(&across), ARG_VALUE(&band)),
                       err);
}

lun_status transpose_vector_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const tile t = vector_tile_of(data);
    return plan_tiles(out, row, data, &t, err);
}

lun_status transpose_gpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const tile t = any_tile_of(data, row->nvidia > 0);
    return plan_tiles(out, row, data, &t, err);
}

/* ---- short lines --------------------------------------------------------------------------------------------------- */

#define THIN_ITEMS 256 /* of a group */

bool transpose_thin_applies(const lun_device *device, const void *data)
{
    const transpose_problem *p = data;
    return device_has_room(device) && (!p || (transpose_tiles(p) && p->dst_column == (int64_t)p->rows &&
                                              p->rows % move_tuned(device)->thin_alike != 0 &&
                                              p->rows * item_bytes(p) <= move_tuned(device)->thin_bytes));
}

/* Work-items of a group beside each other, and columns of a tile: as many words of a row as fit, in whole turns. */
static void thin_tile(size_t *wide, size_t *width, const transpose_problem *p)
{
    const size_t item = item_bytes(p), pack = item < 4 ? 4 / item : 1;
    const size_t most = (TRANSPOSE_THIN_BYTES - VECTOR) / (p->rows * item);
    const size_t words = ceil_div(smaller(most, p->columns), pack) + 1; /* rows begin anywhere in a word */
    *wide = 16;
    while (*wide < 64 && *wide < words)
        *wide *= 2;
    const size_t turns = larger(1, words / *wide);
    *width = smaller(smaller(most, p->columns), words <= *wide ? p->columns : (turns * *wide - 1) * pack);
}

lun_status transpose_thin_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const transpose_problem *p = data;
    char defines[40];
    size_t wide, width;
    cl_kernel kernel;
    thin_tile(&wide, &width, p);
    snprintf(defines, sizeof defines, "#define WIDE %zu\n", wide);
    const program_key key = {.file = row->file, .dtype = dtype_of_bytes(item_bytes(p)), .defines = defines};
    const transpose_shape shape = transpose_shape_of(p);
    const cl_uint across = (cl_uint)ceil_div(p->columns, width), columns = (cl_uint)width;
    TRY(program_kernel(&kernel, out->op->device, &key, row->file, err));
    return plan_launch(out, &(launch){kernel, 2, {across * p->batch, 1, 1}, {wide, THIN_ITEMS / wide, 1}},
                       ARGS(ARG_BLOCK(p->dst->block), ARG_BLOCK(p->src->block), ARG_VALUE(&p->to), ARG_VALUE(&p->from),
                            ARG_VALUE(&shape), ARG_VALUE(&across), ARG_VALUE(&columns)),
                       err);
}
