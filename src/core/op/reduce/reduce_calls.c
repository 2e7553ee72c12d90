/* Reductions of an array, as rows of operation.def and reduce.def are called. */
#include "api/reductions.h"
#include "call/own.h"
#include "call/request.h"
#include "op/folded.h"
#include "op/ranked.h"
#include "op/reduce/reduce_where.h"

#include <string.h>

#define QUANTILES 1024 /* numbers in one list: percentiles at each tenth, and some more */
#define QUANTILES_WANTED "a number from 0 to 1 or a list of them"

typedef struct reducing {
    lun_reduction reduction;
    lun_reduce_op ops[LUN_REDUCE_NUMBERS];
    size_t count;
    bool at_once;        /* all ops in one pass */
    own_expression *own; /* NULL: ops of the table, of the array as it is */
} reducing;

/* The option `method`: a name, or the number that Hyndman and Fan gave it. */
static lun_status read_method(unsigned *out, const lun_request *r, lun_error *err)
{
    const char *names[RANKED_METHODS + 1] = {NULL};
    const lun_value *value = request_option(r, "method");
    char shown[SHOWN];
    int method = 0;
    int64_t number = 0;
    for (unsigned i = 0; i < RANKED_METHODS; i++)
        names[i] = ranked_method_at(i);
    if (value && value->kind == LUN_VALUE_TEXT)
        TRY(value_named(&method, value->text, "method", names, err));
    else if (value &&
             (value->kind != LUN_VALUE_NUMBER || !number_whole(&number, value->number) || number < 1 || number > 9))
        FAIL(LUN_MISUSE, "option 'method' is %s; a name or a whole number from 1 to 9 is needed",
             value_shown(shown, r, value));
    *out = number == 7 ? 0 : number ? (unsigned)number : (unsigned)method;
    return LUN_OK;
}

static lun_status begin(reducing **out, lun_request *r, lun_error *err)
{
    reducing *s = *out = REQUEST_STATE(r, reducing);
    s->reduction.base = r->manner->first;
    s->reduction.accurate = request_truth(r, "accurate");
    s->reduction.reproducible = request_reproducible(r);
    s->reduction.ddof = request_number(r, "ddof", lun_integer(0)).real;
    s->reduction.segments = request_array_option(r, "segments");
    return read_method(&s->reduction.q_method, r, err);
}

/* ---- quantiles ----------------------------------------------------------------------------------------------------------- */

/* Reads what a quantile needs, a number or a list of them, which messages call `what`. */
static lun_status read_quantiles(reducing *s, lun_request *r, const lun_value *value, const char *what, lun_error *err)
{
    const bool list = value->kind == LUN_VALUE_LIST;
    const size_t count = value_count(value);
    if (!list && value->kind != LUN_VALUE_NUMBER)
        FAIL(LUN_MISUSE, "%s: %s is needed, got %s", what, QUANTILES_WANTED, kind_shown(r, value));
    if (list && (count == 0 || count > QUANTILES))
        FAIL(LUN_MISUSE, "%s: the list has %zu numbers; from 1 to %d are needed", what, count, QUANTILES);
    double *q = REQUEST_MEMORY(r, count * sizeof *q);
    for (size_t i = 0; i < count; i++) {
        const lun_value *item = value_item(value, i);
        if (item->kind != LUN_VALUE_NUMBER)
            FAIL(LUN_MISUSE, "%s: number %zu of the list is %s; a number from 0 to 1 is needed", what, i + 1,
                 kind_shown(r, item));
        q[i] = item->number.real;
    }
    s->reduction.q = q;
    s->reduction.q_count = count;
    s->reduction.q_list = list;
    return LUN_OK;
}

/* The options q and method go with a quantile among the ops. */
static lun_status read_option_q(reducing *s, lun_request *r, lun_error *err)
{
    const lun_value *q = request_option(r, "q");
    for (size_t i = 0; q && i < s->count; i++)
        if (ranked_wants_q(s->ops[i]))
            return read_quantiles(s, r, q, "option 'q'", err);
    if (!q && !request_option(r, "method"))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "%s is an option of quantile and nanquantile, which are not among the ops",
                q ? "q" : "method");
}

/* ---- what comes ---------------------------------------------------------------------------------------------------------- */

/* Does the op give an array where others give numbers? A list of quantiles is one. */
static bool gives_array(const reducing *s, lun_reduce_op op) { return ranked_wants_q(op) && s->reduction.q_list; }

/* Says what each op gives, and whether numbers come without arrays behind them. */
static lun_status tell_results(lun_request *r, reducing *s, bool numbers, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *array = r->arguments[0].array;
    const bool keepdims = request_truth(r, "keepdims");
    lun_array *out = request_array_option(r, "out");
    lun_dtype dtype = array->dtype;
    int ndim = 0;
    size_t shape[LUN_MAX_AXES];
    TRY(request_results(r, s->count, err));
    r->direct = numbers && !r->async;
    for (size_t i = 0; i < s->count; i++)
        r->direct = r->direct && !gives_array(s, s->ops[i]);
    for (size_t i = 0; i < s->count; i++) {
        s->reduction.op = s->ops[i];
        status = r->direct ? LUN_OK : lun_reduce_result(&dtype, &ndim, shape, array, &s->reduction, keepdims, err);
        if (status != LUN_OK && !out)
            return status;
        status = LUN_OK;
        request_tell(r, i, dtype, ndim, shape);
        r->results[i].given = out;
        if (numbers && !gives_array(s, s->ops[i]))
            request_tell_numbers(r, i, 1);
    }
    s->at_once = !r->direct && s->count > 1 && lun_reduce_is_one_pass(array, &s->reduction, s->ops, s->count, &r->call);
    return status;
}

/* With the option dtype: the array as that, unless that is what comes anyway. */
static lun_status read_dtype(reducing *s, lun_request *r, lun_error *err)
{
    const lun_value *named = request_option(r, "dtype");
    lun_dtype dtype;
    if (!named)
        return LUN_OK;
    TRY(value_dtype(&dtype, named, err));
    for (size_t i = 0; i < s->count; i++) {
        TRY(fold_check_typed(s->ops[i], dtype, err));
        s->reduction.typed = s->reduction.typed || fold_plain_dtype(s->ops[i], r->arguments[0].array) != dtype;
    }
    if (s->reduction.typed)
        TRY(own_of_array(&s->own, r, dtype, s->count, err));
    return LUN_OK;
}

/* Reduces by each op, with what of the reduction is not among the options. */
static lun_status bind_ops(lun_request *r, reducing *s, lun_error *err)
{
    bool numbers;
    const lun_array *array = r->arguments[0].array;
    if (request_option(r, "out") && s->count != 1)
        FAIL(LUN_MISUSE, "out takes the result of one op, got %zu ops", s->count);
    TRY(read_dtype(s, r, err));
    if (s->own) {
        s->own->reduction = s->reduction;
        return fold_bind(r, &s->own->e, s->ops, &s->own->reduction, err);
    }
    TRY(request_reduced(&numbers, s->reduction.axis, r, array->ndim, array->shape, err));
    return tell_results(r, s, numbers, err);
}

lun_status request_reduce(bool *more, lun_request *r, lun_number *out, const lun_array *array, const lun_reduce_op *ops,
                          size_t count, lun_error *err)
{
    lun_reduction reduction = {.base = r->manner->first};
    const lun_call quiet = request_quiet(r);
    for (int i = 0; i < array->ndim; i++)
        reduction.axis[i] = true;
    return lun_reduce_numbers(more, out, &r->pending, array, &reduction, ops, count, &quiet, err);
}

static lun_status run_direct(bool *more, lun_request *r, reducing *s, lun_error *err)
{
    r->number_count = s->count;
    return lun_reduce_numbers(more, r->numbers, &r->pending, r->arguments[0].array, &s->reduction, s->ops, s->count,
                              &r->call, err);
}

static lun_status run_reduce(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    reducing *s = r->state;
    const lun_array *array = r->arguments[0].array;
    if (s->own)
        return fold_run(more, r, &s->own->e, s->own->op.combine ? NULL : s->ops, &s->own->reduction, out, err);
    if (r->direct)
        return run_direct(more, r, s, err);
    if (s->at_once)
        return lun_reduce_list((const lun_array *const *)out, array, &s->reduction, s->ops, s->count, &r->call, err);
    for (; (size_t)r->stage < s->count; r->stage++) {
        s->reduction.op = s->ops[r->stage];
        TRY(lun_reduce(out[r->stage], array, &s->reduction, &r->call, err));
    }
    return LUN_OK;
}

/* ---- a:sum(), a:median(), a:quantile(q) ---------------------------------------------------------------------------------- */

/* What runs a request by other functions than those here. With the option ord norms are those of matrices, or of vectors: the array
 * is one, or one axis is named. NULL: nothing. */
static const request_functions *others(const lun_request *r)
{
    const lun_value *axis = request_option(r, "axis");
    if (reduce_is_chosen(r))
        return &reduce_chosen_functions;
    if (r->operation->number != LUN_REDUCE_norm || !request_option(r, "ord"))
        return NULL;
    return r->arguments[0].array->ndim == 1 || (axis && value_count(axis) == 1) ? &vector_norm_functions
                                                                                : &matrix_norm_functions;
}

static lun_status check_others(const lun_request *r, lun_error *err)
{
    static const char *const names[] = {"segments", "variant", "accurate", "reproducible"};
    for (size_t i = 0; i < COUNT(names) && request_option(r, "ord"); i++)
        if (request_option(r, names[i]))
            return fail(err, LUN_MISUSE, "the option '%s' does not work with ord", names[i]);
    return LUN_OK;
}

static lun_status bind_by_name(lun_request *r, lun_error *err)
{
    TRY(check_others(r, err));
    if (others(r))
        return others(r)->bind(r, err);
    reducing *s;
    TRY(begin(&s, r, err));
    s->count = 1;
    s->ops[0] = (lun_reduce_op)r->operation->number;
    s->reduction.name = lun_reduce_name(s->ops[0]);
    return bind_ops(r, s, err);
}

static lun_status run_by_name(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    return others(r) ? others(r)->run(more, r, out, err) : run_reduce(more, r, out, err);
}

static lun_status bind_median(lun_request *r, lun_error *err)
{
    reducing *s;
    TRY(begin(&s, r, err));
    s->count = 1;
    s->ops[0] = (lun_reduce_op)r->operation->number;
    s->reduction.name = r->operation->name;
    return bind_ops(r, s, err);
}

static lun_status bind_quantile(lun_request *r, lun_error *err)
{
    char place[SHOWN];
    reducing *s;
    TRY(begin(&s, r, err));
    s->count = 1;
    s->ops[0] = (lun_reduce_op)r->operation->number;
    TRY(read_quantiles(s, r, &r->arguments[1], request_place(place, r, 1), err));
    return bind_ops(r, s, err);
}

const request_functions by_name_functions = {bind_by_name, run_by_name}, median_functions = {bind_median, run_reduce},
                        quantile_functions = {bind_quantile, run_reduce};

/* ---- a:reduce(op), a:reduce{op, ...}, a:reduce{map =, combine =, identity =} --------------------------------------------- */

#define OPS_WANTED "the name of an op or a list of them"

static lun_status read_ops(reducing *s, const lun_request *r, lun_error *err)
{
    const lun_value *given = &r->arguments[1];
    const bool list = given->kind == LUN_VALUE_LIST;
    s->count = value_count(given);
    if (s->count == 0 || s->count > LUN_REDUCE_NUMBERS)
        FAIL(LUN_MISUSE, "the list has %zu ops; from 1 to %d are needed", s->count, LUN_REDUCE_NUMBERS);
    for (size_t i = 0; i < s->count; i++) {
        const lun_value *op = value_item(given, i);
        if (list && op->kind == LUN_VALUE_CUT)
            FAIL(LUN_MISUSE, "op %zu of the list: the string has a zero byte", i + 1);
        if (list && op->kind != LUN_VALUE_TEXT)
            FAIL(LUN_MISUSE, "op %zu of the list is %s; a name is needed", i + 1, kind_shown(r, op));
        if (lun_reduce_find(&s->ops[i], op->text, err) != LUN_OK)
            return own_refuse_op(op->text, "{combine = \"a + b\"}", err);
    }
    return LUN_OK;
}

static lun_status bind_reduce(lun_request *r, lun_error *err)
{
    reducing *s;
    if (reduce_is_chosen(r))
        return reduce_chosen_functions.bind(r, err);
    TRY(begin(&s, r, err));
    if (r->arguments[1].kind == LUN_VALUE_NOTHING && !r->told)
        TRY(request_refuse(r, 1, OPS_WANTED, err));
    if (r->arguments[1].kind == LUN_VALUE_NOTHING) {
        TRY(read_option_q(s, r, err)); /* no op is a quantile */
        return own_bind(&s->own, r, &s->reduction, err);
    }
    TRY(read_ops(s, r, err));
    TRY(read_option_q(s, r, err));
    TRY(own_refuse(r, err));
    return bind_ops(r, s, err);
}

static lun_status run_by_op(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    return (reduce_is_chosen(r) ? reduce_chosen_functions.run : run_reduce)(more, r, out, err);
}

const request_functions reduce_functions = {bind_reduce, run_by_op};
