/* Arranging, as a host in C would use it: prints one line for each step; spec/base/core_spec.lua reads them. */
#include "steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints an array and clears it. */
static void show(const char *name, lun_array *array)
{
    print(name, array);
    lun_array_clear(array);
}

static lun_array create(lun_device *device, int ndim, const size_t *shape)
{
    lun_array array = {0};
    MUST(lun_array_create(&array, device, LUN_f32, ndim, shape, &err));
    return array;
}

static void join(lun_device *device, const lun_array *a)
{
    lun_array row = {0}, out;
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_slice last[] = {{.from = 1, .step = 1, .count = 1}, {.from = 0, .step = 1, .count = 3}};
    MUST(lun_array_slice(&row, a, last, &err));
    MUST(lun_concat_result(&dtype, &ndim, shape, (const lun_array *const[]){a, &row}, 2, 0, &err));
    out = create(device, ndim, shape);
    MUST(lun_concat(&out, (const lun_array *const[]){a, &row}, 2, 0, NULL, &err));
    show("concat", &out);
    MUST(lun_stack_result(&dtype, &ndim, shape, (const lun_array *const[]){a, a}, 2, 0, &err));
    out = create(device, ndim, shape);
    MUST(lun_stack(&out, (const lun_array *const[]){a, a}, 2, 0, NULL, &err));
    show("stack", &out);
    MUST(lun_tile_result(&ndim, shape, a, 1, (size_t[]){2}, &err));
    out = create(device, ndim, shape);
    MUST(lun_tile(&out, a, 1, (size_t[]){2}, NULL, &err));
    show("tile", &out);
    lun_array_clear(&row);
}

static void move(lun_device *device, const lun_array *a)
{
    lun_array out = create(device, 2, a->shape), diagonal = {0};
    size_t shape[LUN_MAX_AXES];
    const lun_padding sides = {.before = {0, 2}, .mode = LUN_PAD_REFLECT};
    MUST(lun_roll(&out, a, (int64_t[]){0, 1}, NULL, &err));
    show("roll", &out);
    out = create(device, 2, a->shape);
    MUST(lun_roll_flat(&out, a, 1, NULL, &err));
    show("roll_flat", &out);
    MUST(lun_pad_result(shape, a, &sides, &err));
    out = create(device, 2, shape);
    MUST(lun_pad(&out, a, &sides, NULL, &err));
    show("pad", &out);
    out = create(device, 2, a->shape);
    MUST(lun_triangle(&out, a, false, 0, NULL, &err));
    show("triangle", &out);
    MUST(lun_array_diagonal(&diagonal, a, (const int[]){0, 1}, 0, &err));
    MUST(lun_diagonal_matrix_result(shape, &diagonal, 0, &err));
    out = create(device, 2, shape);
    MUST(lun_diagonal_matrix(&out, &diagonal, 0, NULL, &err));
    show("diagonal", &diagonal);
    show("diagonal_matrix", &out);
}

static void misfits(lun_device *device, const lun_array *a)
{
    lun_array vector = create(device, 1, (size_t[]){3}), cube = create(device, 3, (size_t[]){1, 1, 1}), view = {0};
    const lun_array *const list[] = {a, a};
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    refused(lun_concat_result(&dtype, &ndim, shape, list, 0, 0, &err));
    refused(lun_stack_result(&dtype, &ndim, shape, list, 0, 0, &err));
    refused(lun_concat_result(&dtype, &ndim, shape, list, 2, 5, &err));
    refused(lun_stack_result(&dtype, &ndim, shape, list, 2, 5, &err));
    refused(lun_array_diagonal(&view, &vector, (const int[]){0, 1}, 0, &err));
    refused(lun_diagonal_matrix_result(shape, a, 0, &err));
    refused(lun_triangle(&vector, &vector, false, 0, NULL, &err));
    refused(lun_tile_result(&ndim, shape, a, 9, (size_t[9]){1}, &err));
    lun_array_clear(&vector);
    lun_array_clear(&cube);
}

static void released(const lun_array *a)
{
    const lun_array none = {0};
    const lun_padding sides = {.mode = LUN_PAD_EDGE};
    const int64_t shifts[LUN_MAX_AXES] = {0};
    const bool marked[LUN_MAX_AXES] = {true};
    lun_array view = {0};
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    refused(lun_roll(&none, a, shifts, NULL, &err));
    refused(lun_concat_result(&dtype, &ndim, shape, (const lun_array *const[]){a, &none}, 2, 0, &err));
    refused(lun_stack_result(&dtype, &ndim, shape, (const lun_array *const[]){&none}, 1, 0, &err));
    refused(lun_roll(a, &none, shifts, NULL, &err));
    refused(lun_roll_flat(a, &none, 1, NULL, &err));
    refused(lun_tile_result(&ndim, shape, &none, 1, (size_t[]){2}, &err));
    refused(lun_pad_result(shape, &none, &sides, &err));
    refused(lun_triangle(a, &none, true, 0, NULL, &err));
    refused(lun_diagonal_matrix_result(shape, &none, 0, &err));
    refused(lun_array_broadcast(&view, &none, 1, (size_t[]){2}, &err));
    refused(lun_array_squeeze(&view, &none, NULL, &err));
    refused(lun_array_expand(&view, &none, marked, 1, &err));
    refused(lun_array_flip(&view, &none, marked, &err));
    refused(lun_array_diagonal(&view, &none, (const int[]){0, 1}, 0, &err));
}

int main(void)
{
    lun_system *system;
    lun_device *device;
    lun_staging *staging;
    MUST(lun_system_open(&system, &err));
    MUST(lun_system_select(&device, system, NULL, &err));
    lun_array a = create(device, 2, (size_t[]){2, 3});
    MUST(lun_staging_create(&staging, device, lun_array_bytes(&a), &err));
    memcpy(staging->data, (float[]){1, 2, 3, 4, 5, 6}, staging->bytes);
    MUST(lun_array_write(&a, staging, NULL, &err));
    lun_staging_release(staging); /* the transfer holds it */
    join(device, &a);
    move(device, &a);
    misfits(device, &a);
    released(&a);
    lun_array_clear(&a);
    printf("live: %llu\n", (unsigned long long)lun_device_memory(device).live);
    lun_system_close(system);
    return 0;
}
