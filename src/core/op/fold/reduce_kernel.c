/* The kernels of reductions: the types that they compute in, and the text that builds them. */
#include "base/dtype.h"
#include "base/error.h"
#include "base/text.h"
#include "device/device.h"
#include "device/program.h"
#include "op/fold/reduce_array.h"

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

size_t reduce_leaf_type(const char **name, const reduce_problem *p)
{
    static const lun_dtype twice[2][3] = {{LUN_u8, LUN_u16, LUN_u32}, {LUN_i8, LUN_i16, LUN_i32}};
    const size_t bytes = lun_dtype_bytes(p->in->dtype);
    const bool narrow = p->op->accumulator == FOLD_ADDED && dtype_is_whole(p->in->dtype) && bytes <= 2;
    const lun_dtype leaf = narrow ? twice[lun_dtype_has(p->in->dtype, LUN_SIGNED)][bytes] : p->combined;
    *name = dtype_cl(leaf);
    return lun_dtype_bytes(leaf);
}

size_t reduce_vector(const lun_device *device)
{
    return device->info.vector_f32 >= 16 ? 16 : device->info.vector_f32 >= 8 ? 8 : 4;
}

size_t reduce_lanes(const reduce_problem *p)
{
    const char *leaf;
    return REDUCE_LANES(reduce_vector(p->in->device), reduce_leaf_type(&leaf, p));
}

typedef struct definitions {
    const reduce_problem *p;
    const char *more;
} definitions;

static void write_definitions(text_builder *out, const void *data)
{
    const definitions *of = data;
    const reduce_problem *p = of->p;
    const char *leaf, *combined = dtype_cl(p->combined);
    const size_t leaf_bytes = reduce_leaf_type(&leaf, p);
    const bool same = p->op->accumulator == FOLD_SAME, packed = same && dtype_is_packed(p->in->dtype);
    text_add(
        out,
        "%s#define MAP(x, type) %s\n#define IDENTITY %s\n#define COMBINE(a, b) %s\n#define ACC %s\n"
        "#define ACC_BYTES %zu\n#define OUT %s\n%s#define LEAF_TYPE %s\n#define LEAF_BYTES %zu\n#define LANES %zu\n%s%s",
        of->more, p->op->map, p->op->identity, p->op->combine, combined, reduce_accumulator_bytes(p),
        packed ? dtype_cl(p->in->dtype) : combined, packed ? "#define OUT_PACKED 1\n" : "", leaf, leaf_bytes,
        reduce_lanes(p), lun_dtype_has(p->in->dtype, LUN_SIGNED) ? "#define IS_SIGNED 1\n" : "",
        !dtype_is_whole(p->in->dtype) && strstr(p->op->combine, "NAN_WINS") ? "#define EXTREMES 1\n" : "");
}

/* On one device the reduction, the dtype and `more` settle all definitions, and so are their name. */
lun_status reduce_kernel(cl_kernel *out, const reduce_problem *p, const char *file, const char *name, const char *more,
                         lun_error *err)
{
    lun_status status = LUN_OK;
    char few[256];
    text_builder key = TEXT_IN(few);
    const definitions of = {p, more ? more : ""};
    text_add_bytes(&key, p->op->name, strlen(p->op->name));
    text_add_char(&key, ' ');
    text_add_bytes(&key, of.more, strlen(of.more));
    TRY_DONE(text_check(&key, err));
    TRY_DONE(program_kernel(
        out, p->in->device,
        &(program_key){
            .file = file, .dtype = p->in->dtype, .defines = key.chars, .write_defines = write_definitions, .of = &of},
        name, err));
done:
    text_clear(&key);
    return status;
}

lun_status reduce_partial(lun_block **out, plan *of, const reduce_problem *p, size_t count, lun_error *err)
{
    const size_t bytes = reduce_accumulator_bytes(p);
    *out = NULL;
    return count ? operation_scratch(of->op, out, count * bytes, err) : LUN_OK;
}
