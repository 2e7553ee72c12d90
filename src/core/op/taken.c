/* Which dtypes the arrays of operations may have, and which float dtype those give that always give floats. */
#include "base/dtype.h"
#include "op/promised.h"
#include "op/request.h"

#include <string.h>

/* Arrays of these rows of operation.def have traits, and lack others; of rows that are not here they have any dtype. */
static const struct {
    const char *name;
    unsigned has, lacks;
    bool stored;    /* and they are computed in the dtype in which they are stored */
    bool unpacked;  /* and they are not packed */
    bool positions; /* and they are i32 or i64 */
    operation_given gives;
} rows[] = {
#define FLOATS(called, no, how)                                                                                        \
    {                                                                                                                  \
        .name = called, .lacks = no, .gives = GIVES_FLOAT_##how                                                        \
    }
#define ORDERED(called)                                                                                                \
    {                                                                                                                  \
        .name = called, .has = LUN_ORDERED                                                                             \
    }
#define BODIES(called)                                                                                                 \
    {                                                                                                                  \
        .name = called, .has = LUN_NANS, .lacks = LUN_PAIRS, .stored = true                                            \
    }
#define TRANSFORM(called, no)                                                                                          \
    {                                                                                                                  \
        .name = called, .has = LUN_NANS, .lacks = no, .stored = true                                                   \
    }
#define MATRICES(called, no)                                                                                           \
    {                                                                                                                  \
        .name = called, .lacks = no, .unpacked = true                                                                  \
    }
    ORDERED("sort"),
    ORDERED("argsort"),
    ORDERED("topk"),
    ORDERED("union"),
    ORDERED("intersect"),
    ORDERED("setdiff"),
    ORDERED("isin"),
    ORDERED("partition"),
    ORDERED("argpartition"),
    ORDERED("median"),
    ORDERED("quantile"),
    ORDERED("nanmedian"),
    ORDERED("nanquantile"),
    ORDERED("searchsorted"),
    ORDERED("sort_by"),
    ORDERED("histogram"),
    ORDERED("histogram2d"),
    ORDERED("cummin"),
    ORDERED("cummax"),
    {.name = "savetxt", .lacks = LUN_PAIRS},
    FLOATS("softmax", LUN_PAIRS, EACH),
    FLOATS("log_softmax", LUN_PAIRS, EACH),
    FLOATS("gradient", 0, EACH),
    FLOATS("interp", LUN_PAIRS, EACH),
    FLOATS("polyval", 0, EACH),
    FLOATS("average", 0, MEAN),
    FLOATS("vector_norm", 0, MEAN),
    FLOATS("skew", LUN_PAIRS, MEAN),
    FLOATS("kurtosis", LUN_PAIRS, MEAN),
    FLOATS("cov", 0, MEAN),
    FLOATS("corrcoef", 0, MEAN),
    FLOATS("trapezoid", 0, MEAN),
    FLOATS("polyfit", LUN_PAIRS, MEAN),
    FLOATS("roots", 0, MEAN),
    ORDERED("ptp"),
    ORDERED("frexp"),
    ORDERED("modf"),
    {.name = "real", .has = LUN_PAIRS},
    {.name = "imag", .has = LUN_PAIRS},
    {.name = "as_real", .has = LUN_PAIRS},
    {.name = "as_complex", .has = LUN_NANS, .lacks = LUN_PAIRS, .stored = true},
    {.name = "bincount", .has = LUN_WHOLE},
    {.name = "ravel", .has = LUN_WHOLE, .lacks = LUN_TRUTHS},
    {.name = "unravel", .has = LUN_WHOLE, .lacks = LUN_TRUTHS},
    {.name = "add_at", .lacks = LUN_TRUTHS},
    BODIES("nbody"),
    BODIES("gravity"),
    BODIES("energy"),
    BODIES("simulation"),
    TRANSFORM("fft", 0),
    TRANSFORM("ifft", 0),
    TRANSFORM("fftn", 0),
    TRANSFORM("ifftn", 0),
    TRANSFORM("rfft", LUN_PAIRS),
    TRANSFORM("rfftn", LUN_PAIRS),
    TRANSFORM("dct", 0),
    TRANSFORM("idct", 0),
    TRANSFORM("dst", 0),
    TRANSFORM("idst", 0),
    TRANSFORM("stft", 0),
    TRANSFORM("spectrogram", 0),
    TRANSFORM("hilbert", LUN_PAIRS),
    {.name = "istft", .has = LUN_PAIRS},
    TRANSFORM("irfft", 0),
    TRANSFORM("hfft", 0),
    TRANSFORM("ihfft", LUN_PAIRS),
    TRANSFORM("irfftn", 0),
    {.name = "csr_check", .positions = true},
    {.name = "csr_build", .lacks = LUN_TRUTHS},
    {.name = "csr_sweep", .has = LUN_NANS, .stored = true, .unpacked = true},
    MATRICES("eigh", 0),
    MATRICES("eigvalsh", 0),
    MATRICES("eig", 0),
    MATRICES("eigvals", 0),
    MATRICES("svd", 0),
    MATRICES("svdvals", 0),
    MATRICES("solve", 0),
    MATRICES("inv", 0),
    MATRICES("det", 0),
    MATRICES("slogdet", 0),
    MATRICES("cholesky", 0),
    MATRICES("lu_factor", 0),
    {.name = "lu_factor_", .has = LUN_NANS, .stored = true},
    {.name = "lu_", .has = LUN_NANS, .stored = true},
    {.name = "cholesky_", .has = LUN_NANS, .stored = true},
    {.name = "lu_solve", .has = LUN_NANS, .stored = true},
    MATRICES("lu", 0),
    MATRICES("rcond", 0),
    MATRICES("qr", 0),
    MATRICES("lstsq", 0),
    MATRICES("cholesky_solve", 0),
    MATRICES("pinv", 0),
    MATRICES("rank", 0),
    MATRICES("cond", 0),
    MATRICES("matrix_power", 0),
    MATRICES("expm", 0),
    {.name = "lu_rcond", .has = LUN_NANS, .stored = true},
#undef ORDERED
#undef FLOATS
#undef BODIES
#undef TRANSFORM
#undef MATRICES
};

static bool function_takes(lun_map_op op, const lun_array *in)
{
    lun_error ignored;
    size_t refused;
    const lun_array *arrays[3] = {in, in, in};
    const unsigned arity = lun_map_arity(op), result = arity;
    lun_node nodes[4];
    memset(nodes, 0, sizeof nodes);
    for (unsigned i = 0; i < arity; i++) {
        nodes[i].kind = LUN_NODE_ARRAY;
        nodes[i].args[0] = nodes[arity].args[i] = i;
    }
    nodes[arity].kind = LUN_NODE_OP;
    nodes[arity].op = op;
    const lun_expression e = {.nodes = nodes,
                              .node_count = arity + 1,
                              .results = &result,
                              .result_count = 1,
                              .arrays = arrays,
                              .array_count = arity};
    return lun_map_check(&refused, &e, &ignored) == LUN_OK;
}

static bool reduction_takes(lun_reduce_op op, const lun_array *in)
{
    lun_error ignored;
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_reduction reduction = {.op = op, .axis = {true}};
    return lun_reduce_result(&dtype, &ndim, shape, in, &reduction, false, &ignored) == LUN_OK;
}

bool lun_operation_takes(const lun_operation *operation, lun_device *device, lun_dtype dtype)
{
    lun_map_op function;
    lun_reduce_op reduction;
    lun_error ignored;
    const lun_array in = {.device = device, .dtype = dtype, .ndim = 1, .size = 1, .shape = {1}, .stride = {1}};
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(rows[i].name, operation->name) == 0)
            return lun_dtype_has(dtype, rows[i].has) && (lun_dtype_traits(dtype) & rows[i].lacks) == 0 &&
                   (!rows[i].stored || dtype_computed(dtype) == dtype) &&
                   !(rows[i].unpacked && dtype_is_packed(dtype)) &&
                   (!rows[i].positions || dtype == LUN_i32 || dtype == LUN_i64);
    if (lun_operation_is_elementwise(&function, operation))
        return function_takes(function, &in);
    if (operation->owner == LUN_OF_ARRAY && lun_reduce_find(&reduction, operation->name, &ignored) == LUN_OK)
        return reduction_takes(reduction, &in);
    return true;
}

operation_given operation_gives(const lun_operation *operation)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(rows[i].name, operation->name) == 0)
            return rows[i].gives;
    return GIVES_OTHERS;
}

const char *lun_operation_gives(const lun_operation *operation)
{
    static const char *const names[] = {[GIVES_FLOAT_EACH] = "each", [GIVES_FLOAT_MEAN] = "mean"};
    return names[operation_gives(operation)];
}

const char *lun_operation_promise(const lun_operation *operation)
{
    lun_map_op function;
    lun_reduce_op reduction;
    lun_error ignored;
    if (operation->promise)
        return operation->promise;
    if (lun_operation_is_elementwise(&function, operation))
        return map_promised(function);
    if (operation->kind && lun_reduce_find(&reduction, operation->name, &ignored) == LUN_OK)
        return fold_promised(reduction);
    return NULL;
}
