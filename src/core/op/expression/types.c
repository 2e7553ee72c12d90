/* The dtypes of an expression's nodes. */
#include "base/dtype.h"
#include "base/error.h"
#include "op/expression/expression.h"

#include <string.h>

static const map_function functions[] = {
#define NUMBERS TAKES_NUMBERS
#define REALS TAKES_REALS
#define INTEGERS TAKES_INTEGERS
#define TRUTHS TAKES_TRUTHS
#define CHOICE TAKES_CHOICE
#define SAME GIVES_SAME
#define TRUTH GIVES_TRUTH
#define MAP(name, arity, family, takes, gives, ...) {#name, arity, FAMILY_##family, takes, gives, {__VA_ARGS__}},
#include "op/expression/map.def"
#undef MAP
};

const map_function *map_function_of(lun_map_op op) { return &functions[op]; }

/* What pow is for some exponents, with a product or a quotient as the only rounding. */
static bool find_power(lun_map_op *out, lun_number exponent)
{
    static const struct {
        double exponent;
        lun_map_op op;
    } powers[] = {{2, LUN_MAP_square}, {-1, LUN_MAP_recip}};
    const double value = exponent.is_integer ? (double)exponent.integer : exponent.real;
    for (size_t i = 0; i < COUNT(powers); i++)
        if (powers[i].exponent == value) {
            *out = powers[i].op;
            return true;
        }
    return false;
}

bool lun_map_compiles_in(lun_map_op op, unsigned operand, lun_number number)
{
    lun_map_op shorter;
    return op == LUN_MAP_pow && operand == 1 && find_power(&shorter, number);
}

const map_function *map_function_at(const lun_expression *e, const lun_node *node)
{
    lun_map_op shorter;
    const lun_node *second = node->op == LUN_MAP_pow ? &e->nodes[node->args[1]] : NULL;
    const bool found = second && second->kind == LUN_NODE_CONSTANT && find_power(&shorter, second->value);
    return map_function_of(found ? shorter : node->op);
}

lun_status lun_map_find(lun_map_op *out, const char *name, lun_error *err)
{
    for (size_t i = 0; i < COUNT(functions); i++)
        if (strcmp(functions[i].name, name) == 0) {
            *out = (lun_map_op)i;
            return LUN_OK;
        }
    return fail(err, LUN_MISUSE, "unknown function '%.40s'", name);
}

const char *lun_map_name(lun_map_op op) { return functions[op].name; }
unsigned lun_map_arity(lun_map_op op) { return functions[op].arity; }

/* ---- finding them ------------------------------------------------------------------------------------------- */

typedef struct finder {
    map_types *types;
    const lun_expression *e;
    lun_dtype widest; /* float of the device */
    bool used[MAP_NUMBERS];
    lun_error *err;
} finder;

/* The number that a node is; NULL: it is none. */
static const lun_number *number_of(const finder *f, unsigned node)
{
    const lun_node *n = &f->e->nodes[node];
    return n->kind == LUN_NODE_NUMBER ? &f->e->numbers[n->args[0]] : n->kind == LUN_NODE_CONSTANT ? &n->value : NULL;
}

/* The dtype that operands meet in: the arrays' own, where a float among the numbers makes integers f32. */
static map_value meet(const finder *f, const unsigned *args, unsigned count)
{
    map_value met = {.weak = true};
    bool real = false;
    for (unsigned i = 0; i < count; i++) {
        const map_value *v = &f->types->value[args[i]];
        if (v->weak)
            real = real || !dtype_is_whole(v->dtype);
        else
            met = (map_value){false, met.weak ? v->dtype : lun_dtype_promoted(met.dtype, v->dtype), met.operands};
    }
    if (met.weak)
        met.dtype = real ? f->widest : LUN_i64;
    else if (real)
        met.dtype = lun_dtype_promoted_by(met.dtype, lun_real(0));
    return met;
}

static bool fits(lun_dtype dtype, lun_number number)
{
    lun_error ignored;
    double element;
    return lun_number_store(&element, dtype, number, &ignored) == LUN_OK;
}

/* Integers are compared with a whole number, written as a float or not, in their own dtype, or in i64 where that cannot hold the number;
 * with other floats so that no digit of the integers is lost where the device can. */
static void find_comparison(const finder *f, map_value *met, const unsigned *args, unsigned count)
{
    lun_dtype integer = LUN_DTYPES;
    bool whole = true;
    for (unsigned i = 0; i < count; i++) {
        const map_value *v = &f->types->value[args[i]];
        if (!v->weak && dtype_is_whole(v->dtype))
            integer = integer == LUN_DTYPES ? v->dtype : lun_dtype_promoted(integer, v->dtype);
        else if (!v->weak)
            return;
    }
    for (unsigned i = 0; i < count && integer != LUN_DTYPES; i++) {
        const lun_number *number = number_of(f, args[i]);
        const bool own = number && fits(integer, *number),
                   wide = number && integer != LUN_u64 && fits(LUN_i64, *number);
        if (f->types->value[args[i]].weak)
            whole = whole && (own || wide || (number && number->is_integer));
        if (number && !own && wide)
            integer = LUN_i64;
    }
    if (integer != LUN_DTYPES)
        met->dtype = whole ? integer : lun_dtype_bytes(integer) >= sizeof(float) ? f->widest : LUN_f32;
}

/* Notes that a node is used in that dtype. A number that is used in one dtype alone reaches the kernel in it. */
static lun_status use_as(finder *f, unsigned node, lun_dtype dtype)
{
    lun_error *err = f->err;
    lun_status status = LUN_OK;
    double element;
    const lun_node *n = &f->e->nodes[node];
    const lun_number *number = number_of(f, node);
    if (number && dtype_is_whole(dtype))
        TRY(lun_number_store(&element, dtype, *number, err));
    if (n->kind == LUN_NODE_NUMBER) {
        lun_dtype *passed = &f->types->number[n->args[0]];
        if (!f->used[n->args[0]])
            *passed = dtype_computed(dtype);
        else if (*passed != dtype_computed(dtype))
            *passed = number->is_integer ? LUN_i64 : f->widest;
        f->used[n->args[0]] = true;
    }
done:
    return status;
}

static lun_status find_op(finder *f, unsigned node)
{
    lun_error *err = f->err;
    lun_status status = LUN_OK;
    const lun_node *n = &f->e->nodes[node];
    const map_function *function = map_function_of(n->op);
    const unsigned first = function->takes == TAKES_CHOICE ? 1 : 0;
    map_value met = meet(f, n->args + first, function->arity - first);
    if (function->takes == TAKES_REALS && dtype_is_whole(met.dtype))
        met.dtype = met.weak ? f->widest : lun_dtype_promoted_by(met.dtype, lun_real(0));
    if (met.weak && first &&
        !f->types->value[n->args[0]].weak) /* chosen by an array: as an array of its own would be */
        met = (map_value){.dtype = dtype_is_whole(met.dtype) ? LUN_i64 : LUN_f32};
    if (function->takes == TAKES_INTEGERS && !dtype_is_whole(met.dtype))
        FAIL(LUN_MISUSE, "%s takes integers, not %s", function->name, lun_dtype_name(met.dtype));
    if (function->gives == GIVES_TRUTH)
        find_comparison(f, &met, n->args, function->arity);
    for (unsigned i = 0; i < function->arity; i++) {
        const bool alone = function->takes == TAKES_TRUTHS || i < first;
        TRY(use_as(f, n->args[i], alone ? f->types->value[n->args[i]].dtype : met.dtype));
    }
    met.operands = met.dtype;
    if (function->takes == TAKES_TRUTHS || function->gives == GIVES_TRUTH)
        met = (map_value){false, LUN_u8, function->takes == TAKES_TRUTHS ? LUN_u8 : met.dtype};
    f->types->value[node] = met;
done:
    return status;
}

static lun_status find_node(finder *f, unsigned node)
{
    lun_status status = LUN_OK;
    const lun_node *n = &f->e->nodes[node];
    map_value *out = &f->types->value[node];
    switch (n->kind) {
    case LUN_NODE_ARRAY:
        *out = (map_value){.dtype = f->e->arrays[n->args[0]]->dtype};
        break;
    case LUN_NODE_NUMBER:
    case LUN_NODE_CONSTANT:
        *out = (map_value){.weak = true, .dtype = number_of(f, node)->is_integer ? LUN_i64 : f->widest};
        break;
    case LUN_NODE_CAST:
        *out = (map_value){.dtype = n->dtype};
        TRY(use_as(f, n->args[0], f->types->value[n->args[0]].dtype));
        break;
    case LUN_NODE_OP:
        TRY(find_op(f, node));
        break;
    }
done:
    return status;
}

/* Nodes come after those that they use, and use what is there: the host sees to that. */
lun_status map_check_room(const lun_expression *e, lun_error *err)
{
    lun_status status = LUN_OK;
    if (e->node_count > MAP_NODES)
        FAIL(LUN_MISUSE, "the expression has %zu steps; at most %d are possible", e->node_count, MAP_NODES);
    if (e->number_count > MAP_NUMBERS)
        FAIL(LUN_MISUSE, "the expression takes %zu numbers; at most %d are possible", e->number_count, MAP_NUMBERS);
    if (e->result_count + e->array_count > MAP_ARRAYS)
        FAIL(LUN_MISUSE, "the expression has %zu arrays and results; at most %d are possible",
             e->result_count + e->array_count, MAP_ARRAYS);
done:
    return status;
}

/* Of texts: results and numbers have the dtype that is asked for, or the one that holds all arrays' and numbers'. */
static lun_status find_text_types(map_types *out, const lun_expression *e, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_dtype dtype = e->arrays[0]->dtype;
    for (size_t i = 1; i < e->array_count; i++)
        dtype = lun_dtype_promoted(dtype, e->arrays[i]->dtype);
    for (size_t i = 0; i < e->number_count; i++)
        dtype = lun_dtype_promoted_by(dtype, e->numbers[i]);
    /* truth values are computed with as numbers, and are asked for by their name */
    dtype = e->dtype == LUN_DTYPES ? dtype_arithmetic(dtype) : e->dtype;
    TRY(dtype_check_real(dtype, "an expression in OpenCL C", err));
    for (size_t i = 0; i < e->result_count; i++)
        out->result[i] = dtype;
    for (size_t i = 0; i < e->number_count; i++)
        out->number[i] = dtype_computed(dtype);
done:
    return status;
}

/* *node: the one whose function refuses its operands' dtype, if one does. */
static lun_status find_nodes(finder *f, size_t *node)
{
    lun_status status = LUN_OK;
    for (size_t i = 0; i < f->e->number_count; i++)
        f->types->number[i] = LUN_f32;
    for (*node = 0; *node < f->e->node_count; ++*node)
        TRY(find_node(f, (unsigned)*node));
done:
    return status;
}

lun_status lun_map_check(size_t *node, const lun_expression *e, lun_error *err)
{
    lun_status status = LUN_OK;
    map_types types;
    finder f = {.types = &types, .e = e, .err = err};
    f.widest = e->arrays[0]->device->info.fp64 ? LUN_f64 : LUN_f32;
    *node = e->node_count;
    TRY(map_check_room(e, err));
    TRY(find_nodes(&f, node));
done:
    return status;
}

lun_status map_find_types(map_types *out, const lun_expression *e, bool fp64, lun_error *err)
{
    lun_status status = LUN_OK;
    finder f = {.types = out, .e = e, .widest = fp64 ? LUN_f64 : LUN_f32, .err = err};
    size_t node;
    if (e->texts) {
        TRY(find_text_types(out, e, err));
        return LUN_OK;
    }
    TRY(find_nodes(&f, &node));
    for (size_t i = 0; i < e->result_count; i++) {
        const map_value *result = &out->value[e->results[i]];
        TRY(use_as(&f, e->results[i], result->dtype));
        out->result[i] = result->dtype;
    }
done:
    return status;
}
