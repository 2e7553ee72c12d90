/* The dtypes of an expression's nodes. */
#include "api/functions.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/order.h"
#include "memory/block.h"
#include "op/expression/expression.h"

#include <string.h>

/* ---- finding them ------------------------------------------------------------------------------------------- */

typedef struct finder {
    map_types *types;
    const lun_expression *e;
    lun_dtype widest; /* float of the device */
    bool used[MAP_NUMBERS];
    lun_error *err;
} finder;

/* The dtype of a number that is not combined with an array. */
static lun_dtype number_dtype(const finder *f, lun_number number)
{
    const lun_dtype real = number.is_truth ? LUN_bool : number.is_integer ? LUN_i64 : f->widest;
    return number.is_complex ? lun_dtype_promoted_by(f->widest, number) : real;
}

/* A number with the same effect on dtypes as a value of that dtype computed only from numbers. */
static lun_number number_like(lun_dtype dtype)
{
    const lun_number real = dtype_is_whole(dtype) ? lun_integer(0) : lun_real(0);
    return lun_dtype_has(dtype, LUN_PAIRS) ? lun_complex(0, 0) : real;
}

static lun_dtype float_or_f32(lun_dtype floats) { return floats == LUN_bool ? LUN_f32 : floats; }

/* The float dtype that integers become as operands of that function. */
static lun_dtype floats_of(const lun_node *op) { return float_or_f32(op->dtype); }

/* The dtype to which the first `count` of these operands promote: that of the arrays, where a float among the numbers
 * changes integers to floats, and a complex one to complex. */
static map_value meet(const finder *f, const lun_node *op, const unsigned *args, unsigned count)
{
    map_value met = {.weak = true, .dtype = LUN_bool}, numbers = met;
    for (unsigned i = 0; i < count; i++) {
        const map_value *v = &f->types->value[args[i]];
        map_value *to = v->weak ? &numbers : &met;
        to->dtype = lun_dtype_promoted(to->dtype, v->dtype);
        to->weak = v->weak;
    }
    if (met.weak)
        return numbers;
    if (numbers.dtype != LUN_bool)
        met.dtype = lun_dtype_joined(met.dtype, number_like(numbers.dtype), floats_of(op));
    return met;
}

/* The dtype in which an operand is compared with another: its own; for a number with an array one that holds its
 * value. */
static lun_dtype compared_dtype(const finder *f, unsigned operand, unsigned other)
{
    const map_value *v = &f->types->value[operand], *beside = &f->types->value[other];
    const lun_number *given = expression_number(f->e, operand);
    const lun_number number = given && given->is_truth ? lun_integer(given->integer) : given ? *given : lun_integer(0);
    lun_dtype dtype = v->dtype;
    if (lun_dtype_has(dtype, LUN_PAIRS))
        return dtype;
    if (v->weak && !beside->weak && !dtype_is_whole(beside->dtype))
        dtype = beside->dtype;
    else if (v->weak && !beside->weak && given)
        dtype = lun_compared_dtype(beside->dtype, f->widest == LUN_f64, lun_number_dtypes(beside->dtype, number));
    return dtype;
}

/* The dtype of an array of numbers of that one. */
static lun_dtype array_dtype(lun_dtype dtype, lun_dtype floats)
{
    if (dtype_is_whole(dtype))
        return lun_dtype_has(dtype, LUN_TRUTHS) ? dtype : LUN_i64;
    return lun_dtype_promoted_by(floats, number_like(dtype));
}

/* Operands are compared by value: in a dtype that holds both, or by parts. A complex number is compared with an integer
 * by its real part, and differs if its imaginary part is not 0. */
static void find_comparison(const finder *f, map_value *met, const unsigned *args)
{
    const bool pairs = lun_dtype_has(met->dtype, LUN_PAIRS);
    for (unsigned i = 0; i < 2; i++)
        met->compared[i] = compared_dtype(f, args[i], args[1 - i]);
    if (pairs && dtype_is_whole(met->compared[0]) == dtype_is_whole(met->compared[1]))
        return;
    const ordering order =
        dtype_ordering(lun_dtype_part(met->compared[0]), lun_dtype_part(met->compared[1]), f->widest == LUN_f64);
    met->parted = order.parted;
    met->dtype = dtype_built(order.dtype);
    if (pairs && !order.parted)
        met->dtype = lun_dtype_promoted_by(met->dtype, lun_complex(0, 0));
}

/* Is the operand a number that may be outside the range of the elements' dtype, as a limit that none of them
 * reaches? */
static bool limits_nothing(const finder *f, const lun_node *op, unsigned operand)
{
    const lun_number *number = expression_number(f->e, op->args[operand]);
    const bool low = number && number->integer < 0;
    return number && number->is_integer &&
           (op->op == (low ? LUN_MAP_maximum : LUN_MAP_minimum) || op->op == (low ? LUN_MAP_fmax : LUN_MAP_fmin) ||
            (op->op == LUN_MAP_clamp && operand == (low ? 1 : 2)));
}

/* Records that a node is used in that dtype, which need not hold a `loose` number. A number that is used in only one
 * dtype is passed to the kernel in it. */
static lun_status use_as(finder *f, unsigned node, lun_dtype dtype, bool loose)
{
    lun_error *err = f->err;
    map_element element;
    const lun_node *n = &f->e->nodes[node];
    const lun_number *number = expression_number(f->e, node);
    bool beyond = false;
    if (number && dtype_is_whole(dtype) && !number->is_truth) {
        beyond = lun_number_store(&element, dtype, *number, err) != LUN_OK;
        TRY(beyond && !loose ? err->status : LUN_OK);
    }
    if (n->kind == LUN_NODE_NUMBER) {
        lun_dtype *passed = &f->types->number[n->args[0]];
        if (number->is_truth)
            *passed = LUN_bool;
        else if (!f->used[n->args[0]] && !beyond)
            *passed = dtype_computed(dtype);
        else if (*passed != dtype_computed(dtype))
            *passed = number_dtype(f, *number);
        f->used[n->args[0]] = true;
    }
    return LUN_OK;
}

static bool wants_order(const map_function *function)
{
    static const char *const compares[] = {"LESS(", "FLOOR_", " % ", " < ", " > "};
    const char *of_integers = function->expression[NUMBERS_SIGNED];
    bool yes = function->family == FAMILY_ORDER || function->family == FAMILY_ROUNDING;
    for (size_t i = 0; of_integers && i < COUNT(compares); i++)
        yes = yes || strstr(of_integers, compares[i]) != NULL;
    return yes;
}

/* Integers have no negative powers; an array of powers is checked only on the device. */
static lun_status check_power(const finder *f, unsigned operand, lun_error *err)
{
    const lun_number *power = expression_number(f->e, operand);
    if (!power || power->integer >= 0)
        return LUN_OK;
    return fail(err, LUN_MISUSE, "the power is %lld; integers have powers from 0, and a ^ %lld gives floats",
                (long long)power->integer, (long long)power->integer);
}

/* Is it a power of integers wider than 16 bits, for which f32 is too short? It is computed in the widest float. */
static bool is_wide_power(const finder *f, const lun_node *node)
{
    bool wide = false, whole = map_function_of(node->op)->takes == TAKES_POWERS;
    for (unsigned i = 0; whole && i < 2; i++) {
        const map_value *v = &f->types->value[node->args[i]];
        whole = v->weak ? !lun_dtype_has(v->dtype, LUN_PAIRS) : dtype_is_whole(v->dtype);
        wide = wide || (!v->weak && lun_dtype_bytes(v->dtype) > 2);
    }
    return whole && wide;
}

/* The common dtype of the integer operands; LUN_MISUSE if there is none, or for 64-bit integers with floats. */
static lun_status find_counted(lun_dtype *whole, lun_dtype *computed, const finder *f, const lun_node *node)
{
    lun_error *err = f->err;
    const map_function *function = map_function_of(node->op);
    bool floats = !function->expression[NUMBERS_SIGNED];
    *whole = LUN_bool;
    for (unsigned i = 0; i < function->arity; i++) {
        const map_value *v = &f->types->value[node->args[i]];
        floats = floats || !dtype_is_whole(v->dtype);
        if (v->weak || !dtype_is_whole(v->dtype) || v->dtype == LUN_bool)
            continue;
        if (*whole != LUN_bool && *whole != v->dtype)
            FAIL(LUN_MISUSE, "%s takes integers of one dtype, not %s and %s", function->name, lun_dtype_name(*whole),
                 lun_dtype_name(v->dtype));
        *whole = v->dtype;
    }
    if (*whole == LUN_bool)
        FAIL(LUN_MISUSE, "%s takes an array of integers, i8 to u64", function->name);
    if (floats && lun_dtype_bytes(*whole) == 8)
        FAIL(LUN_MISUSE, "%s: no float of the device holds all of %s; cast the array or the other operand",
             function->name, lun_dtype_name(*whole));
    *computed = floats ? f->widest : *whole;
    return LUN_OK;
}

/* The dtype in which the node computes with operands that promote to that one; LUN_MISUSE if there is none. */
static lun_status find_operands(lun_dtype *out, const finder *f, const lun_node *node, map_value met)
{
    lun_error *err = f->err;
    const map_function *function = map_function_of(node->op);
    lun_dtype dtype = met.dtype;
    const bool logic = function->expression[NUMBERS_TRUTHS] || function->takes == TAKES_CHOICE;
    const bool reals = function->takes == TAKES_REALS || function->takes == TAKES_POWERS;
    if (is_wide_power(f, node) || (reals && dtype_is_whole(dtype)))
        dtype = met.weak || is_wide_power(f, node) ? f->widest : floats_of(node);
    else if (!logic)
        dtype = dtype_arithmetic(dtype);
    if (function->takes == TAKES_DIFFERENCES && met.dtype == LUN_bool)
        FAIL(LUN_MISUSE, "bools cannot be subtracted or negated: lxor is true where they differ, lnot inverts them, "
                         "and cast(\"i64\") converts them to integers");
    if (function->takes == TAKES_INTEGERS && !dtype_is_whole(dtype))
        FAIL(LUN_MISUSE, "%s takes integers, not %s", function->name, lun_dtype_name(dtype));
    if (function->gives == GIVES_PART && !function->expression[NUMBERS_REAL])
        TRY(dtype_check_pairs(dtype, err));
    if (node->op == LUN_MAP_nextafter && dtype_is_packed(dtype))
        FAIL(LUN_MISUSE, "%s is computed in f32, whose numbers are closer together; cast to f32 first",
             lun_dtype_name(dtype));
    if (node->op == LUN_MAP_powi && dtype_is_whole(dtype))
        TRY(check_power(f, node->args[1], err));
    if (lun_dtype_has(dtype, LUN_PAIRS) && !map_function_at(f->e, node)->expression[NUMBERS_PAIRS]) {
        if (wants_order(function))
            TRY(dtype_check_ordered(dtype, err));
        TRY(dtype_check_real(dtype, function->name, err));
    }
    *out = dtype;
    return LUN_OK;
}

static lun_status find_op(finder *f, unsigned node)
{
    const lun_node *n = &f->e->nodes[node];
    const map_function *function = map_function_of(n->op);
    const unsigned first = function->takes == TAKES_CHOICE ? 1 : 0;
    const bool logic = function->takes == TAKES_TRUTHS;
    map_value met = meet(f, n, n->args + first, function->arity - first);
    lun_dtype counted = LUN_bool;
    if (function->takes == TAKES_COUNTED)
        TRY(find_counted(&counted, &met.dtype, f, n));
    else if (!logic)
        TRY(find_operands(&met.dtype, f, n, met));
    if (met.weak && first &&
        !f->types->value[n->args[0]].weak) /* chosen by an array: as an array of its own would be */
        met = (map_value){.dtype = array_dtype(met.dtype, floats_of(n))};
    if (function->gives == GIVES_TRUTH && function->arity == 2)
        find_comparison(f, &met, n->args);
    for (unsigned i = 0; i < function->arity; i++) {
        const bool alone = logic || i < first;
        const lun_dtype own = alone ? f->types->value[n->args[i]].dtype : met.parted ? met.compared[i] : met.dtype;
        TRY(use_as(f, n->args[i], own, limits_nothing(f, n, i)));
    }
    met.operands = logic || first ? dtype_built(logic ? LUN_bool : met.dtype) : met.dtype;
    if (function->gives == GIVES_WHOLE)
        met = (map_value){.dtype = counted, .operands = met.operands};
    if (function->gives == GIVES_PART)
        met.dtype = lun_dtype_part(met.dtype);
    if (function->gives == GIVES_PAIR)
        met.dtype = lun_dtype_joined(met.dtype, lun_complex(0, 0), floats_of(n));
    if (logic || function->gives == GIVES_TRUTH) {
        met.weak = false;
        met.dtype = LUN_bool;
    }
    f->types->value[node] = met;
    return LUN_OK;
}

static lun_status find_node(finder *f, unsigned node)
{
    const lun_node *n = &f->e->nodes[node];
    map_value *out = &f->types->value[node];
    switch (n->kind) {
    case LUN_NODE_ARRAY:
        *out = (map_value){.dtype = f->e->arrays[n->args[0]]->dtype};
        out->weak = n->number || block_is_number(f->e->arrays[n->args[0]]->block);
        break;
    case LUN_NODE_NUMBER:
    case LUN_NODE_CONSTANT:
        *out = (map_value){.weak = true, .dtype = number_dtype(f, *expression_number(f->e, node))};
        break;
    case LUN_NODE_CAST:
        *out = (map_value){.dtype = n->dtype};
        TRY(dtype_check_cast(n->dtype, f->types->value[n->args[0]].dtype, f->err));
        TRY(use_as(f, n->args[0], f->types->value[n->args[0]].dtype, false));
        break;
    case LUN_NODE_OP:
        TRY(find_op(f, node));
        break;
    case LUN_NODE_FOLD:
        return fail(f->err, LUN_MISUSE, "the expression has reductions within it: lun_passes computes it");
    }
    return LUN_OK;
}

/* Nodes come after the nodes that they use, which the host guarantees. */
lun_status map_check_room(const lun_expression *e, lun_error *err)
{
    if (e->node_count > MAP_NODES)
        FAIL(LUN_MISUSE, "the expression has %zu steps; at most %d are possible", e->node_count, MAP_NODES);
    if (e->number_count > MAP_NUMBERS)
        FAIL(LUN_MISUSE, "the expression takes %zu numbers; at most %d are possible", e->number_count, MAP_NUMBERS);
    if (e->array_count > LUN_MAP_ARRAYS)
        FAIL(LUN_MISUSE, "the expression has %zu arrays; at most %d are possible", e->array_count, LUN_MAP_ARRAYS);
    if (e->result_count > LUN_MAP_RESULTS)
        FAIL(LUN_MISUSE, "the expression has %zu results; at most %d are possible", e->result_count, LUN_MAP_RESULTS);
    return LUN_OK;
}

/* Of texts: results and numbers have the dtype that is asked for, or the one that holds all arrays' and numbers'. */
static void find_text_types(map_types *out, const lun_expression *e)
{
    lun_dtype dtype = e->arrays[0]->dtype;
    for (size_t i = 1; i < e->array_count; i++)
        dtype = lun_dtype_promoted(dtype, e->arrays[i]->dtype);
    for (size_t i = 0; i < e->number_count; i++)
        dtype = lun_dtype_joined(dtype, e->numbers[i], float_or_f32(e->floats));
    /* truth values are computed with as numbers, and are asked for by their name */
    dtype = e->dtype == LUN_DTYPES ? dtype_arithmetic(dtype) : e->dtype;
    for (size_t i = 0; i < e->result_count; i++)
        out->result[i] = dtype;
    for (size_t i = 0; i < e->number_count; i++) { /* real ones stay real beside complex ones */
        const lun_dtype real = lun_dtype_part(dtype_computed(dtype));
        out->number[i] = e->numbers[i].is_complex ? lun_dtype_promoted_by(real, lun_complex(0, 0)) : real;
    }
}

/* *node: the one whose function refuses its operands' dtype, if one does. */
static lun_status find_nodes(finder *f, size_t *node)
{
    for (size_t i = 0; i < f->e->number_count; i++)
        f->types->number[i] = LUN_f32;
    for (*node = 0; *node < f->e->node_count; ++*node)
        TRY(find_node(f, (unsigned)*node));
    return LUN_OK;
}

lun_status lun_map_check(size_t *node, const lun_expression *e, lun_error *err)
{
    map_types types;
    finder f = {.types = &types, .e = e, .err = err};
    f.widest = e->arrays[0]->device->info.fp64 ? LUN_f64 : LUN_f32;
    *node = e->node_count;
    TRY(map_check_room(e, err));
    return find_nodes(&f, node);
}

lun_status map_find_types(map_types *out, const lun_expression *e, bool fp64, lun_error *err)
{
    finder f = {.types = out, .e = e, .widest = fp64 ? LUN_f64 : LUN_f32, .err = err};
    size_t node;
    if (e->texts) {
        find_text_types(out, e);
        return LUN_OK;
    }
    TRY(find_nodes(&f, &node));
    for (size_t i = 0; i < e->result_count; i++) {
        const map_value *result = &out->value[e->results[i]];
        TRY(use_as(&f, e->results[i], result->dtype, false));
        out->result[i] = result->dtype;
    }
    return LUN_OK;
}
