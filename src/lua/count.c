/* Quantiles, and counting: how often integers occur, histograms. */
#include "call.h"
#include "check.h"
#include "task.h"

#include <math.h>

/* ---- median, quantile ------------------------------------------------------------------------------------- */

#define QUANTILES 64 /* in one list */

/* An axis, or -1 for all elements. */
static int option_axis(lua_State *L, const options *o, const lun_array *array)
{
    if (option_push(L, o, "axis") == 0)
        return -1;
    const int axis = check_axis(L, lua_gettop(L), array);
    lua_pop(L, 1);
    return axis;
}

static int give_quantiles(lua_State *L, const lun_array *array, const options *o, lun_quantiles *wanted)
{
    task t;
    lun_attempt tried;
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    wanted->axis = option_axis(L, o, array);
    wanted->keepdims = option_boolean(L, o, "keepdims");
    const bool given = option_push(L, o, "out") != 0;
    const bool number = wanted->axis < 0 && !wanted->keepdims && !given && !wanted->list;
    task_begin(L, &t, o, array->device, 1);
    lun_array *out = number ? task_private(L, &t) : task_out(L, &t, o);
    if (lun_quantile_result(&dtype, &ndim, shape, array, wanted, &tried.err) != LUN_OK)
        call_raise(L, t.device, &tried.err);
    task_make(L, &t, dtype, ndim, shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_quantile(out, array, wanted, &t.call, &tried.err);
    return number ? task_return_numbers(L, &t, t.result, 1) : task_give(L, &t);
}

/* a:median([options]) */
int array_median(lua_State *L)
{
    options o;
    const double half = 0.5;
    lun_quantiles wanted = {.count = 1, .q = &half};
    const lun_array *array = check_array(L, 1);
    options_read(L, &o, "median", 2, 0);
    return give_quantiles(L, array, &o, &wanted);
}

/* a:quantile(q [, options]): q is a number, or a list of them; the results then have an axis for the list. */
int array_quantile(lua_State *L)
{
    options o;
    double q[QUANTILES];
    const lun_array *array = check_array(L, 1);
    lun_quantiles wanted = {.count = 1, .q = q, .list = lua_type(L, 2) == LUA_TTABLE};
    options_read(L, &o, "quantile", 3, 0);
    if (!wanted.list) {
        if (lua_type(L, 2) != LUA_TNUMBER)
            check_refuse(L, 2, "a number from 0 to 1 or a list of them");
        q[0] = lua_tonumber(L, 2);
        return give_quantiles(L, array, &o, &wanted);
    }
    check_list(L, 2, NULL, false);
    wanted.count = lua_rawlen(L, 2);
    if (wanted.count == 0 || wanted.count > QUANTILES)
        misuse(L, "the list has %I numbers; from 1 to %d are wanted", (LUAI_UACINT)wanted.count, QUANTILES);
    for (size_t i = 0; i < wanted.count; i++) {
        if (lua_rawgeti(L, 2, (lua_Integer)i + 1) != LUA_TNUMBER)
            misuse(L, "number %d of the list is %s; a number from 0 to 1 is wanted", (int)i + 1, object_kind(L, -1));
        q[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return give_quantiles(L, array, &o, &wanted);
}

/* ---- bincount --------------------------------------------------------------------------------------------- */

static void drop_numbers(void *pointer) { lun_numbers_free(pointer); }

/* The least and the largest element; waits. [-0, +0] */
static void find_ends(lua_State *L, lun_number *ends, const lun_array *array, const task *t)
{
    static const lun_reduce_op ops[2] = {LUN_REDUCE_min, LUN_REDUCE_max};
    lun_reduction reduction = {.base = 1};
    lun_numbers *pending = NULL;
    lun_attempt tried;
    const lun_call quiet = {.queue = t->call.queue};
    for (int i = 0; i < array->ndim; i++)
        reduction.axis[i] = true;
    holder_object *holder = holder_push(L, drop_numbers);
    for (lun_attempt_enqueue(&tried, t->device, &quiet); call_goes_on(L, &tried); holder->pointer = pending)
        tried.status = lun_reduce_numbers(&tried.more, ends, &pending, array, &reduction, ops, 2, &quiet, &tried.err);
    lua_pop(L, 1);
    for (int i = 0; i < 2 && array->dtype == LUN_u64; i++)
        ends[i].real = (double)(uint64_t)ends[i].integer;
}

#define MOST_BINS INT32_MAX

/* How many bins there are: the option `size`, that of `out`, or as the largest value wants it. */
static size_t find_size(lua_State *L, const options *o, const lun_array *array, const task *t, lua_Integer from)
{
    lun_number ends[2];
    if (option_push(L, o, "size") != 0) {
        lua_pop(L, 1);
        const lua_Integer size = option_integer(L, o, "size", 0);
        if (size < 1 || size > MOST_BINS)
            misuse(L, "size is %I; a whole number from 1 to %d is wanted", (LUAI_UACINT)size, MOST_BINS);
        return (size_t)size;
    }
    if (t->given)
        return t->out->size;
    if (array->size == 0 || lun_dtype_kind(array->dtype) == LUN_FLOAT)
        return 0;
    find_ends(L, ends, array, t);
    if (ends[0].real < (double)from)
        misuse(L, "the least value is %I; %s", (LUAI_UACINT)ends[0].integer,
               from == 0 ? "values from 0 are counted" : "position 1 counts the value 1, or 0 with from = 0");
    if (ends[1].real - (double)from >= MOST_BINS)
        misuse(L, "the largest value is %f; %d values can be counted", ends[1].real, MOST_BINS);
    return (size_t)(ends[1].integer - from + 1);
}

/* a:bincount([options]): how often each of the values 1, 2 ... occurs. */
int array_bincount(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    const lun_array *array = check_array(L, 1);
    options_read(L, &o, "bincount", 2, 0);
    const lua_Integer from = option_integer(L, &o, "from", 1);
    const lun_array *weights = option_array(L, &o, "weights");
    task_begin(L, &t, &o, array->device, 1);
    lun_array *out = task_out(L, &t, &o);
    const size_t size = find_size(L, &o, array, &t, from);
    if (t.given && (out->ndim != 1 || out->shape[0] != size)) {
        char text[200];
        misuse(L, "out has shape %s; the result has %I", lun_shape_text(text, sizeof text, out->ndim, out->shape),
               (LUAI_UACINT)size);
    }
    task_make(L, &t, lun_count_dtype(weights), 1, &size);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_bincount(out, array, weights, from, &t.call, &tried.err);
    return task_give(L, &t);
}

/* ---- histogram -------------------------------------------------------------------------------------------- */

/* Where the bins begin and end: as the options say, or the least and the largest element, which waits. */
static void find_range(lua_State *L, const options *o, double *low, double *high, const lun_array *array, const task *t)
{
    lun_number ends[2] = {lun_real(0), lun_real(1)}, given[2];
    const bool has_low = option_number(L, o, "low", &given[0]), has_high = option_number(L, o, "high", &given[1]);
    if (!(has_low && has_high) && array->size != 0)
        find_ends(L, ends, array, t);
    *low = has_low ? given[0].real : ends[0].real;
    *high = has_high ? given[1].real : ends[1].real;
    if (!has_low && !has_high && *low == *high) {
        *low -= 0.5;
        *high += 0.5;
    }
}

/* a:histogram([options]): the counts, and the edges of the bins. */
int array_histogram(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    double low, high;
    const lun_array *array = check_array(L, 1);
    options_read(L, &o, "histogram", 2, 0);
    const lua_Integer bins = option_integer(L, &o, "bins", 10);
    const lun_array *weights = option_array(L, &o, "weights");
    if (bins < 1 || bins >= MOST_BINS)
        misuse(L, "bins is %I; a whole number from 1 to %d is wanted", (LUAI_UACINT)bins, MOST_BINS - 1);
    task_begin(L, &t, &o, array->device, 2);
    find_range(L, &o, &low, &high, array, &t);
    const size_t counts = (size_t)bins, edges = counts + 1;
    lun_array *counted = array_push(L), *edge = array_push(L);
    const int first = lua_gettop(L) - 1;
    t.out = counted;
    task_make(L, &t, lun_count_dtype(weights), 1, &counts);
    t.out = edge;
    task_make(L, &t, lun_histogram_dtype(array), 1, &edges);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_histogram(counted, edge, array, weights, low, high, &t.call, &tried.err);
    return task_return(L, &t, first, 2);
}
