/* Kernels by hand that reduce or scan arrays as they are: the problem of a reduction, and the text that builds a kernel. */
#include "op/fold/fold_states.h"
#include "op/fold/reduce_array.h"
#include "op/planning.h"

#include <stdlib.h>
#include <string.h>

reduce_problem reduce_problem_of(const fold_problem *p)
{
    const lun_array *in = p->form.map.expression->arrays[0];
    return (reduce_problem){.out = p->outs[0],
                            .in = in,
                            .op = p->form.rows[0],
                            .combined = fold_accumulator_dtype(p->form.rows[0], in->dtype, false),
                            .first = p->first[0],
                            .kept = layout_of(p->kept, p->kept_size, p->kept_stride[0]),
                            .kept_out = layout_of(p->kept, p->kept_size, p->kept_stride[1]),
                            .reduced = layout_of(p->reduced, p->reduced_size, p->reduced_stride[0]),
                            .outputs = (size_t)p->fold.outputs,
                            .elements = (size_t)p->fold.elements};
}

cl_long reduce_last_stride(const layout *l, cl_long without) { return l->ndim ? l->stride[l->ndim - 1] : without; }

layout reduce_without_last(layout l)
{
    if (l.ndim)
        l.ndim--;
    return l;
}

size_t reduce_accumulator_bytes(const reduce_problem *p) { return lun_dtype_bytes(p->combined); }

typedef struct definitions {
    const fold_row *op;
    const lun_array *in;
    const char *more;
} definitions;

static void write_definitions(text_builder *out, const void *data)
{
    const definitions *of = data;
    const fold_row *op = of->op;
    const lun_dtype value = of->in->dtype, combined = fold_accumulator_dtype(op, value, false);
    const lun_dtype leaf = fold_leaf_dtype(op, value, combined);
    const bool packed = op->accumulator == FOLD_SAME && dtype_is_packed(value);
    text_add(out,
             "%s#define MAP(x, type) %s\n#define IDENTITY %s\n#define COMBINE(a, b) %s\n#define ACC %s\n"
             "#define ACC_BYTES %zu\n#define OUT %s\n%s#define LEAF_TYPE %s\n#define LEAF_BYTES %zu\n%s%s",
             of->more, op->map, op->identity, op->combine, dtype_cl(combined), lun_dtype_bytes(combined),
             dtype_cl(packed ? value : combined), packed ? "#define OUT_PACKED 1\n" : "", dtype_cl(leaf),
             lun_dtype_bytes(leaf), lun_dtype_has(value, LUN_SIGNED) ? "#define IS_SIGNED 1\n" : "",
             !dtype_is_whole(value) && strstr(op->combine, "NAN_WINS") ? "#define EXTREMES 1\n" : "");
}

/* On one device the op, the dtype and `more` settle all definitions, and so are their name. */
lun_status reduce_kernel(cl_kernel *out, const fold_row *op, const lun_array *in, const char *file, const char *name,
                         const char *more, lun_error *err)
{
    char few[256];
    ENDED_BY(text_clear) text_builder key = TEXT_IN(few);
    const definitions of = {op, in, more};
    text_add_bytes(&key, op->name, strlen(op->name));
    text_add_char(&key, ' ');
    text_add_bytes(&key, more, strlen(more));
    TRY(text_check(&key, err));
    return program_kernel(
        out, in->device,
        &(program_key){
            .file = file, .dtype = in->dtype, .defines = key.chars, .write_defines = write_definitions, .of = &of},
        name, err);
}

lun_status reduce_partial(lun_block **out, plan *of, size_t count, size_t bytes, lun_error *err)
{
    *out = NULL;
    return count ? operation_scratch(of->op, out, count * bytes, err) : LUN_OK;
}
