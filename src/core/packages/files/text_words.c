/* Numbers in columns of text files, as rows of operation.def are called: loadtxt and savetxt. */
#include "base/ascii.h"
#include "call/interface.h"
#include "packages/files/input.h"
#include "packages/files/npy.h"
#include "packages/files/output.h"
#include "packages/files/text_columns.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------------------------------- */

enum { BLOCK = 1 << 22 };        /* bytes that are read at a time, between which hosts let interrupts in */
enum { LONGEST_LINE = 1 << 28 }; /* which is looked through with each block that makes it longer */
enum { READ, MAKE, SEND };

typedef struct reading {
    FILE *file;
    char *text; /* bytes that are not read as lines yet */
    size_t length, room, sent;
    uint64_t before; /* bytes that were read as lines */
    columns columns;
} reading;

static void drop_reading(void *data)
{
    reading *in = data;
    if (in->file)
        fclose(in->file);
    free(in->text);
    columns_clear(&in->columns);
    in->file = NULL;
    in->text = NULL;
}

/* One character that no number has; nothing where blanks are meant. */
static lun_status read_delimiter(char *out, const lun_request *r, lun_error *err)
{
    const char *text = request_text(r, "delimiter");
    *out = '\0';
    if (!text || strcmp(text, " ") == 0)
        return LUN_OK;
    if (strlen(text) != 1 || ascii_is_digit(*text) || ascii_is_letter(*text) || strchr("+-.\n\r", *text))
        return fail(err, LUN_MISUSE, "option 'delimiter': one character is needed that no number has, got '%s'", text);
    *out = *text;
    return LUN_OK;
}

static lun_status read_wanted(columns_format *f, lun_request *r, lun_error *err)
{
    const lun_value *value = request_option(r, "columns");
    const size_t count = value ? value_count(value) : 0;
    if (!value)
        return LUN_OK;
    size_t *wanted = REQUEST_MEMORY(r, (count + 1) * sizeof *wanted);
    if (count == 0)
        FAIL(LUN_MISUSE, "option 'columns': the list is empty");
    for (size_t i = 0; i < count; i++) {
        int64_t at;
        const lun_value *item = value_item(value, i);
        char shown[SHOWN];
        if (item->kind != LUN_VALUE_NUMBER || !number_whole(&at, item->number) || at < r->manner->first)
            FAIL(LUN_MISUSE, "option 'columns': columns are counted from %d, got %s", (int)r->manner->first,
                 value_shown(shown, r, item));
        wanted[i] = (size_t)(at - r->manner->first);
    }
    f->wanted = wanted;
    f->wanted_count = count;
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
    return read_wanted(f, r, err);
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

/* Refuses what is no text, or has no end: it would take all memory before it is known to be none. */
static lun_status check_block(const reading *in, size_t came, const lun_device *device, lun_error *err)
{
    const columns *c = &in->columns;
    const char *block = in->text + in->length, *zero = memchr(block, '\0', came);
    if (zero)
        return fail(err, LUN_IO, "%.200s: byte %llu is 0: the file is no text", c->format.name,
                    (unsigned long long)(in->before + (size_t)(zero - in->text) + c->format.first));
    if (in->length > LONGEST_LINE)
        return fail(err, LUN_IO, "%.200s: line %llu has more than %d bytes", c->format.name,
                    (unsigned long long)c->line + 1, LONGEST_LINE);
    return npy_check_room(device, c->bytes, c->bytes, c->format.name, err);
}

static lun_status read_block(bool *more, reading *in, const lun_device *device, lun_error *err)
{
    size_t taken;
    if (!in->file)
        TRY(input_open(&in->file, in->columns.format.name, err));
    if (in->room - in->length < BLOCK) { /* a line longer than that makes it grow */
        const size_t room = in->length + 2 * (size_t)BLOCK;
        char *text = realloc(in->text, room);
        if (!text)
            FAIL(LUN_NO_MEMORY, "out of memory");
        in->text = text;
        in->room = room;
    }
    const size_t came = fread(in->text + in->length, 1, BLOCK, in->file);
    if (ferror(in->file))
        FAIL(LUN_IO, "%.200s: %s", in->columns.format.name, strerror(errno));
    TRY(check_block(in, came, device, err));
    in->length += came;
    *more = came == BLOCK && in->columns.rows < in->columns.format.most;
    TRY(columns_read(&taken, &in->columns, in->text, in->length, !*more, err));
    in->length -= taken;
    in->before += taken;
    memmove(in->text, in->text + taken, in->length);
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
        const size_t shape[] = {c->rows, c->format.wanted ? c->format.wanted_count : c->width};
        TRY(request_make_late(r, 0, out[0], 2, shape, err));
        r->stage = SEND;
    }
    *more = false;
    if (c->bytes)
        TRY(lun_array_send(more, &in->sent, out[0], c->data, &r->call, err));
    return LUN_OK;
}

const request_functions loadtxt_functions = {bind_loadtxt, run_loadtxt};

/* ---- writing --------------------------------------------------------------------------------------------------------- */

typedef struct writing {
    output file;
    char *text;
    size_t used;
    const char *delimiter;
    int digits; /* 0: as many as it takes to read the same number */
} writing;

enum { TEXT_ROOM = 1 << 16, NUMBER_ROOM = LUN_SCALAR_TEXT + 8 };

static lun_status flush(writing *w, lun_error *err)
{
    const size_t used = w->used;
    w->used = 0;
    return used ? output_write(&w->file, w->text, used, err) : LUN_OK;
}

static lun_status put(writing *w, const char *text, size_t length, lun_error *err)
{
    if (w->used + length > TEXT_ROOM)
        TRY(flush(w, err));
    if (length > TEXT_ROOM)
        return output_write(&w->file, text, length, err);
    memcpy(w->text + w->used, text, length);
    w->used += length;
    return LUN_OK;
}

/* Digits in their places: the first is that of 10^exponent. */
static int place_digits(char *text, uint64_t digits, int count, int exponent)
{
    char all[24];
    int used = 0;
    for (; count > 1 && digits % 10 == 0; count--)
        digits /= 10;
    snprintf(all, sizeof all, "%llu", (unsigned long long)digits);
    if (exponent < 0) {
        text[used++] = '0';
        text[used++] = '.';
        for (int i = -1; i > exponent; i--)
            text[used++] = '0';
    }
    for (int i = 0; i < count || i <= exponent; i++) {
        if (i && i == exponent + 1)
            text[used++] = '.';
        text[used++] = i < count ? all[i] : '0';
    }
    return used;
}

/* A number from 10^-5 to 10^15 in as few digits, `least` or more, as give it when they are read, which is one exact step then
 * (text_columns.c); 0: `most` do not. */
static int quick_text(char *text, double number, int least, int most, bool single)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9, 1e10,
                                    1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20};
    const double size = fabs(number);
    if (!(size >= 1e-5 && size < 1e14))
        return 0;
    const int exponent = (int)floor(log10(size)), sign = number < 0;
    *text = '-';
    for (int count = least; count <= most; count++) {
        const int power = count - 1 - exponent;
        const uint64_t digits = (uint64_t)rint(power < 0 ? size / powers[-power] : size * powers[power]);
        const double back = power < 0 ? (double)digits * powers[-power] : (double)digits / powers[power];
        const bool carried = (double)digits >= powers[count]; /* 9.99 with two digits is 10 */
        if (single ? (float)back == (float)size : back == size)
            return sign + place_digits(text + sign, digits, count + carried, exponent + carried);
    }
    return 0;
}

/* Floats of 16 bits have 5 digits, f32 6 to 9, f64 15 or 17: when they are read, the same number comes. */
static int number_text(char *text, const writing *w, lun_number number, lun_dtype dtype)
{
    const bool half = dtype != LUN_f64 && dtype != LUN_f32;
    const int least = dtype == LUN_f64 ? 15 : 6, most = half ? 5 : dtype == LUN_f64 ? 17 : 9;
    if (number.is_truth || number.is_integer)
        return snprintf(text, NUMBER_ROOM, dtype == LUN_u64 ? "%llu" : "%lld", (long long)number.integer);
    const int length =
        w->digits || half ? 0 : quick_text(text, number.real, least, dtype == LUN_f64 ? least : most, dtype == LUN_f32);
    return length ? length
                  : snprintf(text, NUMBER_ROOM, "%.*g", w->digits ? w->digits : most, lun_number_shown(number.real));
}

static lun_status write_rows(writing *w, const lun_array *array, const char *data, lun_error *err)
{
    char text[NUMBER_ROOM];
    const size_t width = array->ndim == 2 ? array->shape[1] : 1, item = lun_dtype_bytes(array->dtype);
    const size_t between = strlen(w->delimiter);
    for (size_t i = 0; i < array->size; i++) {
        const int length = number_text(text, w, lun_number_load(data + i * item, array->dtype), array->dtype);
        TRY(put(w, text, (size_t)length, err));
        const bool last = (i + 1) % width == 0;
        TRY(put(w, last ? "\n" : w->delimiter, last ? 1 : between, err));
    }
    return LUN_OK;
}

/* Each line of the header behind the mark of comments. */
static lun_status write_header(writing *w, const char *header, const char *comments, lun_error *err)
{
    while (header) {
        const char *end = strchr(header, '\n');
        TRY(put(w, comments, strlen(comments), err));
        TRY(put(w, header, end ? (size_t)(end - header) : strlen(header), err));
        TRY(put(w, "\n", 1, err));
        header = end ? end + 1 : NULL;
    }
    return LUN_OK;
}

static lun_status bind_savetxt(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const char *delimiter = request_text(r, "delimiter");
    const int64_t digits = request_whole(r, "digits", 0);
    char shape[200];
    if (array->ndim < 1 || array->ndim > 2)
        return fail(err, LUN_MISUSE, "rows of numbers are needed, an array with 1 or 2 axes, got shape %s",
                    array_shape_text(shape, sizeof shape, array));
    if (lun_dtype_has(array->dtype, LUN_PAIRS))
        return fail(err, LUN_MISUSE, "the numbers of a text are real; as_real() makes two columns of each of %s",
                    lun_dtype_name(array->dtype));
    if (request_option(r, "digits") && (digits < 1 || digits > 17))
        return fail(err, LUN_MISUSE, "option 'digits': a whole number from 1 to 17 is needed, got %lld",
                    (long long)digits);
    if (delimiter && (!*delimiter || strpbrk(delimiter, "\n\r")))
        return fail(err, LUN_MISUSE, "option 'delimiter': a text within a line is needed");
    return request_results(r, 0, err);
}

static lun_status save_text(const lun_request *r, const lun_array *array, lun_error *err)
{
    lun_status status = LUN_OK;
    const char *delimiter = request_text(r, "delimiter"), *comments = request_text(r, "comments");
    lun_staging *staging = NULL;
    writing w = {.delimiter = delimiter ? delimiter : " ", .digits = (int)request_whole(r, "digits", 0)};
    void *locale = lun_locale_enter();
    w.text = malloc(TEXT_ROOM);
    if (!w.text)
        FAIL_DONE(LUN_NO_MEMORY, "out of memory");
    TRY_DONE(lun_staging_create(&staging, array->device, lun_array_bytes(array), err));
    TRY_DONE(lun_array_read(staging->data, array, NULL, err));
    TRY_DONE(output_open(&w.file, r->arguments[1].text, err));
    TRY_DONE(write_header(&w, request_text(r, "header"), comments ? comments : "# ", err));
    TRY_DONE(write_rows(&w, array, staging->data, err));
    TRY_DONE(flush(&w, err));
    TRY_DONE(output_commit(&w.file, err));
done:
    lun_locale_leave(locale);
    output_clear(&w.file);
    free(w.text);
    lun_staging_release(staging);
    return status;
}

static lun_status run_savetxt(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)out;
    bool ready;
    const lun_array *array = r->arguments[0].array;
    const lun_status status = lun_array_await(&ready, array, LUN_READ, NULL, LUN_SLICE, err);
    *more = status == LUN_OK && !ready;
    return status != LUN_OK || *more ? status : save_text(r, array, err);
}

const request_functions savetxt_functions = {bind_savetxt, run_savetxt};
