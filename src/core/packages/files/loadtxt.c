/* Numbers in columns of text files, as a row of operation.def is called: loadtxt. */
#include "base/ascii.h"
#include "call/interface.h"
#include "packages/files/input.h"
#include "packages/files/npy.h"
#include "packages/files/text_columns.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 22 };        /* bytes that are read at a time, between which hosts let interrupts in */
enum { LONGEST_LINE = 1 << 28 }; /* which is looked through with each block that makes it longer */
enum { READ, MAKE, SEND };

typedef struct reading {
    input in;
    char *text; /* bytes that are not read as lines yet */
    size_t length, room, sent;
    uint64_t before; /* bytes that were read as lines */
    columns columns;
} reading;

static void drop_reading(void *data)
{
    reading *in = data;
    input_close(&in->in);
    free(in->text);
    columns_clear(&in->columns);
    in->text = NULL;
}

/* One character that no number has; nothing where blanks are meant. */
static lun_status read_delimiter(char *out, const lun_request *r, lun_error *err)
{
    const char *text = request_text(r, "delimiter");
    *out = '\0';
    if (!text || strcmp(text, " ") == 0)
        return LUN_OK;
    if (strlen(text) != 1 || ascii_is_digit(*text) || ascii_is_letter(*text) || strchr("+-.\n\r\"", *text))
        return fail(err, LUN_MISUSE,
                    "option 'delimiter': one character that numbers do not contain is needed, got "
                    "'%s'",
                    text);
    *out = *text;
    return LUN_OK;
}

static lun_status read_decimal(char *out, char delimiter, const lun_request *r, lun_error *err)
{
    const char *text = request_text(r, "decimal");
    *out = text ? *text : '.';
    if (text && strcmp(text, ".") != 0 && strcmp(text, ",") != 0)
        return fail(err, LUN_MISUSE, "option 'decimal': \".\" or \",\" is needed, got '%s'", text);
    if (*out == delimiter)
        return fail(err, LUN_MISUSE, "options 'decimal' and 'delimiter': both are '%s'", text);
    return LUN_OK;
}

static lun_status read_headings(headings *out, columns_format *f, lun_request *r, const char *option, lun_error *err)
{
    const lun_value *value = request_option(r, option);
    const size_t count = value ? value_count(value) : 0;
    if (!value)
        return LUN_OK;
    heading *list = REQUEST_MEMORY(r, (count + 1) * sizeof *list);
    if (count == 0)
        FAIL(LUN_MISUSE, "option '%s': the list is empty", option);
    for (size_t i = 0; i < count; i++) {
        int64_t at = 0;
        const lun_value *item = value_item(value, i);
        const bool named = item->kind == LUN_VALUE_TEXT;
        char shown[SHOWN];
        if (!named && (item->kind != LUN_VALUE_NUMBER || !number_whole(&at, item->number) || at < r->manner->first))
            FAIL(LUN_MISUSE, "option '%s': names are needed, or numbers from %d, got %s", option, (int)r->manner->first,
                 value_shown(shown, r, item));
        f->named = f->named || named;
        list[i] = (heading){(size_t)(at - r->manner->first), named ? item->text : NULL};
    }
    *out = (headings){list, count};
    return LUN_OK;
}

static lun_status read_format(columns_format *f, lun_request *r, lun_error *err)
{
    const char *comments = request_text(r, "comments");
    const lun_value *missing = request_option(r, "missing");
    const int64_t skip = request_whole(r, "skip", 0), most = request_whole(r, "rows", INT64_MAX);
    char element[LUN_MOST_BYTES];
    *f = (columns_format){.name = r->arguments[1].text,
                          .comments = comments ? comments : "#",
                          .first = (size_t)r->manner->first,
                          .has_missing = missing != NULL,
                          .named = request_truth(r, "names"),
                          .dtype = r->floats};
    if (skip < 0 || most < 0)
        FAIL(LUN_MISUSE, "option '%s': a whole number from 0 is needed", skip < 0 ? "skip" : "rows");
    f->skip = (uint64_t)skip;
    f->most = (uint64_t)most;
    TRY(request_dtype(&f->dtype, r, err));
    TRY(device_check_dtype(r->device, f->dtype, err));
    if (lun_dtype_has(f->dtype, LUN_PAIRS))
        FAIL(LUN_MISUSE, "%s: the numbers of a text are real; as_complex() makes complex ones of pairs of columns",
             lun_dtype_name(f->dtype));
    if (missing) {
        f->missing = missing->number;
        TRY(lun_number_store(element, f->dtype, f->missing, err));
    }
    TRY(read_delimiter(&f->delimiter, r, err));
    TRY(read_decimal(&f->decimal, f->delimiter, r, err));
    const lun_value *texts = request_option(r, "texts");
    f->finds_texts = texts && texts->kind == LUN_VALUE_BOOLEAN && texts->truth;
    if (texts && texts->kind != LUN_VALUE_BOOLEAN)
        TRY(read_headings(&f->texts, f, r, "texts", err));
    return read_headings(&f->wanted, f, r, "columns", err);
}

static lun_status bind_loadtxt(lun_request *r, lun_error *err)
{
    reading *in = REQUEST_STATE(r, reading);
    TRY(request_hold(r, in, drop_reading, err));
    TRY(read_format(&in->columns.format, r, err));
    TRY(request_results(r, 1, err));
    request_tell_late(r, 0, in->columns.format.dtype);
    return LUN_OK;
}

/* Refuses what is not a text, or has no end: it would take all memory before it is known to be none. */
static lun_status check_block(const reading *in, size_t came, const lun_device *device, lun_error *err)
{
    const columns *c = &in->columns;
    const char *block = in->text + in->length, *zero = memchr(block, '\0', came);
    if (zero)
        return fail(err, LUN_IO, "%.200s: byte %llu is 0: the file is not a text", c->format.name,
                    (unsigned long long)(in->before + (size_t)(zero - in->text) + c->format.first));
    if (in->length > LONGEST_LINE)
        return fail(err, LUN_IO, "%.200s: line %llu has more than %d bytes", c->format.name,
                    (unsigned long long)c->line + 1, LONGEST_LINE);
    const size_t bytes = c->bytes + c->text_bytes;
    return npy_check_room(device, bytes, bytes, c->format.name, err);
}

/* A file of another kind is refused by its first bytes; one of Matrix Market, unless its header is left out. */
static lun_status open_text(reading *in, lun_error *err)
{
    TRY(input_open_text(&in->in, in->columns.format.name, err));
    const char *kind = in->in.is_gzip ? NULL : input_kind(in->in.ahead, in->in.ahead_end);
    if (kind && in->in.ahead_end && strncmp(kind, "a text file;", 12) != 0 &&
        (in->in.ahead[0] != '%' || in->columns.format.skip == 0))
        FAIL(LUN_IO, "%.200s: it is %s", in->columns.format.name, kind);
    return LUN_OK;
}

static lun_status read_block(bool *more, reading *in, const lun_device *device, lun_error *err)
{
    size_t taken, came;
    if (!in->in.file)
        TRY(open_text(in, err));
    WIDEN(in->text, in->room, in->length + BLOCK, "a text"); /* a line longer than a block makes it grow */
    TRY(input_read(&came, in->text + in->length, BLOCK, &in->in, err));
    TRY(check_block(in, came, device, err));
    in->length += came;
    *more = came == BLOCK && in->columns.rows < in->columns.format.most;
    const lun_status status = columns_read(&taken, &in->columns, in->text, in->length, !*more, err);
    in->length -= taken;
    in->before += taken;
    memmove(in->text, in->text + taken, in->length);
    return status;
}

/* The names of the columns that were read, and the columns of texts, which the host gives beside the array. */
static lun_status tell_beside(lun_request *r, const columns *c, lun_error *err)
{
    const size_t count = c->width + c->text_width;
    const char **names = REQUEST_MEMORY(r, (count + 1) * sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = c->at[i] < c->name_count ? c->names[c->at[i]] : "";
    r->names = c->format.named ? names : NULL;
    r->name_count = c->width;
    r->has_texts = c->format.finds_texts || c->format.texts.list;
    r->texts = (lun_texts){c->texts, c->rows, c->text_width, names + c->width};
    return LUN_OK;
}

static lun_status run_loadtxt(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    reading *in = r->state;
    const columns *c = &in->columns;
    if (r->stage == READ) {
        TRY(read_block(more, in, r->device, err));
        if (*more)
            return LUN_OK;
        r->stage = MAKE;
    }
    if (r->stage == MAKE) {
        const size_t shape[] = {c->rows, c->width};
        TRY(request_make_late(r, 0, out[0], 2, shape, err));
        TRY(tell_beside(r, c, err));
        r->stage = SEND;
    }
    *more = false;
    if (c->bytes)
        TRY(lun_array_send(more, &in->sent, out[0], c->data, &r->call, err));
    return LUN_OK;
}

const request_functions loadtxt_functions = {bind_loadtxt, run_loadtxt};
