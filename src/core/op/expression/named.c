/* Expressions of texts in requests: the texts, and the arrays and numbers that they name. */
#include "op/expression/named.h"

#include <stdlib.h>
#include <string.h>

void named_begin(named_expression *x, const char *name)
{
    x->e = (lun_expression){.name = name,
                            .texts = x->texts,
                            .arrays = x->arrays,
                            .numbers = x->numbers,
                            .array_names = x->array_names,
                            .number_names = x->number_names,
                            .dtype = LUN_DTYPES};
}

lun_status named_read_texts(named_expression *x, const lun_request *r, unsigned argument, lun_error *err)
{
    const lun_value *given = &r->arguments[argument];
    const size_t count = value_count(given);
    if (count == 0 || count > LUN_MAP_RESULTS)
        FAIL(LUN_MISUSE, "the list has %zu expressions; from 1 to %d are needed", count, LUN_MAP_RESULTS);
    for (size_t i = 0; i < count; i++) {
        const lun_value *text = value_item(given, i);
        if (text->kind == LUN_VALUE_CUT)
            FAIL(LUN_MISUSE, "the expression: the string has a zero byte");
        if (text->kind != LUN_VALUE_TEXT)
            FAIL(LUN_MISUSE, "the expression: a string is needed, got %s", kind_shown(r, text));
        TRY(lun_expression_check(text->text, "the expression", err));
        x->texts[i] = text->text;
    }
    x->e.result_count = count;
    return LUN_OK;
}

/* ---- arrays and numbers ------------------------------------------------------------------------------------------- */

#define NAMED (LUN_MAP_ARRAYS + LUN_MAP_NUMBERS)

typedef struct argument {
    const char *name;
    const lun_value *value;
} argument;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const argument *)a)->name, ((const argument *)b)->name);
}

/* The arguments sorted by their names, because the host's order may be arbitrary. */
static lun_status sort_arguments(argument *out, const lun_request *r, unsigned position, lun_error *err)
{
    char place[SHOWN];
    const lun_list *list = &r->arguments[position].list;
    for (size_t i = 0; i < list->count; i++) {
        if (!lun_expression_is_name(list->names[i]))
            FAIL(LUN_MISUSE, "%s: the keys must be names of OpenCL C, got [%s]", request_place(place, r, position),
                 list->names[i]);
        if (i == NAMED)
            FAIL(LUN_MISUSE, "%s: there are more than %d arrays and numbers", request_place(place, r, position), NAMED);
        out[i] = (argument){list->names[i], &list->items[i]};
    }
    qsort(out, list->count, sizeof *out, by_name);
    return LUN_OK;
}

static lun_status add_argument(named_expression *x, const lun_request *r, const argument *a, lun_error *err)
{
    lun_expression *e = &x->e;
    const bool number = a->value->kind == LUN_VALUE_NUMBER || a->value->kind == LUN_VALUE_COMPLEX;
    if (!number && a->value->kind != LUN_VALUE_ARRAY)
        FAIL(LUN_MISUSE, "argument '%s': an array or a number is needed, got %s", a->name, kind_shown(r, a->value));
    if (!number && e->array_count == LUN_MAP_ARRAYS)
        FAIL(LUN_MISUSE, "the expression has more than %d arrays", LUN_MAP_ARRAYS);
    if (number && e->number_count == LUN_MAP_NUMBERS)
        FAIL(LUN_MISUSE, "the expression has more than %d numbers", LUN_MAP_NUMBERS);
    if (number) {
        x->number_names[e->number_count] = a->name;
        x->numbers[e->number_count++] = a->value->number;
        return LUN_OK;
    }
    if (a->value->array->device != r->device)
        FAIL_HINT(LUN_HINT_BRING_OVER, "argument '%s': the array is on another device", a->name);
    x->array_names[e->array_count] = a->name;
    x->arrays[e->array_count++] = a->value->array;
    return LUN_OK;
}

/* LUN_MISUSE for an argument that no text uses: one of the names must be wrong. */
static lun_status check_used(const named_expression *x, const char *name, lun_error *err)
{
    for (size_t i = 0; i < x->e.result_count; i++)
        if (lun_expression_has(x->texts[i], name))
            return LUN_OK;
    return fail(err, LUN_MISUSE, "argument '%s' does not occur in the expression%s", name,
                x->e.result_count > 1 ? "s" : "");
}

lun_status named_read_arguments(named_expression *x, const lun_request *r, unsigned position, lun_error *err)
{
    char place[SHOWN];
    argument arguments[NAMED];
    const lun_value *dtype = request_option(r, "dtype");
    const size_t count = r->arguments[position].list.count;
    TRY(sort_arguments(arguments, r, position, err));
    for (size_t i = 0; i < count; i++)
        TRY(add_argument(x, r, &arguments[i], err));
    if (x->e.array_count == 0)
        FAIL(LUN_MISUSE, "%s: there is no array to compute with", request_place(place, r, position));
    for (size_t i = 0; i < count; i++)
        TRY(check_used(x, arguments[i].name, err));
    if (dtype)
        TRY(value_dtype(&x->e.dtype, dtype, err));
    x->e.floats = r->floats;
    return LUN_OK;
}
