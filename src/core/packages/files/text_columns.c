/* Lines of a text in columns: fields, quotes, names, comments. */
#include "packages/files/text_columns.h"
#include "base/ascii.h"
#include "base/dtype.h"
#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- fields -------------------------------------------------------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Blanks around a field go, but not those that are between fields. */
static void trim(const columns *c, char **from, char **to)
{
    while (*from < *to && is_blank(**from) && **from != c->format.delimiter)
        (*from)++;
    while (*from < *to && is_blank((*to)[-1]) && (*to)[-1] != c->format.delimiter)
        (*to)--;
}

static lun_status add_field(columns *c, char *from, char *to, lun_error *err)
{
    WIDEN(c->fields, c->field_room, c->field_count + 1, "a text");
    trim(c, &from, &to);
    if (to - from >= 2 && *from == '"' && to[-1] == '"') {
        from++, to--;
        trim(c, &from, &to);
    }
    c->fields[c->field_count++] = (field){from, (size_t)(to - from)};
    return LUN_OK;
}

/* Where the field ends: at a delimiter, or a blank, that is not between quotes. A quote amid a field is a character like others. */
static lun_status field_end(char **out, const columns *c, char *from, char *to, lun_error *err)
{
    const char delimiter = c->format.delimiter;
    if (from < to && *from == '"') {
        do { /* two quotes within quotes are one */
            from = memchr(from + 1, '"', (size_t)(to - from - 1));
            if (!from)
                return fail(err, LUN_IO, "%.200s: line %llu, column %zu: a quote is not closed on its line",
                            c->format.name, (unsigned long long)c->line, c->field_count + c->format.first);
        } while (from + 1 < to && *++from == '"');
    }
    if (delimiter) {
        from = memchr(from, delimiter, (size_t)(to - from));
        *out = from ? from : to;
        return LUN_OK;
    }
    while (from < to && !is_blank(*from))
        from++;
    *out = from;
    return LUN_OK;
}

static lun_status split(columns *c, char *from, char *to, lun_error *err)
{
    c->field_count = 0;
    for (char *end = from;; from = end + 1) {
        trim(c, &from, &to);
        if (from == to && !c->format.delimiter)
            return LUN_OK;
        TRY(field_end(&end, c, from, to, err));
        TRY(add_field(c, from, end, err));
        if (end == to)
            return LUN_OK;
    }
}

/* ---- rows ---------------------------------------------------------------------------------------------------------- */

#define SHOWN_FIELD 40
#define SHOWN_NAMES 200
#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* of UTF-8, as spreadsheets write it */

/* Points and the marks that stand for them change places: what has a point where another mark is usual is not a number then, and doing
 * it again gives the old text. */
static void exchange_marks(const columns *c, char *text, size_t length)
{
    const char decimal = c->format.decimal;
    for (char *at = text; decimal != '.' && at < text + length; at++)
        *at = *at == decimal ? '.' : *at == '.' ? decimal : *at;
}

/* What may help where a field is not a number. */
static const char *hint(const columns *c, const char *text)
{
    char pointed[SHOWN_FIELD + 1];
    char *comma = strcpy(pointed, text);
    lun_number number;
    bool beyond;
    if (c->format.delimiter && c->format.decimal == '.' && (comma = strchr(comma, ',')) != NULL) {
        *comma = '.';
        if (columns_number(&number, &beyond, pointed, strlen(pointed)))
            return "is the option decimal = \",\" missing?";
    }
    if (!c->format.delimiter && strpbrk(text, ",;"))
        return strchr(text, ';') ? "is the option delimiter = \";\" missing?"
                                 : "is the option delimiter = \",\" missing?";
    if (c->rows == 0 && !c->format.named && (ascii_is_letter(*text) || *text == '"'))
        return "the option names reads a line of names, and the option texts columns of texts";
    return "the option missing gives a number for such fields, and the option texts reads columns of texts";
}

static lun_status refuse(const columns *c, size_t column, lun_error *err)
{
    char text[SHOWN_FIELD + 1];
    const field *f = &c->fields[column];
    const size_t length = f->length < SHOWN_FIELD ? f->length : SHOWN_FIELD;
    for (size_t i = 0; i < length; i++)
        text[i] = f->text[i] >= ' ' && f->text[i] < 127 ? f->text[i] : '?';
    text[length] = '\0';
    exchange_marks(c, text, length);
    return fail(err, LUN_IO, "%.200s: line %llu, column %zu: '%s%s' is not a number; %s", c->format.name,
                (unsigned long long)c->line, column + c->format.first, text, length < f->length ? "..." : "",
                hint(c, text));
}

/* Reads a field as one element. */
static lun_status read_field(unsigned char *element, columns *c, size_t column, lun_error *err)
{
    const field *f = &c->fields[column];
    const lun_dtype dtype = c->format.dtype;
    lun_number number;
    lun_error inner;
    bool beyond = false;
    if (!columns_number(&number, &beyond, f->text, f->length)) {
        if (!c->format.has_missing && (f->length || dtype_is_whole(dtype)))
            return refuse(c, column, err);
        number = c->format.has_missing ? c->format.missing : lun_real((double)NAN);
    } else if (dtype == LUN_u64 ? !beyond && number.is_integer && number.integer < 0 : beyond)
        number = lun_real(number.real); /* which is out of range */
    if (dtype != LUN_f64 && !dtype_is_whole(dtype) && !number.is_integer)
        number.real = columns_round_for_shorter(number.real, f->text, f->length);
    if (dtype == LUN_f64)
        memcpy(element, &number.real, sizeof number.real);
    else if (dtype == LUN_u64 && beyond)
        memcpy(element, &number.integer, sizeof number.integer);
    else if (lun_number_round(element, dtype, number, &inner) != LUN_OK)
        return fail(err, LUN_IO, "%.200s: line %llu, column %zu: %s", c->format.name, (unsigned long long)c->line,
                    column + c->format.first, inner.message);
    return LUN_OK;
}

static bool is_text(const columns *c, size_t column)
{
    const headings *texts = &c->format.texts;
    lun_number number;
    bool beyond, found = false;
    if (c->format.finds_texts)
        return column < c->field_count && c->fields[column].length > 0 &&
               !columns_number(&number, &beyond, c->fields[column].text, c->fields[column].length);
    for (size_t i = 0; i < texts->count && !found; i++)
        found = texts->list[i].at == column;
    return found;
}

static size_t heading_at(const headings *h, size_t i) { return h->list ? h->list[i].at : i; }

/* Which columns are read, by the options and the first row. */
static lun_status choose_columns(columns *c, lun_error *err)
{
    const headings all = {NULL, c->field_count}, *from = c->format.wanted.list ? &c->format.wanted : &all;
    const headings *texts = c->format.finds_texts ? from : &c->format.texts;
    c->at = NEW(from->count + texts->count + 1, sizeof *c->at, "a text");
    for (size_t i = 0; i < from->count; i++)
        if (!is_text(c, heading_at(from, i)))
            c->at[c->width++] = heading_at(from, i);
    for (size_t i = 0; i < texts->count; i++)
        if (is_text(c, heading_at(texts, i)))
            c->at[c->width + c->text_width++] = heading_at(texts, i);
    return LUN_OK;
}

static lun_status check_width(columns *c, lun_error *err)
{
    const columns_format *f = &c->format;
    if (c->across && c->across != c->field_count && !f->wanted.list)
        return fail(err, LUN_IO, "%.200s: line %llu has %zu column%s, and the lines before have %zu", f->name,
                    (unsigned long long)c->line, c->field_count, c->field_count == 1 ? "" : "s", c->across);
    for (size_t i = 0; i < c->width + c->text_width; i++)
        if (c->at[i] >= c->field_count)
            return fail(err, LUN_IO, "%.200s: line %llu has %zu column%s, and column %zu is needed", f->name,
                        (unsigned long long)c->line, c->field_count, c->field_count == 1 ? "" : "s",
                        c->at[i] + f->first);
    c->across = c->field_count;
    WIDEN(c->data, c->room, c->bytes + c->width * lun_dtype_bytes(f->dtype), "a text");
    return LUN_OK;
}

static char *mark_in(char *from, const char *to, const char *mark)
{
    const size_t length = strlen(mark);
    for (; length && (size_t)(to - from) >= length; from++) {
        from = memchr(from, *mark, (size_t)(to - from) - length + 1);
        if (!from || memcmp(from, mark, length) == 0)
            return from;
    }
    return NULL;
}

/* The first mark that is not between quotes; or where the line ends. */
static char *comment_in(char *from, char *to, const char *mark)
{
    char *found = mark_in(from, to, mark);
    bool between = false;
    for (char *at = from; found && (at = memchr(at, '"', (size_t)(to - at))) != NULL; at++) {
        if (at > found && !between)
            break;
        between = !between;
        if (at > found)
            found = mark_in(at, to, mark);
    }
    return found ? found : to;
}

/* ---- names ---------------------------------------------------------------------------------------------------------- */

/* Each of two quotes within a text is one. Gives its length. */
static size_t copy_text(char *to, const field *f)
{
    char *const start = to;
    for (size_t i = 0; i < f->length; i++) {
        *to++ = f->text[i];
        i += f->text[i] == '"' && i + 1 < f->length && f->text[i + 1] == '"';
    }
    *to = '\0';
    return (size_t)(to - start);
}

static lun_status keep_texts(columns *c, lun_error *err)
{
    for (size_t i = c->width; i < c->width + c->text_width; i++) {
        const field *f = &c->fields[c->at[i]];
        WIDEN(c->texts, c->text_room, c->text_bytes + f->length + 1, "a text");
        char *to = c->texts + c->text_bytes;
        const size_t length = copy_text(to, f);
        exchange_marks(c, to, length);
        c->text_bytes += length + 1;
    }
    return LUN_OK;
}

static lun_status find_named(columns *c, heading *wanted, lun_error *err)
{
    char all[SHOWN_NAMES] = "";
    for (wanted->at = 0; wanted->at < c->name_count; wanted->at++)
        if (strcmp(c->names[wanted->at], wanted->name) == 0)
            return LUN_OK;
    for (size_t i = 0, used = 0; i < c->name_count && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s'%.40s'", i ? ", " : "", c->names[i]);
    return fail(err, LUN_IO, "%.200s: line %llu: there is no column '%.40s'; there are %s", c->format.name,
                (unsigned long long)c->line, wanted->name, all);
}

/* The line of names may be a comment. */
static lun_status read_names(columns *c, char *from, char *to, lun_error *err)
{
    const size_t mark = strlen(c->format.comments);
    if (mark && (size_t)(to - from) >= mark && memcmp(from, c->format.comments, mark) == 0)
        from += mark;
    to = comment_in(from, to, c->format.comments);
    TRY(split(c, from, to, err));
    c->names = NEW(c->field_count + 1, sizeof *c->names, "a text");
    for (; c->name_count < c->field_count; c->name_count++) {
        const field *f = &c->fields[c->name_count];
        c->names[c->name_count] = NEW(1, f->length + 1, "a text");
        (void)copy_text(c->names[c->name_count], f);
    }
    c->across = c->field_count;
    const headings *lists[] = {&c->format.wanted, &c->format.texts};
    for (size_t k = 0; k < COUNT(lists); k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            if (lists[k]->list[i].name)
                TRY(find_named(c, &lists[k]->list[i], err));
    return LUN_OK;
}

/* ---- lines ---------------------------------------------------------------------------------------------------------- */

static lun_status read_line(columns *c, char *from, char *to, lun_error *err)
{
    const columns_format *f = &c->format;
    const size_t item = lun_dtype_bytes(f->dtype);
    if (c->line == 0 && to - from >= 3 && memcmp(from, BYTE_ORDER_MARK, 3) == 0)
        from += 3;
    if (++c->line <= f->skip || (c->rows == f->most && !(f->named && !c->names)))
        return LUN_OK;
    trim(c, &from, &to);
    if (f->named && !c->names && from < to)
        return read_names(c, from, to, err);
    to = comment_in(from, to, f->comments);
    trim(c, &from, &to);
    if (from == to)
        return LUN_OK;
    TRY(split(c, from, to, err));
    for (size_t i = 0; i < c->field_count && f->decimal != '.'; i++)
        exchange_marks(c, c->fields[i].text, c->fields[i].length);
    if (!c->at)
        TRY(choose_columns(c, err));
    TRY(check_width(c, err));
    for (size_t i = 0; i < c->width; i++)
        TRY(read_field(c->data + c->bytes + i * item, c, c->at[i], err));
    TRY(keep_texts(c, err));
    c->bytes += c->width * item;
    c->rows++;
    return LUN_OK;
}

lun_status columns_read(size_t *taken, columns *c, char *text, size_t length, bool ends, lun_error *err)
{
    lun_status status = LUN_OK;
    char *from = text, *const end = text + length;
    void *locale = lun_locale_enter();
    while (from < end) {
        char *line = memchr(from, '\n', (size_t)(end - from));
        if (!line && !ends)
            break;
        TRY_DONE(read_line(c, from, line ? line : end, err));
        from = line ? line + 1 : end;
    }
    if (ends && c->format.named && !c->names)
        status = fail(err, LUN_IO, "%.200s: it has no line of names", c->format.name);
    if (status == LUN_OK && ends && !c->at) { /* there are no rows, and no texts */
        for (size_t i = 0; i < c->field_count; i++)
            c->fields[i].length = 0;
        status = choose_columns(c, err);
    }
done:
    lun_locale_leave(locale);
    *taken = (size_t)(from - text);
    return status;
}

void columns_clear(columns *c)
{
    for (size_t i = 0; i < c->name_count; i++)
        free(c->names[i]);
    free(c->names);
    free(c->data);
    free(c->fields);
    free(c->at);
    free(c->texts);
    *c = (columns){.data = NULL};
}
