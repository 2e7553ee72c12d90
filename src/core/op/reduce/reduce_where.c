/* Reductions of the elements that a mask selects, and from a value on: the options `where` and `initial`. */
#include "op/reduce/reduce_where.h"
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "call/compose.h"
#include "op/folded.h"

#include <math.h>
#include <string.h>

/* ---- the ops ------------------------------------------------------------------------------------------------------- */

/* What elements outside the mask count as, so that they change no result: a number whose map is the op's identity, or the initial
 * value. Counts and means leave them out. */
typedef enum outside { BY_IDENTITY, ZERO, ONE, NEGATIVE_INFINITY, INITIAL, COUNTED, AVERAGED } outside;

static const struct {
    outside as;
    lun_map_op by;                          /* what combines with `initial` */
    bool present, logarithm, squared, root; /* of the elements that are not NaN; of AVERAGED */
} ops[LUN_REDUCE_OPS] = {
    [LUN_REDUCE_sum] = {.by = LUN_MAP_add},
    [LUN_REDUCE_nansum] = {.by = LUN_MAP_add},
    [LUN_REDUCE_prod] = {.by = LUN_MAP_mul},
    [LUN_REDUCE_nanprod] = {.by = LUN_MAP_mul},
    [LUN_REDUCE_min] = {.as = INITIAL, .by = LUN_MAP_minimum},
    [LUN_REDUCE_max] = {.as = INITIAL, .by = LUN_MAP_maximum},
    [LUN_REDUCE_nanmin] = {.as = INITIAL, .by = LUN_MAP_fmin},
    [LUN_REDUCE_nanmax] = {.as = INITIAL, .by = LUN_MAP_fmax},
    [LUN_REDUCE_logsumexp] = {.as = NEGATIVE_INFINITY},
    [LUN_REDUCE_count] = {.as = COUNTED},
    [LUN_REDUCE_mean] = {.as = AVERAGED},
    [LUN_REDUCE_var] = {.as = AVERAGED, .squared = true},
    [LUN_REDUCE_std] = {.as = AVERAGED, .squared = true, .root = true},
    [LUN_REDUCE_gmean] = {.as = AVERAGED, .logarithm = true},
    [LUN_REDUCE_nanmean] = {.as = AVERAGED, .present = true},
    [LUN_REDUCE_nanvar] = {.as = AVERAGED, .present = true, .squared = true},
    [LUN_REDUCE_nanstd] = {.as = AVERAGED, .present = true, .squared = true, .root = true},
    [LUN_REDUCE_nangmean] = {.as = AVERAGED, .present = true, .logarithm = true},
};

static outside outside_of(lun_reduce_op op)
{
    static const char *const identities[] = {
#define REDUCE(name, says, accumulator, map, identity, ...) [LUN_REDUCE_##name] = identity,
#define FOLD(name, says, family, accumulator, map, identity, ...) [LUN_REDUCE_##name] = identity,
#define RANK(name) [LUN_REDUCE_##name] = "",
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
    };
    return ops[op].as ? ops[op].as : strcmp(identities[op], "1") == 0 ? ONE : ZERO;
}

/* Has the op's row that option? */
static bool takes(lun_reduce_op op, const char *option)
{
    const lun_operation *row = lun_operation_find(LUN_OF_ARRAY, lun_reduce_name(op));
    return row && lun_operation_option(row, option);
}

bool reduce_is_chosen(const lun_request *r) { return request_option(r, "where") || request_option(r, "initial"); }

/* ---- what is asked for --------------------------------------------------------------------------------------------- */

typedef struct choosing {
    const lun_array *in, *mask; /* NULL: all elements */
    const lun_value *initial;
    lun_reduce_op op;
    outside as;
    lun_dtype dtype;         /* of the result */
    lun_dtype cast;          /* what the elements are taken as; LUN_DTYPES: as they are */
    lun_reduction reduction; /* beside its axes */
    composed_axes over;
} choosing;

/* The mask, which broadcasts to the array. */
static lun_status read_mask(choosing *s, composing *c, lun_error *err)
{
    char has[200], wanted[200];
    const lun_array *mask = request_array_option(c->r, "where");
    size_t shape[LUN_MAX_AXES];
    int ndim;
    if (!mask)
        return LUN_OK;
    TRY(array_check_live(mask, "the mask", err));
    TRY(array_check_same_device(s->in, mask, "the mask", err));
    if (mask->dtype != LUN_bool && mask->dtype != LUN_u8)
        FAIL(LUN_MISUSE, "where is %s; a mask of bool or u8 is needed", lun_dtype_name(mask->dtype));
    if (!shape_broadcast(&ndim, shape, (const lun_array *const[]){s->in, mask}, 2) || ndim != s->in->ndim ||
        memcmp(shape, s->in->shape, (size_t)ndim * sizeof *shape) != 0)
        FAIL(LUN_MISUSE, "the mask has shape %s, the elements %s", array_shape_text(has, sizeof has, mask),
             array_shape_text(wanted, sizeof wanted, s->in));
    s->mask = mask;
    return LUN_OK;
}

/* Of rows of reduce.def their own; of `reduce` the one that is named. */
static lun_status read_op(choosing *s, const lun_request *r, lun_error *err)
{
    static const char *const options[] = {"where", "initial"};
    const lun_value *ops_named = &r->arguments[1];
    s->op = (lun_reduce_op)r->operation->number;
    if (!r->operation->kind) { /* `reduce` */
        const bool one = ops_named->kind != LUN_VALUE_NOTHING && value_count(ops_named) == 1;
        if (!one || value_item(ops_named, 0)->kind != LUN_VALUE_TEXT)
            FAIL(LUN_MISUSE, "where and initial need the name of one op, not a list");
        TRY(lun_reduce_find(&s->op, value_item(ops_named, 0)->text, err));
    }
    for (int i = 0; i < 2; i++)
        if (request_option(r, options[i]) && !takes(s->op, options[i]))
            FAIL(LUN_MISUSE, "%s does not take %s", lun_reduce_name(s->op), options[i]);
    s->as = outside_of(s->op);
    return LUN_OK;
}

static lun_status check_options(const choosing *s, const lun_request *r, lun_error *err)
{
    const bool extreme = s->as == INITIAL;
    if (request_option(r, "ord"))
        FAIL(LUN_MISUSE, "where does not work with ord");
    if (s->reduction.segments && (s->initial || ops[s->op].squared))
        FAIL(LUN_MISUSE, "%s does not work with segments", s->initial ? "initial" : "where");
    if (extreme && s->mask && !s->initial)
        FAIL(LUN_MISUSE, "where needs initial, the result if it selects nothing");
    return LUN_OK;
}

/* The dtype of the result, and in which elements are taken. */
static lun_status find_dtype(choosing *s, composing *c, lun_error *err)
{
    const lun_value *named = request_option(c->r, "dtype");
    lun_reduction plain = s->reduction;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const bool empty_extreme = s->as == INITIAL; /* these are an error of no elements, but with an initial value */
    plain.op = s->op;
    memcpy(plain.axis, s->over.axis, sizeof plain.axis);
    s->cast = LUN_DTYPES;
    s->dtype = s->in->dtype;
    if (!empty_extreme)
        TRY(lun_reduce_result(&s->dtype, &ndim, shape, s->in, &plain, s->over.keepdims, err));
    if (!named)
        return LUN_OK;
    TRY(value_dtype(&s->cast, named, err));
    TRY(fold_check_typed(s->op, s->cast, err));
    s->reduction.typed = fold_plain_dtype(s->op, s->in) != s->cast;
    s->dtype = s->cast;
    return LUN_OK;
}

static lun_status read_all(choosing *s, composing *c, lun_error *err)
{
    const lun_request *r = c->r;
    s->in = r->arguments[0].array;
    s->initial = request_option(r, "initial");
    s->reduction = (lun_reduction){.accurate = request_truth(r, "accurate"),
                                   .reproducible = request_reproducible(r),
                                   .segments = request_array_option(r, "segments")};
    TRY(array_check_live(s->in, "the array", err));
    TRY(read_op(s, r, err));
    TRY(read_mask(s, c, err));
    TRY(check_options(s, r, err));
    TRY(compose_axes(&s->over, c, s->in, err));
    TRY(find_dtype(s, c, err));
    s->over.like = &s->reduction;
    return LUN_OK;
}

/* ---- sums, products and extremes ----------------------------------------------------------------------------------- */

/* A value of the mask's elements, and a number elsewhere. */
static unsigned masked(composed *x, const choosing *s, unsigned value, lun_number otherwise)
{
    return s->mask ? of_op3(x, LUN_MAP_where, of_array(x, s->mask), value, of_number(x, otherwise)) : value;
}

static lun_number number_outside(const choosing *s)
{
    const outside as = s->as;
    if (as == INITIAL && s->initial)
        return value_scalar(s->initial);
    if (as == NEGATIVE_INFINITY)
        return lun_real(-INFINITY);
    return lun_dtype_has(s->in->dtype, LUN_TRUTHS) && as != COUNTED ? lun_truth(as == ONE) : lun_integer(as == ONE);
}

/* The elements as the op takes them. */
static unsigned elements_of(composed *x, const choosing *s)
{
    unsigned value = of_array(x, s->in);
    if (s->as == COUNTED)
        value = of_op(x, LUN_MAP_eq, value, value);
    if (s->as == NEGATIVE_INFINITY && dtype_is_whole(s->in->dtype))
        value = of_cast(x, s->dtype, value);
    return s->cast == LUN_DTYPES ? value : of_cast(x, s->cast, value);
}

/* The initial value, where an extreme of no elements is asked for. */
static lun_status give_initial(composing *c, const choosing *s, lun_error *err)
{
    const lun_array *out;
    lun_dtype ignored;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_reduction sum = {.op = LUN_REDUCE_sum};
    memcpy(sum.axis, s->over.axis, sizeof sum.axis);
    TRY(lun_reduce_result(&ignored, &ndim, shape, s->in, &sum, s->over.keepdims, err));
    TRY(compose_result(&out, c, 0, s->dtype, ndim, shape, err));
    return CALLED(c, true, lun_array_fill(out, value_scalar(s->initial), &call, err));
}

static lun_status give_combined(composing *c, const choosing *s, lun_error *err)
{
    const lun_reduce_op op = s->as == COUNTED ? LUN_REDUCE_nnz : s->op;
    const lun_array *found;
    cl_ulong2 element;
    composed x = {0};
    if (s->initial)
        TRY(lun_number_store(&element, s->dtype, value_scalar(s->initial), err));
    if (s->as == INITIAL && compose_extent(&s->over, s->in) == 0)
        return give_initial(c, s, err);
    x.results[0] = masked(&x, s, elements_of(&x, s), number_outside(s));
    if (!s->initial)
        return compose_give_fold(c, &x, op, &s->over, err);
    TRY(compose_fold(&found, c, &x, &op, &s->over, err));
    x = (composed){0};
    x.results[0] = of_op(&x, ops[s->op].by, of_array(&x, found), of_number(&x, value_scalar(s->initial)));
    x.results[0] = of_cast(&x, s->dtype, x.results[0]);
    return compose_give_map(c, &x, err);
}

/* ---- means and variances ------------------------------------------------------------------------------------------- */

/* The elements, or their logarithms, as sums take them. */
static unsigned wide_of(composed *x, const choosing *s)
{
    unsigned value = of_array(x, s->in);
    value = s->cast == LUN_DTYPES ? value : of_cast(x, s->cast, value);
    const lun_dtype wide = s->in->device->info.fp64 ? LUN_f64 : LUN_f32;
    value = lun_dtype_has(s->in->dtype, LUN_PAIRS) ? value : of_cast(x, wide, value);
    return ops[s->op].logarithm ? of_op1(x, LUN_MAP_log, value) : value;
}

/* A value of the elements that count, and 0 elsewhere. */
static unsigned counted(composed *x, const choosing *s, unsigned value)
{
    unsigned element = of_array(x, s->in);
    if (ops[s->op].present)
        value = of_op3(x, LUN_MAP_where, of_op(x, LUN_MAP_eq, element, element), value, of_number(x, lun_integer(0)));
    return masked(x, s, value, lun_integer(0));
}

/* The sum of what counts divided by how many count, less `ddof`, but not by less than 0. */
static lun_status mean_of(const lun_array **out, composing *c, const choosing *s, const composed_axes *over,
                          const lun_array *about, double ddof, lun_error *err)
{
    static const lun_reduce_op sum = LUN_REDUCE_sum, nnz = LUN_REDUCE_nnz;
    const lun_array *total, *count;
    composed x = {0}, y = {0};
    unsigned value = wide_of(&x, s);
    if (about)
        value = of_op1(&x, LUN_MAP_square, of_op1(&x, LUN_MAP_abs, of_op(&x, LUN_MAP_sub, value, of_array(&x, about))));
    x.results[0] = counted(&x, s, value);
    const unsigned element = of_array(&y, s->in), all = of_op(&y, LUN_MAP_eq, element, element);
    const unsigned any = of_op(&y, LUN_MAP_lor, all, of_op1(&y, LUN_MAP_lnot, all));
    y.results[0] = masked(&y, s, ops[s->op].present ? all : any, lun_truth(false));
    TRY(compose_fold(&total, c, &x, &sum, over, err));
    composed_axes plainly = *over;
    lun_reduction of_count = {.segments = s->reduction.segments};
    plainly.like = &of_count;
    TRY(compose_fold(&count, c, &y, &nnz, &plainly, err));
    x = (composed){0};
    const unsigned left = of_op(&x, LUN_MAP_sub, of_array(&x, count), of_real(&x, ddof));
    const unsigned share = of_op(
        &x, LUN_MAP_div, of_array(&x, total),
        of_op(&x, LUN_MAP_maximum, of_cast(&x, s->in->device->info.fp64 ? LUN_f64 : LUN_f32, left), of_real(&x, 0)));
    x.results[0] = share;
    return compose_map(out, c, &x, err);
}

static lun_status give_mean(composing *c, const choosing *s, lun_error *err)
{
    const double ddof = request_number(c->r, "ddof", lun_integer(0)).real;
    const lun_array *mean;
    composed_axes kept = s->over;
    composed x = {0};
    kept.keepdims = kept.keepdims || ops[s->op].squared;
    TRY(mean_of(&mean, c, s, &kept, NULL, 0, err));
    if (ops[s->op].squared)
        TRY(mean_of(&mean, c, s, &s->over, mean, ddof, err));
    unsigned value = of_array(&x, mean);
    value = ops[s->op].logarithm ? of_op1(&x, LUN_MAP_exp, value) : value;
    value = ops[s->op].root ? of_op1(&x, LUN_MAP_sqrt, value) : value;
    x.results[0] = of_cast(&x, s->dtype, value);
    return compose_give_map(c, &x, err);
}

/* ---- the operation ------------------------------------------------------------------------------------------------------ */

static lun_status reduce_chosen(composing *c, lun_error *err)
{
    choosing s = {0};
    TRY(read_all(&s, c, err));
    return s.as == AVERAGED ? give_mean(c, &s, err) : give_combined(c, &s, err);
}

COMPOSED(reduce_chosen)
