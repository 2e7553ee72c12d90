/* Counting: how often integers occur, histograms. */
#include "call.h"
#include "check.h"
#include "task.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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
    if (array->size == 0 || !lun_dtype_has(array->dtype, LUN_WHOLE))
        return 0;
    find_ends(L, ends, array, t);
    if (array->dtype == LUN_u64 ? from > 0 && (uint64_t)ends[0].integer < (uint64_t)from : ends[0].integer < from)
        misuse(L, "the least value is %I; %s", (LUAI_UACINT)ends[0].integer,
               from == 0 ? "values from 0 are counted" : "position 1 counts the value 1, or 0 with from = 0");
    if (ends[1].real - (double)from >= MOST_BINS) {
        char largest[24];
        const char *form = array->dtype == LUN_u64 ? "%" PRIu64 : "%" PRId64;
        snprintf(largest, sizeof largest, form, ends[1].integer);
        misuse(L, "the largest value is %s; %d values can be counted", largest, MOST_BINS);
    }
    return (size_t)(ends[1].integer - from + 1);
}

/* a:bincount([options]): how often each of the values 1, 2 ... occurs. */
static int array_bincount(lua_State *L)
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

/* Where the bins begin and end; NaN: nobody has said so. */
typedef struct range {
    double low, high;
} range;

/* Puts the least and the largest element of the array, which messages call `what`, where the range is not given, which waits. */
static void find_range(lua_State *L, range *r, const lun_array *array, lun_dtype edges, const char *what, const task *t)
{
    lun_number ends[2] = {lun_real(0), lun_real(1)};
    const bool no_low = isnan(r->low), no_high = isnan(r->high);
    if ((no_low || no_high) && array->size != 0)
        find_ends(L, ends, array, t);
    if ((no_low && !isfinite(ends[0].real)) || (no_high && !isfinite(ends[1].real)))
        misuse(L, "%s has %s; the options low and high give a range, outside of which nothing is counted", what,
               isnan(ends[0].real) ? "NaN among its elements" : "infinite elements");
    r->low = no_low ? lun_number_outward(ends[0], array->dtype, edges, false) : r->low;
    r->high = no_high ? lun_number_outward(ends[1], array->dtype, edges, true) : r->high;
    if (no_low && no_high && r->low == r->high) {
        r->low -= 0.5;
        r->high += 0.5;
    }
}

/* An end that the options give, or NaN. A NaN that they give is refused. */
static double given_end(lua_State *L, const char *name, double number)
{
    if (isnan(number))
        misuse(L, "%s is nan; a number is wanted", name);
    return number;
}

static double read_end(lua_State *L, const options *o, const char *name)
{
    lun_number number;
    return option_number(L, o, name, &number) ? given_end(L, name, number.real) : NAN;
}

/* a:histogram([options]): the counts, and the edges of the bins. */
static int array_histogram(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    const lun_array *array = check_array(L, 1);
    options_read(L, &o, "histogram", 2, 0);
    const lua_Integer bins = option_integer(L, &o, "bins", 10);
    const lun_array *weights = option_array(L, &o, "weights");
    if (bins < 1 || bins >= MOST_BINS)
        misuse(L, "bins is %I; a whole number from 1 to %d is wanted", (LUAI_UACINT)bins, MOST_BINS - 1);
    range r = {read_end(L, &o, "low"), read_end(L, &o, "high")};
    task_begin(L, &t, &o, array->device, 2);
    const lun_dtype edges_dtype = lun_histogram_dtype(array); /* while it is live: finalizers run from here on */
    find_range(L, &r, array, edges_dtype, "the array", &t);
    const size_t counts = (size_t)bins, edges = counts + 1;
    lun_array *counted = array_push(L), *edge = array_push(L);
    const int first = lua_gettop(L) - 1;
    t.out = counted;
    task_make(L, &t, lun_count_dtype(weights), 1, &counts);
    t.out = edge;
    task_make(L, &t, edges_dtype, 1, &edges);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_histogram(counted, edge, array, weights, r.low, r.high, &t.call, &tried.err);
    return task_return(L, &t, first, 2);
}

/* ---- histogram2d ------------------------------------------------------------------------------------------ */

/* One number for both arrays, or a list of two. [-0, +0] */
static void read_pair(lua_State *L, const options *o, const char *name, double missing, double *pair)
{
    pair[0] = pair[1] = missing;
    const int index = option_push(L, o, name);
    if (index == 0)
        return;
    if (lua_type(L, index) == LUA_TNUMBER) {
        pair[0] = pair[1] = given_end(L, name, lua_tonumber(L, index));
    } else if (lua_type(L, index) == LUA_TTABLE) {
        check_list(L, index, name, false);
        if (lua_rawlen(L, index) != 2)
            misuse(L, "option '%s': the list has %I numbers; one for x and one for y are wanted", name,
                   (LUAI_UACINT)lua_rawlen(L, index));
        for (int i = 0; i < 2; i++) {
            if (lua_rawgeti(L, index, i + 1) != LUA_TNUMBER)
                misuse(L, "option '%s': number %d of the list is %s", name, i + 1, object_kind(L, -1));
            pair[i] = given_end(L, name, lua_tonumber(L, -1));
            lua_pop(L, 1);
        }
    } else {
        misuse(L, "option '%s': a number or a list of two is wanted, got %s", name, object_kind(L, index));
    }
    lua_pop(L, 1);
}

/* lun.histogram2d(x, y [, options]): the counts, and the edges of the bins of x and of y. */
static int histogram2d(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    double bins[2], low[2], high[2];
    size_t shape[2];
    lua_pushnil(L);
    lua_insert(L, 1);
    const lun_array *in[2] = {check_array(L, 2), check_array(L, 3)}, *edges[2];
    options_read(L, &o, "histogram2d", 4, 0);
    read_pair(L, &o, "bins", 10, bins);
    read_pair(L, &o, "low", NAN, low);
    read_pair(L, &o, "high", NAN, high);
    const lun_array *weights = option_array(L, &o, "weights");
    for (int i = 0; i < 2; i++) {
        char text[LUN_NUMBER_TEXT];
        lun_number_digits(text, bins[i]);
        if (!(bins[i] >= 1 && bins[i] < MOST_BINS && floor(bins[i]) == bins[i]))
            misuse(L, "bins is %s; a whole number from 1 to %d is wanted", text, MOST_BINS - 1);
        shape[i] = (size_t)bins[i];
    }
    if (bins[0] * bins[1] > MOST_BINS)
        misuse(L, "%I bins are too many; %d are possible", (LUAI_UACINT)(bins[0] * bins[1]), MOST_BINS);
    task_begin(L, &t, &o, in[0]->device, 3);
    /* While they are live: finalizers run from here on. */
    const lun_dtype edges_dtype[2] = {lun_histogram_dtype(in[0]), lun_histogram_dtype(in[1])};
    for (int i = 0; i < 2; i++) {
        range r = {low[i], high[i]};
        find_range(L, &r, in[i], edges_dtype[i], i == 0 ? "x" : "y", &t);
        low[i] = r.low, high[i] = r.high;
    }
    lun_array *made[3] = {array_push(L), array_push(L), array_push(L)};
    const int first = lua_gettop(L) - 2;
    t.out = made[0];
    task_make(L, &t, lun_count_dtype(weights), 2, shape);
    for (int i = 0; i < 2; i++) {
        const size_t count = shape[i] + 1;
        t.out = made[i + 1];
        edges[i] = t.out;
        task_make(L, &t, edges_dtype[i], 1, &count);
    }
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_histogram2d(made[0], edges, in, weights, low, high, &t.call, &tried.err);
    return task_return(L, &t, first, 3);
}

const luaL_Reg count_methods[] = {
    {"bincount", array_bincount},
    {"histogram", array_histogram},
    {NULL, NULL},
};

const luaL_Reg count_functions[] = {
    {"histogram2d", histogram2d},
    {NULL, NULL},
};
