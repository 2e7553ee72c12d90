/* Scans of an array as it is by ops of scan.def, which have kernels of their own: what their variants share. */
#pragma once

#include "abi/scan.h"
#include "base/shape.h"
#include "device/program.h"
#include "op/fold/reduce_array.h"
#include "op/fold/segments.h"

/* Lines are what is scanned. Where a scan goes backwards, it begins at their ends, and the steps are negative. */
typedef struct scan_problem {
    const fold_row *row;
    const lun_array *out, *in;
    bool exclusive;
    axis_pairs lines; /* the other axes; strides in `out` are not negative */
    size_t elements;  /* of a line */
    int64_t step, out_step;
} scan_problem;

/* Are the elements of each line neighbours, or is it lines that lie side by side? */
bool scan_is_rows(const scan_problem *p);
/* Does a kernel for neighbours run it? The lines are rows or columns, or so long that they are copied. NULL: any problem. */
bool scan_is_of_neighbours(const segments_problem *s);
/* Does the row give results in the dtype itself, not in that of sums? */
bool scan_is_same(const scan_problem *p);
/* Plans the scan of such a problem by `plan_lines`, between copies of arrays whose lines are neither rows nor columns. */
typedef lun_status scan_planner(plan *out, const variant *row, const scan_problem *p, lun_error *err);
lun_status scan_plan(plan *out, const variant *row, const segments_problem *s, scan_planner *plan_lines,
                     lun_error *err);
/* Bytes of what elements are combined in. */
size_t scan_accumulator_bytes(const scan_problem *p);
/* What kernels get: the lines one by one, or in places of neighbouring columns. One part, as yet. */
scan_shape scan_shape_of(const scan_problem *p, bool by_columns);
/* Cuts lines into parts of whole `step`s, `wanted` of them where a line is long enough. */
void scan_cut(scan_shape *s, size_t wanted, size_t step);

bool scan_cpu_applies(const lun_device *device, const void *data);
lun_status scan_cpu_plan(plan *out, const variant *row, const void *data, lun_error *err);
/* Rows as a GPU scans them: each cut in parts of a group's size. */
typedef struct scan_rows_form {
    scan_shape shape;
    size_t items; /* of a group */
    char defines[80];
} scan_rows_form;

scan_planner scan_gpu_lines;
/* For a row of the table of variants; false: each row of the array is one part. */
bool scan_cut_rows(scan_rows_form *out, const scan_problem *p, const variant *row);
launch scan_items(size_t groups, size_t items);
bool scan_once_applies(const lun_device *device, const void *data);
bool scan_nvidia_applies(const lun_device *device, const void *data);
lun_status scan_once_plan(plan *out, const variant *row, const void *data, lun_error *err);
bool scan_gpu_applies(const lun_device *device, const void *data);
lun_status scan_gpu_plan(plan *out, const variant *row, const void *data, lun_error *err);
