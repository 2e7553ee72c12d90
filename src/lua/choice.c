/* Permutations and choices: what is made of random numbers by sorting and by sums of weights. */
#include "call.h"
#include "check.h"
#include "make.h"
#include "rng.h"

#include <math.h>
#include <string.h>

/* A choice on its way. Nothing of the stream is used before all is enqueued. */
typedef struct choice {
    task task;
    lun_call quiet; /* of all but the last operation */
    lun_rng rng;
    const lun_array *from; /* what is chosen from, or NULL: the numbers 1..count */
    size_t count;
    lun_array *weights; /* f64, or f32 where the device has none; NULL: all the same */
} choice;

/* A private array, made. [-0, +1] */
static lun_array *push_made(lua_State *L, const choice *c, lun_dtype dtype, int ndim, const size_t *shape)
{
    lun_attempt tried;
    lun_array *made = array_push_private(L);
    for (lun_attempt_start(&tried, c->task.device); call_goes_on(L, &tried);)
        tried.status = lun_array_create(made, c->task.device, dtype, ndim, shape, &tried.err);
    return made;
}

/* What is chosen from, at index 2: a number, or an array along its first axis. */
static void read_population(lua_State *L, choice *c, lun_device *device)
{
    *c = (choice){0};
    trace_refuse(L); /* before anything is drawn */
    if (lua_type(L, 2) == LUA_TNUMBER) {
        c->count = check_size(L, 2, "argument", 1);
        return;
    }
    if (object_test(L, 2, CLASS_ARRAY) == NULL)
        check_refuse(L, 2, "a number or an array");
    c->from = check_array(L, 2);
    if (c->from->ndim == 0)
        misuse(L, "the array has no axes, along which it could be chosen from");
    if (c->from->device != device)
        misuse(L, "argument 1 is on another device");
    c->count = c->from->shape[0];
}

static void begin(lua_State *L, choice *c, const options *o, const rng_object *rng)
{
    task_begin(L, &c->task, o, rng->device, 1);
    c->quiet = (lun_call){.queue = c->task.call.queue};
    c->rng = rng->rng;
}

/* Uniform integers low..high to an array. */
static void draw_integers(lua_State *L, choice *c, const lun_array *out, int64_t low, int64_t high,
                          const lun_call *call)
{
    lun_attempt tried;
    const lun_draw draw = {LUN_DRAW_integers, {lun_integer(low), lun_integer(high)}};
    for (lun_attempt_enqueue(&tried, c->task.device, call); call_goes_on(L, &tried);)
        tried.status = lun_array_random(out, &draw, &c->rng, call, &tried.err);
}

/* The positions of the `first` elements in a random order: those of the least of random keys, or of the first to arrive. [-0, +2] */
static lun_array *push_order(lua_State *L, choice *c, size_t first)
{
    lun_attempt tried;
    const lun_sorting sorting = {.some = first < c->count, .first = first};
    lun_array *keys = push_made(L, c, c->weights != NULL ? c->weights->dtype : LUN_u64, 1, &c->count);
    if (c->weights == NULL)
        draw_integers(L, c, keys, 0, -1, &c->quiet);
    for (lun_attempt_enqueue(&tried, c->task.device, &c->quiet); c->weights != NULL && call_goes_on(L, &tried);)
        tried.status = lun_random_arrivals(keys, c->weights, &c->rng, &c->quiet, &tried.err);
    lun_array *order = push_made(L, c, LUN_i64, 1, &first);
    for (lun_attempt_enqueue(&tried, c->task.device, &c->quiet); call_goes_on(L, &tried);)
        tried.status = lun_sort(NULL, order, keys, &sorting, &c->quiet, &tried.err);
    lun_array_clear(keys);
    return order;
}

/* Gives the elements at positions, or copies the positions themselves, to an array of the given shape or to `out`. */
static int give_positions(lua_State *L, choice *c, const options *o, lun_array *positions)
{
    lun_attempt tried;
    task *t = &c->task;
    int ndim = positions->ndim;
    size_t shape[LUN_MAX_AXES];
    lun_array *out = task_out(L, t, o);
    memcpy(shape, positions->shape, sizeof shape);
    if (c->from != NULL && lun_take_result(&ndim, shape, c->from, positions, 0, &tried.err) != LUN_OK)
        call_raise(L, t->device, &tried.err);
    const lun_dtype dtype = c->from != NULL ? c->from->dtype : LUN_i64;
    if (t->given)
        make_check_out(L, out, t->device, lun_dtype_name(dtype), ndim, shape);
    task_make(L, t, dtype, ndim, shape);
    for (lun_attempt_enqueue(&tried, t->device, &t->call); call_goes_on(L, &tried);)
        tried.status = c->from != NULL ? lun_take(out, c->from, positions, 0, &t->call, &tried.err)
                                       : lun_array_copy(out, positions, &t->call, &tried.err);
    lun_array_clear(positions);
    return task_give(L, t);
}

/* rng:permutation(n or array [, options]): 1..n, or the array's rows, in a random order. */
static int rng_permutation(lua_State *L)
{
    options o;
    choice c;
    rng_object *rng = check_rng(L);
    read_population(L, &c, rng->device);
    options_read(L, &o, "permutation", 3, 0);
    begin(L, &c, &o, rng);
    lun_array *order = push_order(L, &c, c.count);
    const int given = give_positions(L, &c, &o, order);
    rng->rng = c.rng;
    return given;
}

/* ---- weights ---------------------------------------------------------------------------------------------- */

static void drop_numbers(void *pointer) { lun_numbers_free(pointer); }

/* Reduces the weights by each of the ops; waits. */
static void reduce_weights(lua_State *L, lun_number *found, const choice *c, const lun_reduce_op *ops, size_t count)
{
    lun_numbers *pending = NULL;
    lun_attempt tried;
    const lun_reduction reduction = {.axis = {true}, .base = 1};
    holder_object *holder = holder_push(L, drop_numbers);
    for (lun_attempt_enqueue(&tried, c->task.device, &c->quiet); call_goes_on(L, &tried); holder->pointer = pending)
        tried.status =
            lun_reduce_numbers(&tried.more, found, &pending, c->weights, &reduction, ops, count, &c->quiet, &tried.err);
    lua_pop(L, 1);
}

/* Raises, as the least of the weights is that number. */
_Noreturn static void refuse_negative(lua_State *L, const choice *c, double least)
{
    const lun_reduce_op op = LUN_REDUCE_argmin;
    lun_number position;
    reduce_weights(L, &position, c, &op, 1);
    misuse(L, "weight %I is %s; none may be negative", (LUAI_UACINT)position.integer, real_text(L, least));
}

/* Raises unless the weights can be chosen by; waits. `least`: so many have to be above 0. */
static void check_weights(lua_State *L, const choice *c, size_t least)
{
    static const lun_reduce_op ops[] = {LUN_REDUCE_min, LUN_REDUCE_sum, LUN_REDUCE_nnz};
    enum { MIN, SUM, NNZ };
    lun_number found[3];
    reduce_weights(L, found, c, ops, 3);
    if (!isfinite(found[SUM].real))
        misuse(L, "the sum of the weights is %s; all of them must be finite numbers, and their sum",
               real_text(L, found[SUM].real));
    if (found[MIN].real < 0)
        refuse_negative(L, c, found[MIN].real);
    if (found[NNZ].integer == 0)
        misuse(L, "all %I weights are 0", (LUAI_UACINT)c->count);
    if ((size_t)found[NNZ].integer < least)
        misuse(L, "%I are to be chosen without replacement, and %I weights are above 0", (LUAI_UACINT)least,
               (LUAI_UACINT)found[NNZ].integer);
}

/* Reads the option `weights`; waits. [-0, +(0|2)] */
static void read_weights(lua_State *L, choice *c, const options *o, size_t least)
{
    lun_attempt tried;
    char text[200];
    const lun_array *given = option_array(L, o, "weights");
    if (given == NULL)
        return;
    if (given->ndim != 1 || given->shape[0] != c->count)
        misuse(L, "the weights have shape %s; there are %I to choose from",
               lun_shape_text(text, sizeof text, given->ndim, given->shape), (LUAI_UACINT)c->count);
    if (given->device != c->task.device)
        misuse(L, "the weights are on another device");
    const bool wide = lun_device_info_get(c->task.device)->fp64;
    c->weights = push_made(L, c, wide ? LUN_f64 : LUN_f32, 1, &c->count);
    for (lun_attempt_enqueue(&tried, c->task.device, &c->quiet); call_goes_on(L, &tried);)
        tried.status = lun_array_copy(c->weights, given, &c->quiet, &tried.err);
    if (c->count != 0)
        check_weights(L, c, least);
}

/* Draws positions by the weights. [-0, +1] */
static void draw_positions(lua_State *L, choice *c, const lun_array *out)
{
    lun_attempt tried;
    const lun_scan_options summing = {.op = LUN_REDUCE_sum};
    lun_array *sums = push_made(L, c, c->weights->dtype, 1, &c->count);
    for (lun_attempt_enqueue(&tried, c->task.device, &c->quiet); call_goes_on(L, &tried);)
        tried.status = lun_scan(sums, c->weights, &summing, &c->quiet, &tried.err);
    for (lun_attempt_enqueue(&tried, c->task.device, &c->quiet); call_goes_on(L, &tried);)
        tried.status = lun_random_positions(out, sums, c->weights, &c->rng, &c->quiet, &tried.err);
    lun_array_clear(sums);
}

/* ---- choice ----------------------------------------------------------------------------------------------- */

static size_t count_of(int ndim, const size_t *shape)
{
    size_t count = 1;
    for (int i = 0; i < ndim; i++)
        count = shape[i] != 0 && count > SIZE_MAX / shape[i] ? SIZE_MAX : count * shape[i];
    return count;
}

/* The positions that are chosen, of that shape. [-0, +n] */
static lun_array *push_chosen(lua_State *L, choice *c, bool replace, int ndim, const size_t *shape)
{
    lun_error err;
    if (!replace) {
        const lun_array *order = push_order(L, c, count_of(ndim, shape));
        lun_array *view = array_push_private(L);
        if (lun_array_reshape(view, order, ndim, shape, &err) != LUN_OK)
            call_raise(L, c->task.device, &err);
        return view;
    }
    lun_array *positions = push_made(L, c, LUN_i64, ndim, shape);
    if (c->weights != NULL && positions->size != 0)
        draw_positions(L, c, positions);
    else if (positions->size != 0)
        draw_integers(L, c, positions, 1, (int64_t)c->count, &c->quiet);
    return positions;
}

/* rng:choice(n or array, shape [, options]) */
static int rng_choice(lua_State *L)
{
    options o;
    choice c;
    size_t shape[LUN_MAX_AXES];
    rng_object *rng = check_rng(L);
    read_population(L, &c, rng->device);
    const int ndim = check_shape(L, 3, shape);
    const size_t chosen = count_of(ndim, shape);
    options_read(L, &o, "choice", 4, 0);
    const bool replace = option_push(L, &o, "replace") == 0 || lua_toboolean(L, -1);
    if (chosen != 0 && c.count == 0)
        misuse(L, "there is nothing to choose from");
    if (!replace && chosen > c.count)
        misuse(L, "%I are to be chosen without replacement, and there are %I", (LUAI_UACINT)chosen,
               (LUAI_UACINT)c.count);
    begin(L, &c, &o, rng);
    read_weights(L, &c, &o, replace ? 1 : chosen);
    lun_array *positions = push_chosen(L, &c, replace, ndim, shape);
    const int given = give_positions(L, &c, &o, positions);
    rng->rng = c.rng;
    return given;
}

const luaL_Reg choice_methods[] = {
    {"permutation", rng_permutation},
    {"choice", rng_choice},
    {NULL, NULL},
};
