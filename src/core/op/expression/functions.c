/* The elementwise functions: the rows of map.def, by number and by name. */
#include "api/functions.h"
#include "base/error.h"
#include "call/promised.h"
#include "op/expression/expression.h"

#include <string.h>

static const map_function functions[] = {
#define NUMBERS TAKES_NUMBERS
#define DIFFERENCES TAKES_DIFFERENCES
#define REALS TAKES_REALS
#define POWERS TAKES_POWERS
#define INTEGERS TAKES_INTEGERS
#define TRUTHS TAKES_TRUTHS
#define CHOICE TAKES_CHOICE
#define COUNTED TAKES_COUNTED
#define SAME GIVES_SAME
#define TRUTH GIVES_TRUTH
#define PART GIVES_PART
#define PAIR GIVES_PAIR
#define INTEGER GIVES_WHOLE
#define ROW(name, arity, family, takes, gives, hosted, ...)                                                            \
    {#name, arity, FAMILY_##family, takes, gives, {__VA_ARGS__}, hosted},
#define MAP(name, says, arity, family, takes, gives, ...) ROW(name, arity, family, takes, gives, false, __VA_ARGS__)
#define HOSTED(name, says, arity, family, takes, gives, ...) ROW(name, arity, family, takes, gives, true, __VA_ARGS__)
#include "op/expression/map.def"
#undef MAP
#undef ROW
};

const map_function *map_function_of(lun_map_op op) { return &functions[op]; }

const char *map_promised(lun_map_op op)
{
    const map_function *function = &functions[op];
    const bool reals = function->takes == TAKES_REALS;
    if (function->gives == GIVES_TRUTH || function->takes == TAKES_TRUTHS)
        return "bool n m";
    if (function->gives == GIVES_PAIR)
        return "complex n m";
    if (function->gives == GIVES_PART)
        return reals ? "angle n m" : "size n m";
    if (reals || function->takes == TAKES_POWERS)
        return reals ? "single n m" : "pow n m";
    return function->expression[NUMBERS_TRUTHS] || function->takes == TAKES_CHOICE ? "same n m" : "number n m";
}

/* Simpler functions for pow with some exponents, with only one rounding, of a product or a quotient. */
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

bool lun_map_takes_truths(lun_map_op op)
{
    const map_function *function = &functions[op];
    return function->expression[NUMBERS_TRUTHS] || function->takes == TAKES_TRUTHS || function->takes == TAKES_CHOICE;
}

const char *lun_map_name(lun_map_op op) { return functions[op].name; }
unsigned lun_map_arity(lun_map_op op) { return functions[op].arity; }
bool lun_map_is_hosted(lun_map_op op) { return functions[op].hosted; }
