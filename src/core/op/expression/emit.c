/* The text of an expression's kernel: the macros for kernels/parts/map.cl. */
#include "op/expression/emit.h"
#include "base/dtype.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

/* ---- elements ---------------------------------------------------------------------------------------------------- */

/* Are the elements of a vector read and written one by one? */
static bool is_scattered(const writer *w, size_t array)
{
    return w->form->inner[array] == INNER_STRIDED || (w->width > 1 && w->form->spread > 1) || emit_seeks(w, array);
}

/* The place of a vector's i-th element in memory. */
static void write_place(const writer *w, size_t array, unsigned i)
{
    const unsigned at = i * w->form->spread;
    const bool strided = w->form->inner[array] == INNER_STRIDED;
    const char first = w->pieces && emit_reads_row(w->form, array) ? 'q' : 'p';
    if (emit_seeks(w, array)) {
        text_add(w->out, "p%zu[", array);
        emit_position(w, array, at);
        if (strided)
            text_add(w->out, " * s%zu", array);
        text_add(w->out, "]");
    } else if (strided) { /* the second product is the same for all rounds of a loop */
        text_add(w->out, "%c%zu[(j) * s%zu + %u * s%zu]", first, array, array, at, array);
    } else {
        text_add(w->out, "%c%zu[(j) + %u]", first, array, at);
    }
}

/* The elements of an array at j, in their stored form. */
static void write_load(const writer *w, size_t array)
{
    const map_form *form = w->form;
    const lun_dtype dtype = form->arrays[array]->dtype;
    const type_name stored = emit_vector(w, dtype_stored(dtype));
    const char *packing = dtype_packing(dtype);
    if (*packing)
        text_add(w->out, "unpack_%s", emit_vector(w, packing).text);
    text_add(w->out, "(");
    if (is_scattered(w, array)) {
        text_add(w->out, "(%s)(", stored.text);
        for (unsigned i = 0; i < w->width; i++) {
            text_add(w->out, i ? ", (" : "(");
            emit_inside(w, array, i * form->spread);
            write_place(w, array, i);
            emit_outside(w, array, 1);
            text_add(w->out, ")");
        }
        text_add(w->out, "))");
        return;
    }
    emit_inside(w, array, 0);
    if (w->width == 1) {
        text_add(w->out, "p%zu[j]", array);
    } else if (form->aligned) {
        text_add(w->out, "*(global const %s *)(p%zu + (j))", stored.text, array);
    } else if (form->anywhere) {
        text_add(w->out, "*(global const %s_anywhere *)(p%zu + (j))", stored.text, array);
    } else {
        text_add(w->out, "vload%u(0, %c%zu + (j))", w->width, w->pieces && emit_reads_row(form, array) ? 'q' : 'p',
                 array);
    }
    emit_outside(w, array, w->width);
    text_add(w->out, ")");
}

/* Stores a result's value, which r<array> holds in its stored form. */
static void write_store(const writer *w, size_t array)
{
    const map_form *form = w->form;
    const type_name stored = emit_vector(w, dtype_stored(form->arrays[array]->dtype));
    if (is_scattered(w, array)) {
        for (unsigned i = 0; i < w->width; i++) {
            text_add(w->out, " ");
            write_place(w, array, i);
            text_add(w->out, w->width > 1 ? " = r%zu.s%x;" : " = r%zu;", array, i);
        }
    } else if (w->width == 1) {
        text_add(w->out, " p%zu[j] = r%zu;", array, array);
    } else if (form->stream && array == 0) {
        text_add(w->out, " STORE_PAST_CACHE((global %s *)(p0 + (j)), r0);", stored.text);
    } else if (form->aligned) {
        text_add(w->out, " *(global %s *)(p%zu + (j)) = r%zu;", stored.text, array, array);
    } else {
        text_add(w->out, " vstore%u(r%zu, 0, p%zu + (j));", w->width, array, array);
    }
}

/* Declares v<node>: the elements of an array. */
static void write_array(const writer *w, size_t node, size_t array)
{
    const type_name type = emit_type(w, w->form->arrays[array]->dtype);
    text_add(w->out, " const %s v%zu = ", type.text, node);
    if (w->form->inner[array] == INNER_SINGLE)
        text_add(w->out, "(%s)(e%zu)", type.text, array);
    else
        write_load(w, array);
    text_add(w->out, ";");
}

/* ---- values ------------------------------------------------------------------------------------------------------- */

/* Declares v<node> from its kept value; or keeps it. */
static void write_kept(const writer *w, size_t node, emit_role role)
{
    const type_name type = emit_type(w, w->form->types->value[node].dtype);
    if (role == EMIT_AGAIN && w->width == 1)
        text_add(w->out, " const %s v%zu = kept%zu[FUSED_AT(j)];", type.text, node, node);
    else if (role == EMIT_AGAIN)
        text_add(w->out, " const %s v%zu = vload%u(0, kept%zu + (j));", type.text, node, w->width, node);
    else if (w->width == 1)
        text_add(w->out, " kept%zu[FUSED_AT(j)] = v%zu;", node, node);
    else
        text_add(w->out, " vstore%u(v%zu, 0, kept%zu + (j));", w->width, node, node);
}

static void write_node(const writer *w, size_t node)
{
    const lun_node *n = &w->form->expression->nodes[node];
    if (n->kind == LUN_NODE_ARRAY)
        write_array(w, node, w->form->out_count + n->args[0]);
    else if (n->kind == LUN_NODE_OP)
        emit_op(w, (unsigned)node);
    else if (n->kind == LUN_NODE_CAST)
        emit_cast(w, (unsigned)node);
}

/* Declares v0, v1 ...: the values of the nodes. */
static void write_nodes(const writer *w)
{
    const lun_expression *e = w->form->expression;
    for (size_t k = 0; e->texts && k < e->array_count; k++)
        write_array(w, k, w->form->out_count + k);
    for (size_t i = 0; !e->texts && i < e->node_count; i++) {
        const emit_role role = w->roles ? (emit_role)w->roles[i] : EMIT_COMPUTED;
        if (role == EMIT_COMPUTED || role == EMIT_KEPT)
            write_node(w, i);
        if (role == EMIT_KEPT || role == EMIT_AGAIN)
            write_kept(w, i, role);
    }
}

/* A result's value in the computed type of its dtype. */
static void write_result(const writer *w, size_t result)
{
    const lun_expression *e = w->form->expression;
    const lun_dtype dtype = w->form->types->result[result];
    if (e->texts)
        emit_text_result(w, result, dtype);
    else
        emit_value(w, e->results[result], dtype);
}

void emit_step(const writer *w, const char *name)
{
    text_add(w->out, "#define %s(j) {", name);
    write_nodes(w);
    for (size_t i = 0; i < w->form->out_count; i++) {
        const lun_dtype dtype = w->form->types->result[i];
        const type_name packed = emit_vector(w, dtype_packing(dtype));
        text_add(w->out, " const %s r%zu = ", emit_vector(w, dtype_stored(dtype)).text, i);
        text_add(w->out, dtype_is_packed(dtype) ? "pack_%s(" : "%.0s(", packed.text);
        write_result(w, i);
        text_add(w->out, ");");
    }
    for (size_t i = 0; i < w->form->out_count; i++)
        write_store(w, i);
    text_add(w->out, " }\n");
}

void emit_values(const writer *w, const char *name, unsigned results)
{
    text_add(w->out, "#define %s(j)", name);
    write_nodes(w);
    for (size_t i = 0; i < w->form->expression->result_count; i++) {
        if (!(results >> i & 1))
            continue;
        text_add(w->out, " const %s r%zu = ", emit_type(w, w->form->types->result[i]).text, i);
        write_result(w, i);
        text_add(w->out, ";");
    }
    text_add(w->out, "\n");
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

/* Parts of the kernels' text that only some functions need: those that use the macro or function. */
static const struct {
    const char *used, *wanted;
} parts[] = {{"CIRCULAR(", "MAP_CIRCULAR"},      {"FMOD(", "MAP_REMAINDER"},
             {"REAL_MOD(", "MAP_REMAINDER"},     {"POWER(", "MAP_POWER"},
             {"SPECIAL", "MAP_SPECIAL"},         {"WHOLE_OF(", "MAP_WHOLE"},
             {"complex_", "MAP_PAIR_FUNCTIONS"}, {"complex_a", "MAP_PAIR_INVERSES"}};

static void write_functions(const writer *w, const map_form *form)
{
    const lun_expression *e = form->expression;
    for (size_t i = 0; i < e->node_count; i++) {
        if (e->nodes[i].kind != LUN_NODE_OP)
            continue;
        const map_function *function = map_function_at(e, &e->nodes[i]);
        const unsigned numbers = emit_numbers(form->types->value[i].operands);
        static const char *const operands[] = {"", ", a", ", a, b", ", a, b, c"};
        text_add(w->out, "#define map_%s_%u(TYPE, BITS, LOGICAL, ARITHMETIC%s) (%s)\n", function->name, numbers,
                 operands[function->arity], function->expression[numbers]);
        for (size_t k = 0; k < COUNT(parts); k++)
            if (strstr(function->expression[numbers], parts[k].used))
                text_add(w->out, "#undef %s\n#define %s 1\n", parts[k].wanted, parts[k].wanted);
        if (form->types->value[i].parted)
            text_add(w->out, "#undef MAP_ORDER\n#define MAP_ORDER 1\n");
    }
}

static void write_parameters(const writer *w)
{
    const map_form *form = w->form;
    text_add(w->out, "#define MAP_PARAMETERS ");
    for (size_t i = 0; i < form->array_count; i++)
        text_add(w->out, ", global %s%s *%c%zu", i < form->out_count ? "" : "const ",
                 dtype_stored(form->arrays[i]->dtype), i < form->out_count ? 'o' : 'i', i);
    for (size_t i = 0; i < form->expression->number_count; i++)
        text_add(w->out, ", const %s n%zu", dtype_cl(form->types->number[i]), i);
    text_add(w->out, "\n#define MAP_ARGUMENTS ");
    for (size_t i = 0; i < form->array_count; i++)
        text_add(w->out, ", %c%zu", i < form->out_count ? 'o' : 'i', i);
    for (size_t i = 0; i < form->expression->number_count; i++)
        text_add(w->out, ", n%zu", i);
    text_add(w->out, "\n");
}

void emit_common(const writer *w)
{
    const map_form *form = w->form;
    if (form->stream)
        text_add(w->out, "#define MAP_STREAMS %u\n#define MAP_FIRST(j) (p0 + (j))\n", form->stream);
    text_add(w->out, "#define WIDTH %u\n", form->width);
    if (form->expression->reads)
        text_add(w->out, "#define MAP_READS 1\n");
    write_parameters(w);
    emit_row(w);
    if (form->pieces)
        emit_pieces(w);
    if (form->expression->texts)
        return;
    /* Each step is rounded, like an operator's result: otherwise GPUs fuse the product and the sum of two steps. */
    text_add(w->out, "#pragma OPENCL FP_CONTRACT OFF\n");
    const unsigned members = map_count_members(form);
    for (unsigned i = 0; i < members; i++) {
        map_form one;
        map_member member;
        map_take_member(&one, &member, form, i);
        write_functions(w, &one);
    }
    if (!members)
        write_functions(w, form);
}

static void write_steps(text_builder *out, const map_form *form)
{
    const writer vectors = {out, form, form->width, form->pieces, NULL}, singles = {out, form, 1, false, NULL};
    emit_step(&singles, "MAP_STEP_1");
    emit_step(&vectors, "MAP_STEP_V");
}

lun_status map_write_text(text_builder *out, const void *data, lun_error *err)
{
    const map_form *form = data;
    const writer singles = {out, form, 1, false, NULL};
    if (form->expression->texts)
        text_add(out, "#define MAP_TEXT 1\n");
    emit_common(&singles);
    if (!form->family)
        write_steps(out, form);
    return text_check(out, err);
}

lun_status map_write_member(text_builder *out, const void *data, unsigned i, lun_error *err)
{
    map_form form;
    map_member member;
    map_take_member(&form, &member, data, i);
    text_add(out, "#undef MAP_KERNEL\n#undef MAP_STEP_1\n#undef MAP_STEP_V\n#define MAP_KERNEL ");
    map_write_kernel_name(out, &form, "");
    text_add(out, "\n");
    write_steps(out, &form);
    return text_check(out, err);
}

/* The macro that prefetches the elements from j on of contiguous arrays. */
static void write_fetch(const writer *w)
{
    const map_form *form = w->form;
    text_add(w->out, "#define MAP_FETCH(j, place)");
    for (size_t i = 0; i < form->array_count; i++)
        if (form->inner[i] != INNER_SINGLE && form->inner[i] != INNER_STRIDED)
            text_add(w->out, " MAP_FETCH_ONE(p%zu + (j), place)", i);
    text_add(w->out, "\n");
}

/* Types of vectors at any address. Clang 14 and 15 split vload8 into loads of two elements if that suits the following
 * sums: variances took a sixth longer. */
static void write_anywhere(const writer *w)
{
    const map_form *form = w->form;
    for (size_t i = 0; i < form->array_count; i++) {
        const char *stored = dtype_stored(form->arrays[i]->dtype);
        const type_name vector = emit_vector(w, stored);
        size_t first = 0; /* array of that type */
        while (strcmp(stored, dtype_stored(form->arrays[first]->dtype)) != 0)
            first++;
        if (first == i)
            text_add(w->out, "typedef %s %s_anywhere __attribute__((aligned(%zu)));\n", vector.text, vector.text,
                     lun_dtype_bytes(form->arrays[i]->dtype));
    }
}

void map_write_values(text_builder *out, const map_form *form)
{
    const writer vectors = {out, form, form->width, false, NULL}, singles = {out, form, 1, false, NULL};
    emit_common(&singles);
    write_fetch(&singles);
    if (form->anywhere)
        write_anywhere(&vectors);
    emit_values(&singles, "MAP_VALUES_1", ~0u);
    emit_values(&vectors, "MAP_VALUES_V", ~0u);
}

void map_write_defines(text_builder *out, const map_form *form)
{
    unsigned met = 0; /* a bit for each dtype */
    for (size_t i = 0; !form->expression->texts && i < form->expression->node_count; i++)
        met |= 1u << form->types->value[i].dtype;
    for (size_t i = 0; i < form->array_count; i++)
        met |= 1u << form->arrays[i]->dtype;
    for (; met; met &= met - 1) {
        const lun_dtype dtype = (lun_dtype)__builtin_ctz(met);
        if (dtype_is_packed(dtype))
            text_add(out, "#define SRC_ENCODED_%s 1\n", dtype_encoding(dtype));
    }
    if (!map_is_real(form))
        text_add(out, "#define HAS_PAIRS 1\n");
}
