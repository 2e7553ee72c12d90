/* Messages about wrong requests: kinds of values, and the places of arguments and options, in the host's manner. */
#include "call/request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BIT(kind) (1u << LUN_VALUE_##kind)
#define SCALAR (BIT(NUMBER) | BIT(COMPLEX) | BIT(BOOLEAN))

static const struct {
    unsigned takes; /* kinds of values */
    const char *wanted;
} kinds[] = {
    [LUN_OPTION_BOOLEAN] = {BIT(BOOLEAN), "true or false"},
    [LUN_OPTION_NUMBER] = {BIT(NUMBER), "a number"},
    [LUN_OPTION_INTEGER] = {BIT(NUMBER), "a whole number"},
    [LUN_OPTION_TEXT] = {BIT(TEXT) | BIT(CUT), "a string"},
    [LUN_OPTION_ARRAY] = {BIT(ARRAY), "an array"},
    [LUN_OPTION_AXES] = {BIT(NUMBER) | BIT(LIST), "a whole number or a list of them"},
    [LUN_OPTION_QUEUE] = {BIT(QUEUE), "a queue"},
    [LUN_OPTION_NUMBERS] = {BIT(NUMBER) | BIT(ARRAY), "a number or an array"},
    [LUN_OPTION_KEYS] = {BIT(NUMBER) | BIT(LIST) | BIT(ARRAY), "a number, a list of numbers or an array"},
    [LUN_OPTION_SCALAR] = {SCALAR, "a number"},
    [LUN_OPTION_SCALARS] = {SCALAR | BIT(ARRAY), "an array or a number"},
    [LUN_OPTION_POSITIONS] = {BIT(ARRAY), "an i32 or i64 array of starts, or a list of them,"},
    [LUN_OPTION_PLACES] = {BIT(ARRAY) | BIT(LIST), "an i32 or i64 array, or a list of positions or of arrays,"},
    [LUN_OPTION_COUNTS] = {BIT(NUMBER) | BIT(LIST), "a whole number or a list of them"},
    [LUN_OPTION_HEADINGS] = {BIT(BOOLEAN) | BIT(NUMBER) | BIT(TEXT) | BIT(LIST),
                             "a whole number, a name or a list of them"},
    [LUN_OPTION_REALS] = {BIT(NUMBER) | BIT(LIST), "a number or a list of them"},
    [LUN_OPTION_COMPLEX] = {BIT(NUMBER) | BIT(COMPLEX) | BIT(LIST), "a number or a list of them"},
    [LUN_OPTION_NAMES] = {BIT(TEXT) | BIT(CUT) | BIT(LIST), "a string or a list of them"},
    [LUN_OPTION_ARRAYS] = {BIT(LIST), "a list of arrays"},
    [LUN_OPTION_NAMED] = {BIT(LIST), "a table of values by name"},
    [LUN_OPTION_OUTS] = {BIT(ARRAY) | BIT(LIST), "an array or a list of arrays"},
    [LUN_OPTION_DATA] = {SCALAR | BIT(LIST) | BIT(TEXT) | BIT(CUT) | BIT(ARRAY),
                         "a table, a string of bytes, a number or an array"},
    [LUN_OPTION_DEVICE] = {BIT(DEVICE), "a device"},
    [LUN_OPTION_DEVICES] = {BIT(LIST), "a list of devices"},
    [LUN_OPTION_SPARSE] = {BIT(SPARSE), "a sparse matrix"},
    [LUN_OPTION_MATRIX] = {BIT(ARRAY) | BIT(SPARSE), "an array or a sparse matrix"},
    [LUN_OPTION_LINEAR] = {BIT(ARRAY) | BIT(SPARSE) | BIT(FUNCTION), "an array, a sparse matrix or a function"},
    [LUN_OPTION_HOST] = {~0u, "a value"},
    [LUN_OPTION_RANGES] = {BIT(LIST), "positions or ranges {from, to, step}"},
    [LUN_OPTION_VALUE] = {~0u, "a value"},
};

const char *lun_option_kind_name(lun_option_kind kind) { return kinds[kind].wanted; }

bool lun_option_kind_takes(lun_option_kind kind, lun_value_kind value) { return kinds[kind].takes >> value & 1; }

static bool is_whole_kind(lun_option_kind kind) { return kind == LUN_OPTION_INTEGER || kind == LUN_OPTION_AXES; }

bool option_fits(lun_option_kind kind, const lun_value *value)
{
    int64_t ignored;
    return lun_option_kind_takes(kind, value->kind) &&
           !(is_whole_kind(kind) && value->kind == LUN_VALUE_NUMBER && !number_whole(&ignored, value->number));
}

/* ---- values -------------------------------------------------------------------------------------------------------------- */

bool number_whole(int64_t *out, lun_number number)
{
    if (number.is_integer) {
        *out = number.integer;
        return true;
    }
    if (!(number.real >= -0x1p63 && number.real < 0x1p63) || floor(number.real) != number.real)
        return false;
    *out = (int64_t)number.real;
    return true;
}

bool number_is_below(lun_number a, lun_number b)
{
    if (a.is_integer && b.is_integer)
        return a.integer < b.integer;
    return (a.is_integer ? (long double)a.integer : a.real) < (b.is_integer ? (long double)b.integer : b.real);
}

const char *number_shown(char *text, lun_number number)
{
    if (number.is_integer) {
        snprintf(text, SHOWN, "%lld", (long long)number.integer);
        return text;
    }
    if (number.is_complex)
        return lun_scalar_text(text, number);
    lun_number_digits(text, number.real);
    if (text[strspn(text, "-0123456789")] == '\0')
        strcat(text, ".0");
    return text;
}

const char *kind_shown(const lun_request *r, const lun_value *value)
{
    return value->kind == LUN_VALUE_OTHER ? value->text : r->manner->words[value->kind];
}

const char *value_shown(char *text, const lun_request *r, const lun_value *value)
{
    return value->kind == LUN_VALUE_NUMBER ? number_shown(text, value->number) : kind_shown(r, value);
}

const char *text_shown(char *text, const lun_request *r, const lun_value *value)
{
    snprintf(text, SHOWN, "the %s \"%.60s\"", r->manner->words[LUN_VALUE_TEXT] + strlen("a "), value->text);
    return text;
}

/* ---- places -------------------------------------------------------------------------------------------------------------- */

static unsigned number_of(const lun_request *r, unsigned position)
{
    const lun_owner owner = r->operation->owner;
    return position + (owner == LUN_OF_ARRAY || owner == LUN_OF_SPARSE ? (unsigned)r->manner->counted : 0);
}

/* Each value of a list that is spread before an argument has a position of its own. */
static unsigned position_of(const lun_request *r, unsigned argument)
{
    unsigned position = argument;
    for (unsigned i = 1; i < argument && i <= LUN_ARGUMENTS; i++)
        if (r->arguments[i].kind == LUN_VALUE_LIST && r->arguments[i].list.spread)
            position += (unsigned)r->arguments[i].list.count - 1;
    return position;
}

const char *request_position(char *text, const lun_request *r, unsigned position)
{
    if (position == 0)
        return r->manner->self;
    snprintf(text, SHOWN, "argument %u", number_of(r, position));
    return text;
}

const char *request_place(char *text, const lun_request *r, unsigned argument)
{
    return request_position(text, r, position_of(r, argument));
}

/* The end of a message: how to make an array from the value, if one is needed, or "". */
static const char *hint_of(const char **mark, const lun_request *r, const lun_value *value, const char *wanted)
{
    const char *hint = value->kind == LUN_VALUE_LIST     ? r->manner->list_hint
                       : value->kind >= LUN_VALUE_SPARSE ? value->hint
                                                         : NULL;
    const bool given = hint && strstr(wanted, "an array") != NULL;
    *mark = given ? "; " : "";
    return given ? hint : "";
}

static lun_status refuse(const lun_request *r, unsigned position, const lun_value *value, const char *wanted,
                         lun_error *err)
{
    char at[SHOWN], shown[SHOWN];
    const char *mark, *hint = hint_of(&mark, r, value, wanted);
    const bool sizes = value->kind == LUN_VALUE_TEXT && strstr(wanted, "list of sizes");
    return fail(err, LUN_MISUSE, "%s: %s is needed, got %s%s%s", request_position(at, r, position), wanted,
                sizes ? text_shown(shown, r, value) : kind_shown(r, value), mark, hint);
}

lun_status request_refuse(const lun_request *r, unsigned argument, const char *wanted, lun_error *err)
{
    return refuse(r, position_of(r, argument), &r->arguments[argument], wanted, err);
}

/* ---- arguments ----------------------------------------------------------------------------------------------------------- */

static bool is_axis(const lun_operand *row) { return strcmp(row->name, "axis") == 0; }

/* Several arrays: separate arguments, or elements of a list. */
static lun_status check_arrays(const lun_request *r, unsigned i, const lun_operand *row, lun_error *err)
{
    const lun_list *list = &r->arguments[i].list;
    for (size_t k = 0; k < list->count; k++) {
        const lun_value *value = &list->items[k];
        const char *mark, *hint = hint_of(&mark, r, value, "an array");
        const bool live = value->kind == LUN_VALUE_ARRAY && lun_array_is_live(value->array);
        if (value->kind != LUN_VALUE_ARRAY && list->spread)
            TRY(refuse(r, i + (unsigned)k, value, row->wanted, err));
        if (value->kind != LUN_VALUE_ARRAY)
            FAIL(LUN_MISUSE, "element %zu of the list: an array is needed, got %s%s%s", k + 1, kind_shown(r, value),
                 mark, hint);
        if (!live && list->spread)
            FAIL(LUN_MISUSE, "argument %zu: the array was released", i + k);
        if (!live)
            FAIL(LUN_MISUSE, "element %zu of the list: the array was released", k + 1);
    }
    return LUN_OK;
}

/* Arrays as separate arguments although a list is needed, as concat(a, b, 2): shows the intended list. */
static lun_status refuse_one_by_one(const lun_request *r, unsigned i, lun_error *err)
{
    char names[SHOWN] = "", behind[SHOWN] = "", shown[SHOWN];
    const lun_value *last = &r->arguments[i];
    for (unsigned k = i; k <= LUN_ARGUMENTS && r->arguments[k].kind == LUN_VALUE_ARRAY; k++) {
        unsigned first = i; /* an array that occurs twice has one name */
        while (r->arguments[first].array != r->arguments[k].array)
            first++;
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%c", k > i ? ", " : "",
                 'a' + (int)(first - i));
        last = k < LUN_ARGUMENTS ? &r->arguments[k + 1] : last;
    }
    if (last->kind != LUN_VALUE_NUMBER)
        last = &r->surplus;
    if (last->kind == LUN_VALUE_ARRAY)
        strcat(names, ", ...");
    if (last->kind == LUN_VALUE_NUMBER)
        snprintf(behind, sizeof behind, ", %s)", number_shown(shown, last->number));
    return fail(err, LUN_MISUSE, "arrays belong in a list: %s%s{%s}%s", r->operation->name, behind[0] ? "(" : "", names,
                behind);
}

lun_status request_check_argument(lun_request *r, unsigned i, const lun_operand *row, lun_error *err)
{
    char at[SHOWN], shown[SHOWN];
    const lun_value *value = &r->arguments[i];
    const char *wanted = row->wanted ? row->wanted : kinds[row->kind].wanted;
    if (value->kind == LUN_VALUE_NOTHING)
        return LUN_OK;
    if (value->kind == LUN_VALUE_LIST && value->list.odd && lun_option_kind_takes(row->kind, LUN_VALUE_LIST))
        FAIL(LUN_MISUSE, "%s: the table has %s", request_place(at, r, i), value->list.odd);
    if (value->kind == LUN_VALUE_LIST && value->list.names && row->named)
        FAIL(LUN_MISUSE, "%s is %s with names: the %s comes first, then the table of its arrays and numbers",
             request_place(at, r, i), kind_shown(r, value), row->name);
    if (row->kind == LUN_OPTION_ARRAYS && value->kind == LUN_VALUE_ARRAY)
        TRY(refuse_one_by_one(r, i, err));
    if (!option_fits(row->kind, value)) {
        if (is_axis(row))
            FAIL(LUN_MISUSE, "axis: a whole number or a list of them is needed, got %s", value_shown(shown, r, value));
        if (is_whole_kind(row->kind) && value->kind == LUN_VALUE_NUMBER)
            FAIL(LUN_MISUSE, "%s: %s is needed, got %s", request_place(at, r, i), wanted,
                 number_shown(shown, value->number));
        TRY(request_refuse(r, i, wanted, err));
    }
    if (row->kind == LUN_OPTION_ARRAYS)
        TRY(check_arrays(r, i, row, err));
    if (value->kind == LUN_VALUE_CUT && row->kind != LUN_OPTION_DATA &&
        !row->named) /* its name is clearer than its place */
        FAIL(LUN_MISUSE, "%s: the string has a zero byte", request_place(at, r, i));
    return LUN_OK;
}

/* The first option of that kind, except those that every operation has; NULL: none. */
static const lun_option *first_of(const lun_option *known, lun_option_kind kind)
{
    for (; known->name; known++)
        if (known->kind == kind && strcmp(known->name, "async") != 0 && strcmp(known->name, "variant") != 0)
            return known;
    return NULL;
}

/* The option that a number probably means; the first whole number is the axis. */
static const lun_option *meant_by_number(const lun_option *known)
{
    static const char *const names[] = {"bins", "ord", "rate", "n"};
    const lun_option *meant = known;
    while (meant->name && !is_whole_kind(meant->kind))
        meant++;
    const bool axis = !meant->name || strcmp(meant->name, "axis") == 0;
    for (size_t i = 0; i < COUNT(names) && axis; i++)
        for (const lun_option *row = known; row->name; row++)
            if (strcmp(row->name, names[i]) == 0)
                return row;
    return meant;
}

/* Where a value is that is not a table of options: an option that may be meant, as the manner writes it, "axis = 2" for a
 * number, "descending = true" for true or that name, "side = \"right\"" for another text. NULL: none is near. */
static const lun_option *find_meant(char *text, size_t room, const lun_request *r, const lun_value *value)
{
    const lun_option *known = r->operation->options;
    char shown[SHOWN] = "true";
    int64_t whole = 0;
    const lun_option *meant = NULL;
    if (value->kind == LUN_VALUE_NUMBER && number_whole(&whole, value->number)) {
        meant = meant_by_number(known);
        const bool first = whole == 0 && is_whole_kind(meant->kind); /* the first axis in other libraries */
        number_shown(shown, first ? lun_integer(r->manner->first) : value->number);
    } else if (value->kind == LUN_VALUE_BOOLEAN) {
        meant = first_of(known, LUN_OPTION_BOOLEAN);
        strcpy(shown, value->truth ? "true" : "false");
    } else if (value->kind == LUN_VALUE_TEXT) {
        for (meant = known;
             meant->name && !(meant->kind == LUN_OPTION_BOOLEAN && strcmp(meant->name, value->text) == 0);)
            meant++;
        if (!meant->name && (meant = first_of(known, LUN_OPTION_TEXT)) != NULL)
            snprintf(shown, sizeof shown, "\"%.40s\"", value->text);
    }
    if (!meant || !meant->name)
        return NULL;
    snprintf(text, room, r->manner->option, meant->name, shown);
    return meant;
}

lun_status request_refuse_surplus(const lun_request *r, lun_error *err)
{
    char wanted[2 * SHOWN] = "a table of options", value[SHOWN], shown[SHOWN];
    int64_t first, second = 0;
    const lun_operand *last = NULL;
    for (const lun_operand *row = r->operation->arguments; row->name; row++)
        last = row;
    const lun_value *before = &r->arguments[r->surplus_at <= LUN_ARGUMENTS ? r->surplus_at - 1 : 0];
    const bool whole = r->surplus.kind == LUN_VALUE_NUMBER && number_whole(&second, r->surplus.number);
    if (r->surplus_options && last && is_axis(last)) {
        if (whole && last->kind == LUN_OPTION_AXES && before->kind == LUN_VALUE_NUMBER &&
            number_whole(&first, before->number))
            return fail(err, LUN_MISUSE, "several axes belong in a list: {%lld, %lld}", (long long)first,
                        (long long)second);
        return refuse(r, r->surplus_at, &r->surplus, wanted, err);
    }
    if (!r->surplus_options) {
        snprintf(wanted, sizeof wanted, "nothing after argument %u", number_of(r, r->surplus_behind));
        return refuse(r, r->surplus_at, &r->surplus, number_of(r, r->surplus_behind) == 0 ? "no argument" : wanted,
                      err);
    }
    const lun_option *meant = find_meant(value, sizeof value, r, &r->surplus);
    if (meant)
        snprintf(wanted, sizeof wanted, "a table of options, as {%s}%s,", value,
                 strcmp(meant->name, "axis") == 0 ? " (axes count from 1)" : "");
    const char *name = r->operation->name;
    const bool larger = strcmp(name, "max") == 0;
    if (!larger && strcmp(name, "min") != 0)
        return refuse(r, r->surplus_at, &r->surplus, wanted, err);
    return fail(err, LUN_MISUSE, "%s: %s is needed, got %s; a:%simum(b) has the %s of two",
                request_position(shown, r, r->surplus_at), wanted, kind_shown(r, &r->surplus), name,
                larger ? "larger" : "smaller");
}

/* ---- options ------------------------------------------------------------------------------------------------------------- */

lun_status request_refuse_option(const lun_request *r, const char *name, lun_error *err)
{
    const lun_option *known = r->operation->options;
    if (!known->name)
        return fail(err, LUN_MISUSE, "unknown option '%s': there are no options here", name);
    fail(err, LUN_MISUSE, "unknown option '%.60s'; known are", name);
    for (const lun_option *row = known; row->name; row++) {
        const size_t used = strlen(err->message);
        snprintf(err->message + used, sizeof err->message - used, "%s %s", row == known ? "" : ",", row->name);
    }
    return LUN_MISUSE;
}

lun_status request_refuse_value(const lun_request *r, const lun_option *row, const lun_value *value, lun_error *err)
{
    char shown[SHOWN], text[SHOWN], quoted[SHOWN];
    const bool number = value->kind == LUN_VALUE_NUMBER;
    const char *got = number && is_whole_kind(row->kind) ? number_shown(shown, value->number) : kind_shown(r, value);
    const char *mark, *hint = hint_of(&mark, r, value, strcmp(row->name, "out") == 0 ? "" : kinds[row->kind].wanted);
    if (strcmp(row->name, "identity") != 0 || !number)
        return fail(err, LUN_MISUSE, "option '%s': %s is needed, got %s%s%s", row->name, kinds[row->kind].wanted, got,
                    mark, hint);
    const double x = value->number.real;
    snprintf(quoted, sizeof quoted, "\"%s\"",
             isfinite(x) ? number_shown(shown, value->number)
             : x > 0     ? "INFINITY"
             : x < 0     ? "-INFINITY"
                         : "NAN");
    snprintf(text, sizeof text, r->manner->option, row->name, quoted);
    return fail(err, LUN_MISUSE, "option 'identity': OpenCL C in a string is needed, %s, got %s", text,
                kind_shown(r, value));
}

lun_status request_refuse_twice(const lun_request *r, unsigned i, const lun_operand *row, const lun_value *option,
                                lun_error *err)
{
    char at[SHOWN], first[SHOWN], second[SHOWN];
    const lun_value *value = &r->arguments[i];
    if (value->kind == LUN_VALUE_TEXT)
        return fail(err, LUN_MISUSE, "the %s is given twice: \"%s\" and the option \"%s\"", row->name, value->text,
                    option->text);
    if (value->kind == LUN_VALUE_NUMBER && !is_axis(row))
        return fail(err, LUN_MISUSE, "%s is given twice: %s and the option %s", row->name, value_shown(first, r, value),
                    value_shown(second, r, option));
    return fail(err, LUN_MISUSE, "the %s is %s twice: %s and the option '%s'", row->name,
                is_axis(row) ? "named" : "given", request_place(at, r, i), row->name);
}
