/* The text of an expression's nodes: numbers, functions and casts, as OpenCL C for one element or for a vector. */
#include "api/functions.h"
#include "base/dtype.h"
#include "base/order.h"
#include "op/expression/emit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- types and numbers ------------------------------------------------------------------------------------------ */

type_name emit_vector(const writer *w, const char *scalar)
{
    type_name name;
    if (w->width == 1)
        snprintf(name.text, sizeof name.text, "%s", scalar);
    else
        snprintf(name.text, sizeof name.text, "%s%u", scalar, w->width);
    return name;
}

const char *emit_computed(lun_dtype dtype) { return dtype_cl(dtype_computed(dtype)); }

type_name emit_type(const writer *w, lun_dtype dtype) { return emit_vector(w, emit_computed(dtype)); }

static const char *of_bytes(size_t bytes, bool with_sign)
{
    static const char *const with[] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long"};
    static const char *const without[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    return (with_sign ? with : without)[bytes];
}

/* The type of conditions on that dtype. */
static type_name mask_of(const writer *w, lun_dtype dtype)
{
    return emit_vector(w, of_bytes(lun_dtype_bytes(lun_dtype_part(dtype_computed(dtype))), true));
}

static unsigned long long whole_bits(lun_number number)
{
    if (number.is_integer)
        return (unsigned long long)number.integer;
    return number.real < 0 ? (unsigned long long)(long long)number.real : (unsigned long long)number.real;
}

static void write_float(const writer *w, double x, lun_dtype dtype)
{
    char text[40];
    x = dtype == LUN_f32 ? (double)(float)x : x; /* infinite too, where f32 cannot hold it */
    if (isnan(x))
        text_add(w->out, "NAN");
    else if (isinf(x))
        text_add(w->out, x < 0 ? "-INFINITY" : "INFINITY");
    else {
        lun_number_text(text, sizeof text, 0, x);
        text_add(w->out, "%s%s", text, dtype == LUN_f32 ? "f" : "");
    }
}

static void write_literal(const writer *w, lun_number number, lun_dtype dtype)
{
    const lun_dtype computed = dtype_computed(dtype), part = lun_dtype_part(computed);
    if (dtype_is_whole(computed)) {
        text_add(w->out, "(%s)0x%llxUL", dtype_cl(computed), whole_bits(number));
        return;
    }
    write_float(w, number.real, part);
    if (part != computed) {
        text_add(w->out, ", ");
        write_float(w, number.imaginary, part);
    }
}

/* A node's value in that dtype's computed type. */
void emit_value(const writer *w, unsigned node, lun_dtype dtype)
{
    const lun_node *n = &w->form->expression->nodes[node];
    const lun_dtype has = dtype_computed(n->kind == LUN_NODE_NUMBER ? w->form->types->number[n->args[0]]
                                                                    : w->form->types->value[node].dtype);
    const type_name type = emit_type(w, dtype);
    const bool same = has == dtype_computed(dtype), number = n->kind == LUN_NODE_NUMBER;
    const bool pairs = lun_dtype_has(has, LUN_PAIRS);
    if (lun_dtype_has(dtype, LUN_PAIRS) && !pairs && n->kind != LUN_NODE_CONSTANT) {
        text_add(w->out, "(%s)((%s)(%c%u), 0)", type.text, dtype_cl(lun_dtype_part(dtype)), number ? 'n' : 'v',
                 number ? n->args[0] : node);
    } else if (n->kind == LUN_NODE_CONSTANT) {
        text_add(w->out, "(%s)(", type.text);
        write_literal(w, n->value, dtype);
        text_add(w->out, ")");
    } else if (n->kind == LUN_NODE_NUMBER) {
        text_add(w->out,
                 same    ? "(%s)(%.0sn%u)"
                 : pairs ? "convert_%s(%.0sn%u)"
                         : "(%s)((%s)n%u)",
                 type.text, emit_computed(dtype), n->args[0]);
    } else {
        text_add(w->out, same ? "%.0sv%u" : "convert_%s(v%u)", type.text, node);
    }
}

/* ---- nodes -------------------------------------------------------------------------------------------------------- */

/* Is the node's value not 0? */
static void write_is_true(const writer *w, unsigned node)
{
    const lun_dtype dtype = w->form->types->value[node].dtype;
    const bool pair = lun_dtype_has(dtype, LUN_PAIRS);
    text_add(w->out, pair ? "PAIR_IS_TRUE(" : "(");
    emit_value(w, node, dtype);
    if (!pair)
        text_add(w->out, " != (%s)(0)", emit_type(w, dtype).text);
    text_add(w->out, ")");
}

/* The same as u8, 0 or 1. */
static void write_truth(const writer *w, unsigned node)
{
    text_add(w->out, w->width == 1 ? "(uchar)" : "TRUTHS(%u, ", w->width);
    write_is_true(w, node);
    text_add(w->out, w->width == 1 ? "" : ")");
}

static void write_condition(const writer *w, unsigned node, lun_dtype operands)
{
    const type_name mask = mask_of(w, operands);
    text_add(w->out, w->width == 1 ? "(%s)" : "convert_%s", mask.text);
    write_is_true(w, node);
}

/* A number in the dtype of the array that it is compared with. */
static void write_rounded(const writer *w, unsigned node, lun_dtype dtype)
{
    const type_name packed = emit_vector(w, dtype_packing(dtype));
    if (dtype_is_packed(dtype))
        text_add(w->out, "unpack_%s(pack_%s(", packed.text, packed.text);
    emit_value(w, node, dtype);
    if (dtype_is_packed(dtype))
        text_add(w->out, "))");
}

/* A number that limits elements of that dtype may be outside its range, except for 64-bit dtypes. */
static bool is_limit(const writer *w, lun_map_op op, unsigned node, lun_dtype dtype)
{
    const lun_node_kind kind = w->form->expression->nodes[node].kind;
    const bool number = kind == LUN_NODE_NUMBER || kind == LUN_NODE_CONSTANT;
    const bool limits = op == LUN_MAP_minimum || op == LUN_MAP_maximum || op == LUN_MAP_fmin || op == LUN_MAP_fmax ||
                        op == LUN_MAP_clamp;
    return number && limits && dtype_is_whole(dtype) && lun_dtype_bytes(dtype) < 8;
}

static void write_limit(const writer *w, unsigned node, lun_dtype dtype)
{
    const lun_node *n = &w->form->expression->nodes[node];
    text_add(w->out, "(%s)(convert_%s_sat(", emit_type(w, dtype).text, emit_computed(dtype));
    if (n->kind == LUN_NODE_CONSTANT)
        write_literal(w, n->value, LUN_i64);
    else
        text_add(w->out, "n%u", n->args[0]);
    text_add(w->out, "))");
}

map_numbers emit_numbers(lun_dtype dtype)
{
    if (lun_dtype_has(dtype, LUN_PAIRS))
        return NUMBERS_PAIRS;
    if (lun_dtype_has(dtype, LUN_TRUTHS))
        return NUMBERS_TRUTHS;
    return !dtype_is_whole(dtype) ? NUMBERS_REAL : lun_dtype_has(dtype, LUN_SIGNED) ? NUMBERS_SIGNED : NUMBERS_UNSIGNED;
}

/* For a comparison by parts: declares a<node>, which compares to 0, b<node>, as one operand to the other. */
static void write_order(const writer *w, unsigned node)
{
    const map_value *value = &w->form->types->value[node];
    const type_name type = emit_type(w, value->operands);
    type_name parted[2];
    int pair = -1; /* which of them is complex */
    for (unsigned i = 0; i < 2; i++) {
        const lun_dtype dtype = dtype_parted(value->compared[i]);
        parted[i] = emit_type(w, lun_dtype_part(dtype));
        if (lun_dtype_has(dtype, LUN_PAIRS))
            pair = (int)i;
        text_add(w->out, " const %s part_%c%u = ", emit_type(w, dtype).text, "xy"[i], node);
        emit_value(w, w->form->expression->nodes[node].args[i], dtype);
        text_add(w->out, ";");
    }
    text_add(w->out, " const %s a%u = ", type.text, node);
    if (pair >= 0)
        text_add(w->out, "part_%c%u.y != 0 ? NAN : ", "xy"[pair], node);
    text_add(w->out, "ORDER(%s, %s, %s, part_x%u%s, part_y%u%s), b%u = (%s)(0);", parted[0].text, parted[1].text,
             type.text, node, pair == 0 ? ".x" : "", node, pair == 1 ? ".x" : "", node, type.text);
}

/* Declares the bits of signed operands from 2^63 on, which those have that were u64. */
static void write_tops(const writer *w, unsigned node, unsigned arity)
{
    const lun_expression *e = w->form->expression;
    const map_value *values = w->form->types->value;
    const type_name type = emit_type(w, values[node].operands), bits = emit_vector(w, "ulong");
    for (unsigned i = 0; i < arity; i++) {
        const map_value *value = &values[e->nodes[node].args[i]];
        text_add(w->out, " const %s %c%u_top = ", type.text, "abc"[i], node);
        if (values[node].operands != LUN_i64)
            text_add(w->out, "(%s)(0);", type.text);
        else if (value->dtype == LUN_u64)
            text_add(w->out, "as_%s(as_%s(%c%u) >> (%s)(63));", type.text, bits.text, "abc"[i], node, bits.text);
        else
            text_add(w->out, "%c%u >> (%s)(63);", "abc"[i], node, type.text);
    }
}

static void write_operands(const writer *w, unsigned node, const map_function *function)
{
    const lun_node *n = &w->form->expression->nodes[node];
    const map_value *value = &w->form->types->value[node];
    const type_name type = emit_type(w, value->operands);
    for (unsigned i = 0; i < function->arity; i++) {
        const bool condition = function->takes == TAKES_CHOICE && i == 0;
        text_add(w->out, " const %s %c%u = ", (condition ? mask_of(w, value->operands) : type).text, "abc"[i], node);
        if (condition)
            write_condition(w, n->args[i], value->operands);
        else if (function->takes == TAKES_TRUTHS)
            write_truth(w, n->args[i]);
        else if (function->gives == GIVES_TRUTH && w->form->types->value[n->args[i]].weak)
            write_rounded(w, n->args[i], value->operands);
        else if (is_limit(w, n->op, n->args[i], value->operands))
            write_limit(w, n->args[i], value->operands);
        else
            emit_value(w, n->args[i], value->operands);
        text_add(w->out, ";");
    }
    if (strstr(function->expression[emit_numbers(value->operands)], "LESS("))
        write_tops(w, node, function->arity);
}

/* "convert_<integers>_sat_rtz(<name> == <name> ? <name> : 0)": a NaN is 0 on every device. */
static void write_whole(const writer *w, unsigned node, lun_dtype dtype, lun_dtype has)
{
    text_add(w->out, "convert_%s_sat_rtz(whole%u == whole%u ? whole%u : (%s)(0));", emit_type(w, dtype).text, node,
             node, node, emit_type(w, has).text);
}

/* v<node> = the function of a<node>, b<node>, c<node>. */
void emit_op(const writer *w, unsigned node)
{
    const lun_node *n = &w->form->expression->nodes[node];
    const map_function *function = map_function_at(w->form->expression, n);
    const map_value *value = &w->form->types->value[node];
    const type_name type = emit_type(w, value->operands);
    const size_t bytes = lun_dtype_bytes(lun_dtype_part(dtype_computed(value->operands)));
    const bool truth = function->gives == GIVES_TRUTH;
    if (value->parted)
        write_order(w, node);
    else
        write_operands(w, node, function);
    const bool rounded = function->gives == GIVES_WHOLE && !dtype_is_whole(value->operands);
    text_add(w->out, rounded ? " const %s whole%u = round(" : " const %s v%u = ",
             (rounded ? type : emit_type(w, value->dtype)).text, node);
    if (truth)
        text_add(w->out, w->width == 1 ? "(uchar)(" : "TRUTHS(%u, (", w->width);
    text_add(w->out, "map_%s_%u(%s, %zu, as_%s, %s%s%s", function->name, (unsigned)emit_numbers(value->operands),
             type.text, 8 * bytes, emit_vector(w, of_bytes(bytes, false)).text, w->width == 1 ? "(" : "as_", type.text,
             w->width == 1 ? ")" : "");
    for (unsigned i = 0; i < function->arity; i++)
        text_add(w->out, ", %c%u", "abc"[i], node);
    text_add(w->out, (truth && w->width > 1) ? ")));" : truth || rounded ? "));" : ");");
    if (rounded) {
        text_add(w->out, " const %s v%u = ", emit_type(w, value->dtype).text, node);
        write_whole(w, node, value->dtype, value->operands);
    }
}

/* As `cast`: saturates, truncates or rounds, and converts NaN to 0; rounds to 16-bit floats. */
void emit_cast(const writer *w, unsigned node)
{
    const lun_node *n = &w->form->expression->nodes[node];
    const unsigned from = n->args[0];
    const lun_dtype has = w->form->types->value[from].dtype;
    const type_name type = emit_type(w, n->dtype);
    const char *packing = dtype_packing(n->dtype);
    const bool cuts = dtype_is_whole(n->dtype) && !dtype_is_whole(has) && n->dtype != LUN_bool;
    if (cuts) {
        text_add(w->out, " const %s whole%u = %s(", emit_type(w, has).text, node, n->rounds ? "round" : "");
        emit_value(w, from, has);
        text_add(w->out, ");");
    }
    text_add(w->out, " const %s v%u = ", type.text, node);
    if (cuts) {
        write_whole(w, node, n->dtype, has);
        return;
    }
    if (*packing) {
        const type_name packed = emit_vector(w, packing);
        text_add(w->out, "unpack_%s(pack_%s(", packed.text, packed.text);
    }
    if (lun_dtype_has(n->dtype, LUN_TRUTHS)) {
        write_truth(w, from);
    } else if (dtype_is_whole(n->dtype)) {
        text_add(w->out, "convert_%s_sat(", type.text);
        emit_value(w, from, has);
        text_add(w->out, ")");
    } else {
        emit_value(w, from, n->dtype);
    }
    text_add(w->out, *packing ? "));" : ";");
}
