/* Numbers written in columns of text files, as a row of operation.def is called: savetxt. */
#include "base/ascii.h"
#include "call/interface.h"
#include "packages/files/deflate.h"
#include "packages/files/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writing {
    output file;
    char *text;
    size_t used;
    bool is_packed; /* by gzip; each flush writes a part of its own */
    const char *delimiter;
    int digits; /* 0: as many as it takes to read the same number */
} writing;

enum { TEXT_ROOM = 1 << 18, NUMBER_ROOM = LUN_SCALAR_TEXT + 8 };

static lun_status write_out(writing *w, const char *text, size_t length, lun_error *err)
{
    ENDED_BY(packed_clear) packed part = {0};
    if (!w->is_packed)
        return length ? output_write(&w->file, text, length, err) : LUN_OK;
    TRY(deflate_pack(&part, DEFLATE_GZIP, &(piece){text, length}, 1, err));
    return output_write(&w->file, part.data, part.bytes, err);
}

static lun_status flush(writing *w, lun_error *err)
{
    const size_t used = w->used;
    w->used = 0;
    return write_out(w, w->text, used, err);
}

static lun_status put(writing *w, const char *text, size_t length, lun_error *err)
{
    if (w->used + length > TEXT_ROOM)
        TRY(flush(w, err));
    if (length > TEXT_ROOM)
        return write_out(w, text, length, err);
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

/* A name in quotes, and each quote within it twice, where it would be read as another one without. */
static lun_status write_name(writing *w, const char *name, lun_error *err)
{
    if (*name && !strpbrk(name, " \t\"#") && !strstr(name, w->delimiter))
        return put(w, name, strlen(name), err);
    TRY(put(w, "\"", 1, err));
    for (; *name; name++) {
        TRY(put(w, name, 1, err));
        if (*name == '"')
            TRY(put(w, name, 1, err));
    }
    return put(w, "\"", 1, err);
}

static lun_status write_names(writing *w, const lun_value *names, lun_error *err)
{
    const size_t count = names ? value_count(names) : 0;
    for (size_t i = 0; i < count; i++) {
        if (i)
            TRY(put(w, w->delimiter, strlen(w->delimiter), err));
        TRY(write_name(w, value_item(names, i)->text, err));
    }
    return names ? put(w, "\n", 1, err) : LUN_OK;
}

static lun_status check_names(const lun_request *r, const lun_array *array, lun_error *err)
{
    const lun_value *names = request_option(r, "names");
    const size_t width = array->ndim == 2 ? array->shape[1] : 1, count = names ? value_count(names) : width;
    if (count != width)
        return fail(err, LUN_MISUSE, "option 'names': %zu name%s given, expected %zu (the columns)", count,
                    count == 1 ? " is" : "s are", width);
    for (size_t i = 0; names && i < count; i++) {
        const lun_value *name = value_item(names, i);
        if (name->kind != LUN_VALUE_TEXT || strpbrk(name->text, "\n\r"))
            return fail(err, LUN_MISUSE, "option 'names': a string within a line is needed, got %s",
                        name->kind == LUN_VALUE_TEXT ? "several lines" : kind_shown(r, name));
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
    TRY(check_names(r, array, err));
    return request_results(r, 0, err);
}

static lun_status save_text(const lun_request *r, const lun_array *array, lun_error *err)
{
    lun_status status = LUN_OK;
    const char *delimiter = request_text(r, "delimiter"), *comments = request_text(r, "comments");
    lun_staging *staging = NULL;
    writing w = {.delimiter = delimiter ? delimiter : " ", .digits = (int)request_whole(r, "digits", 0)};
    void *locale = lun_locale_enter();
    const char *path = r->arguments[1].text, *ending = strrchr(path, '.');
    w.is_packed = ending && ascii_same(ending, ".gz");
    w.text = NEW_DONE(1, TEXT_ROOM, "a text");
    TRY_DONE(lun_staging_create(&staging, array->device, lun_array_bytes(array), err));
    TRY_DONE(lun_array_read(staging->data, array, NULL, err));
    TRY_DONE(output_open(&w.file, path, err));
    TRY_DONE(write_header(&w, request_text(r, "header"), comments ? comments : "# ", err));
    TRY_DONE(write_names(&w, request_option(r, "names"), err));
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
    const lun_array *array = r->arguments[0].array;
    TRY(request_await(more, array, err));
    return *more ? LUN_OK : save_text(r, array, err);
}

const request_functions savetxt_functions = {bind_savetxt, run_savetxt};
