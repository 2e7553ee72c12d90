/* Users' texts as functions in an expression's kernel. */
#include "base/dtype.h"
#include "base/error.h"
#include "device/device.h"
#include "device/program.h"
#include "op/expression/emit.h"

#include <stdio.h>
#include <string.h>

/* Functions for which texts get the library's own version. They are macros, because an argument may have any type:
 * HYPERBOLIC_TANGENT of parts/map.cl. */
static const char *const corrected[] = {"tanh"};
#define CORRECTED                                                                                                      \
    "#ifndef " RENAMED "tanh\n#define " RENAMED                                                                        \
    "tanh(x) (sizeof(x) == 4 && fabs(x) >= 9.0109134f ? sign(x) : tanh(x))\n#endif\n"

/* Between the function's name and its text: the parameters, and those that are complex as structs. */
static void write_parameters(text_builder *out, const emitted_text *text)
{
    const char *before = "";
    for (size_t l = 0; l < COUNT(text->lists); l++)
        for (size_t i = 0; i < text->lists[l].count; i++, before = ", ") {
            const lun_dtype dtype = text->dtypes[l][i];
            text_add(out, "%sconst %s " RENAMED "%s%s", before, dtype_cl(dtype),
                     lun_dtype_has(dtype, LUN_PAIRS) ? "1" : "", text->lists[l].names[i]);
        }
    text_add(out, *before ? ")\n{\n" : "void)\n{\n");
    for (size_t l = 0; l < COUNT(text->lists); l++)
        for (size_t i = 0; i < text->lists[l].count; i++)
            if (lun_dtype_has(text->dtypes[l][i], LUN_PAIRS))
                text_add(out, "    const TEXT_PAIR " RENAMED "%s = " RENAMED "0number(" RENAMED "1%s);\n",
                         text->lists[l].names[i], text->lists[l].names[i]);
}

/* The body of the function, without its opening brace. */
static lun_status write_returned(text_builder *out, const emitted_text *text, lun_error *err)
{
    static const char blank[] = " \t\r\n";
    ENDED_BY(text_clear) text_builder renamed = {0};
    const name_list lists[] = {text->lists[0], text->lists[1], {corrected, COUNT(corrected)}};
    TRY(rename_check(text->what, text->text, text->lists, COUNT(text->lists), err));
    rename_text(&renamed, text->text, lists, COUNT(lists));
    TRY(text_check(&renamed, err));
    const char *chars = text_chars(&renamed);
    size_t length = renamed.length;
    while (length > 0 && strchr(blank, chars[length - 1]))
        length--;
    unsigned line = 1;
    int column = 0; /* of the last line */
    for (size_t i = 0; i < length; i++, column++) {
        if (chars[i] == '\n') {
            line++;
            column = -1;
        }
    }
    text_add(out, "%s    return", strstr(chars, RENAMED "tanh") ? CORRECTED : "");
    if (lun_dtype_has(text->gives, LUN_PAIRS))
        text_add(out, " " RENAMED "0to_%s", dtype_cl(text->gives));
    text_add(out, "\n#line 1 \"%s\"\n(\n#line 1 \"%s\"\n%s\n", text->name, text->name, chars);
    text_add(out, "#line %u \"%s\"\n%*s);\n#line 1 \"texts\"\n}\n", line, text->name, column, "");
    return LUN_OK;
}

lun_status emit_function(text_builder *out, const char *name, size_t number, const emitted_text *text, lun_error *err)
{
    const bool truth = lun_dtype_has(text->gives, LUN_TRUTHS); /* what is not 0 becomes 1 */
    text_add(out, "inline %s " RENAMED, truth ? "bool" : emit_computed(text->gives));
    text_add(out, name, number);
    text_add(out, "(");
    write_parameters(out, text);
    return write_returned(out, text, err);
}

/* The widest complex dtype in the texts; LUN_DTYPES: none. */
static lun_dtype widest_pairs(const map_form *form)
{
    const lun_expression *e = form->expression;
    lun_dtype widest = LUN_DTYPES;
    const lun_dtype *dtypes[] = {form->types->result, form->types->number};
    const size_t counts[] = {e->result_count, e->number_count};
    for (size_t l = 0; l < COUNT(counts); l++)
        for (size_t i = 0; i < counts[l]; i++)
            if (lun_dtype_has(dtypes[l][i], LUN_PAIRS))
                widest = widest == LUN_DTYPES ? dtypes[l][i] : lun_dtype_promoted(widest, dtypes[l][i]);
    for (size_t i = 0; i < e->array_count; i++)
        if (lun_dtype_has(e->arrays[i]->dtype, LUN_PAIRS))
            widest = widest == LUN_DTYPES ? e->arrays[i]->dtype : lun_dtype_promoted(widest, e->arrays[i]->dtype);
    return widest;
}

void emit_pairs(text_builder *out, const map_form *form)
{
    const lun_dtype pairs = widest_pairs(form), part = lun_dtype_part(pairs == LUN_DTYPES ? LUN_c64 : pairs);
    const struct kernel_source *source = kernel_source_find("map_pairs");
    if (pairs == LUN_DTYPES || !source)
        return;
    text_add(out, "%s%s#define TEXT_PAIR %s\n#define TEXT_REAL %s\n#line 1 \"map_pairs.cl\"\n%s\n",
             form->expression->arrays[0]->device->info.fp64 ? "#define HAS_F64 1\n" : "",
             part == LUN_f64 ? "#define TEXT_WIDENS 1\n" : "", lun_dtype_name(pairs), dtype_cl(part), source->text);
}

/* The dtype of an array's elements in a text: integers are converted to the dtype that holds all of them, as for
 * operators; C would convert some signed ones to unsigned. */
static lun_dtype seen_dtype(const lun_expression *e, size_t array)
{
    lun_dtype seen = e->arrays[array]->dtype;
    for (size_t k = 0; k < e->array_count && dtype_is_whole(seen); k++)
        seen = dtype_is_whole(e->arrays[k]->dtype) ? lun_dtype_promoted(seen, e->arrays[k]->dtype) : seen;
    return seen;
}

lun_status emit_results(text_builder *out, const map_form *form, lun_error *err)
{
    const lun_expression *e = form->expression;
    const char *what = e->text_name ? e->text_name : "expression";
    char name[40];
    lun_dtype arrays[LUN_MAP_ARRAYS];
    for (size_t k = 0; k < e->array_count; k++)
        arrays[k] = dtype_computed(seen_dtype(e, k));
    text_add(out, "#line 1 \"texts\"\n");
    for (size_t i = 0; e->texts && i < e->result_count; i++) {
        snprintf(name, sizeof name, e->result_count > 1 ? "%s %zu" : "%s", what, i + 1);
        const emitted_text text = {e->text_name ? e->text_name : "the expression",
                                   name,
                                   e->texts[i],
                                   {{e->array_names, e->array_count}, {e->number_names, e->number_count}},
                                   {arrays, form->types->number},
                                   form->types->result[i]};
        TRY(emit_function(out, "%zu", i, &text, err));
    }
    return LUN_OK;
}

lun_status map_write_texts(text_builder *out, const void *data, lun_error *err)
{
    emit_pairs(out, data);
    return emit_results(out, data, err);
}

/* "v3", or its component of that number. */
static void write_component(const writer *w, char letter, size_t number, unsigned component)
{
    text_add(w->out, w->width == 1 ? "%c%zu" : "%c%zu.s%x", letter, number, component);
}

static void call_text(const writer *w, size_t text, unsigned component)
{
    const lun_expression *e = w->form->expression;
    text_add(w->out, RENAMED "%zu(", text);
    for (size_t k = 0; k < e->array_count; k++) {
        text_add(w->out, k ? ", " : "");
        write_component(w, 'v', k, component);
    }
    for (size_t k = 0; k < e->number_count; k++)
        text_add(w->out, ", n%zu", k);
    text_add(w->out, ")");
}

/* r<result> = a text's value: texts compute one element, so a vector's are computed one by one. */
void emit_text_result(const writer *w, size_t result, lun_dtype dtype)
{
    text_add(w->out, "(%s)(", emit_type(w, dtype).text);
    for (unsigned component = 0; component < w->width; component++) {
        text_add(w->out, component ? ", " : "");
        call_text(w, result, component);
    }
    text_add(w->out, ")");
}
