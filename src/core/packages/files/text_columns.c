/* Numbers in columns of a text. */
#include "packages/files/text_columns.h"
#include "base/ascii.h"
#include "base/dtype.h"
#include "base/error.h"

#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- numbers ------------------------------------------------------------------------------------------------------- */

/* The digits that can decide how a double is rounded, of a number half way between two (Goldberg 1991 has 767), and one more
 * that stands for all behind them. */
#define DECIDING 800

/* What a number's text says, digit by digit. */
typedef struct scan {
    uint64_t digits; /* the first ones, as many as 64 bits hold, */
    int dropped;     /* and how many are behind them */
    int power;       /* of ten, */
    int exponent;    /* and what behind an e is of it */
    bool negative, is_integer, any;
} scan;

static const char *scan_digits(scan *s, const char *p, const char *end, bool behind_point)
{
    for (; p < end && ascii_is_digit(*p); p++) {
        s->any = true;
        uint64_t more;
        if (!s->dropped && !__builtin_mul_overflow(s->digits, 10u, &more) &&
            !__builtin_add_overflow(more, (uint64_t)(*p - '0'), &more)) {
            s->digits = more;
            s->power -= behind_point;
        } else {
            s->dropped++;
            s->power += !behind_point;
        }
    }
    return p;
}

static const char *scan_exponent(scan *s, const char *p, const char *end)
{
    int exponent = 0;
    const char *at = p + 1;
    const bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (at == end || !ascii_is_digit(*at))
        return p;
    for (; at < end && ascii_is_digit(*at); at++)
        exponent = exponent < 100000000 ? exponent * 10 + (*at - '0') : exponent;
    s->exponent = negative ? -exponent : exponent;
    s->power += s->exponent;
    s->is_integer = false;
    return at;
}

static bool scan_number(scan *s, const char *p, const char *end)
{
    *s = (scan){.is_integer = true};
    s->negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    p = scan_digits(s, p, end, false);
    if (p < end && *p == '.') {
        s->is_integer = false;
        p = scan_digits(s, p + 1, end, true);
    }
    if (s->any && p < end && (*p == 'e' || *p == 'E'))
        p = scan_exponent(s, p, end);
    return s->any && p == end;
}

/* inf, infinity, nan, whatever the case of their letters. */
static bool read_word(double *out, const char *text, size_t length)
{
    char word[16];
    const bool is_signed = length && (*text == '-' || *text == '+');
    const double sign = is_signed && *text == '-' ? -1 : 1;
    text += is_signed;
    length -= is_signed;
    if (length < 3 || length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    *out = sign * (double)INFINITY;
    if (ascii_same(word, "inf") || ascii_same(word, "infinity"))
        return true;
    *out = (double)NAN;
    return ascii_same(word, "nan");
}

/* A number of many digits, for strtod: those that decide, without a point, and a power of ten. */
static double read_long(const scan *s, const char *text, size_t length)
{
    char digits[DECIDING + 24];
    int count = 0, power = s->exponent;
    bool behind_point = false, more = false;
    for (size_t i = 0; i < length && text[i] != 'e' && text[i] != 'E'; i++) {
        behind_point = behind_point || text[i] == '.';
        if (!ascii_is_digit(text[i]))
            continue;
        const bool taken = count < DECIDING && (count || text[i] != '0');
        if (taken)
            digits[count++] = text[i];
        more = more || (count == DECIDING && !taken && text[i] != '0');
        power += (count == DECIDING && !taken) - behind_point;
    }
    if (count == 0)
        return s->negative ? -0.0 : 0.0;
    digits[count - 1] = more && digits[count - 1] == '0' ? '1' : digits[count - 1];
    snprintf(digits + count, sizeof digits - (size_t)count, "e%d", power);
    const double value = strtod(digits, NULL);
    return s->negative ? -value : value;
}

/* By the rounding that the thread has. */
static double read_by_strtod(const scan *s, const char *text, size_t length)
{
    char copy[DECIDING];
    if (length >= sizeof copy)
        return read_long(s, text, length);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return strtod(copy, NULL);
}

/* Powers of ten that a double holds. */
static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool is_short(const scan *s)
{
    return s->digits <= UINT64_C(1) << 53 && s->dropped == 0 && s->power >= -22 && s->power <= 22;
}

/* Digits that a double holds, times or by a power of ten that it holds, round once (Clinger 1990); strtod has the rest. */
static double read_real(const scan *s, const char *text, size_t length)
{
    if (!is_short(s))
        return read_by_strtod(s, text, length);
    const double digits = (double)s->digits;
    const double value = s->power < 0 ? digits / powers[-s->power] : digits * powers[s->power];
    return s->negative ? -value : value;
}

/* The number for a float shorter than a double, which rounds it once more: where the double is half way between two of those, or
 * one of them, and not the number itself, that neighbour of the number whose last bit is set, so that it falls to its own side. */
static double read_for_shorter(double nearest, const char *text, size_t length)
{
    scan s;
    uint64_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    if ((bits & 0xfffffff) != 0 || !scan_number(&s, text, text + length))
        return nearest;
    const double digits = (double)s.digits, size = fabs(nearest);
    if (is_short(&s) && (s.power < 0 ? fma(size, powers[-s.power], -digits) : fma(digits, powers[s.power], -size)) == 0)
        return nearest; /* which is the number */
    const int usual = fegetround();
    fesetround(FE_DOWNWARD);
    const double low = read_by_strtod(&s, text, length);
    fesetround(FE_UPWARD);
    const double high = read_by_strtod(&s, text, length);
    fesetround(usual);
    memcpy(&bits, &low, sizeof bits);
    return low == high ? nearest : (bits & 1) != 0 ? low : high;
}

bool columns_number(lun_number *out, bool *beyond, const char *text, size_t length)
{
    scan s;
    double real;
    const bool found = scan_number(&s, text, text + length);
    *beyond = false;
    if (!found && !read_word(&real, text, length))
        return false;
    const bool less_than_nothing = s.negative && s.digits == 0; /* -0, which no integer is */
    if (found && s.is_integer && s.dropped == 0 && !less_than_nothing) {
        *beyond = s.digits > INT64_MAX && !(s.negative && s.digits == (uint64_t)INT64_MAX + 1);
        if (!*beyond || !s.negative) {
            *out = lun_integer((int64_t)(s.negative ? 0 - s.digits : s.digits));
            out->real = s.negative ? -(double)s.digits : (double)s.digits;
            return true;
        }
        *beyond = false;
    }
    *out = lun_real(found ? read_real(&s, text, length) : real);
    return true;
}

/* ---- fields -------------------------------------------------------------------------------------------------------- */

static lun_status add_field(columns *c, const char *from, const char *to, lun_error *err)
{
    if (c->field_count == c->field_room) {
        const size_t room = c->field_room ? 2 * c->field_room : 64;
        field *more = realloc(c->fields, room * sizeof *more);
        if (!more)
            return fail(err, LUN_NO_MEMORY, "out of memory");
        c->fields = more;
        c->field_room = room;
    }
    c->fields[c->field_count++] = (field){from, (size_t)(to - from)};
    return LUN_OK;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void trim(const char **from, const char **to)
{
    while (*from < *to && is_blank(**from))
        (*from)++;
    while (*from < *to && is_blank((*to)[-1]))
        (*to)--;
}

static lun_status split(columns *c, const char *from, const char *to, lun_error *err)
{
    const char delimiter = c->format.delimiter;
    c->field_count = 0;
    while (delimiter) {
        const char *mark = memchr(from, delimiter, (size_t)(to - from)), *end = mark ? mark : to, *begin = from;
        trim(&begin, &end);
        TRY(add_field(c, begin, end, err));
        if (!mark)
            return LUN_OK;
        from = mark + 1;
    }
    while (from < to) {
        const char *end = from;
        while (end < to && !is_blank(*end))
            end++;
        TRY(add_field(c, from, end, err));
        from = end;
        while (from < to && is_blank(*from))
            from++;
    }
    return LUN_OK;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------- */

#define SHOWN_FIELD 40

static lun_status refuse(const columns *c, size_t column, lun_error *err)
{
    char text[SHOWN_FIELD + 1];
    const field *f = &c->fields[column];
    const size_t length = f->length < SHOWN_FIELD ? f->length : SHOWN_FIELD;
    for (size_t i = 0; i < length; i++)
        text[i] = f->text[i] >= ' ' && f->text[i] < 127 ? f->text[i] : '?';
    text[length] = '\0';
    return fail(
        err, LUN_IO, "%.200s: line %llu, column %zu: '%s%s' is no number; the option missing gives one for such fields",
        c->format.name, (unsigned long long)c->line, column + c->format.first, text, length < f->length ? "..." : "");
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
        if (!c->format.has_missing)
            return refuse(c, column, err);
        number = c->format.missing;
    } else if (dtype == LUN_u64 ? !beyond && number.is_integer && number.integer < 0 : beyond)
        number = lun_real(number.real); /* which is out of range */
    if (dtype != LUN_f64 && !dtype_is_whole(dtype) && !number.is_integer)
        number.real = read_for_shorter(number.real, f->text, f->length);
    if (dtype == LUN_f64)
        memcpy(element, &number.real, sizeof number.real);
    else if (dtype == LUN_u64 && beyond)
        memcpy(element, &number.integer, sizeof number.integer);
    else if (lun_number_round(element, dtype, number, &inner) != LUN_OK)
        return fail(err, LUN_IO, "%.200s: line %llu, column %zu: %s", c->format.name, (unsigned long long)c->line,
                    column + c->format.first, inner.message);
    return LUN_OK;
}

static lun_status make_room(columns *c, lun_error *err)
{
    const size_t wanted = c->bytes + c->width * lun_dtype_bytes(c->format.dtype);
    if (wanted <= c->room)
        return LUN_OK;
    const size_t room = wanted > 2 * c->room ? wanted : 2 * c->room;
    unsigned char *more = realloc(c->data, room);
    if (!more)
        return fail(err, LUN_NO_MEMORY, "out of memory");
    c->data = more;
    c->room = room;
    return LUN_OK;
}

static lun_status check_width(columns *c, lun_error *err)
{
    const columns_format *f = &c->format;
    const size_t width = f->wanted ? f->wanted_count : c->field_count;
    for (size_t i = 0; f->wanted && i < width; i++)
        if (f->wanted[i] >= c->field_count)
            return fail(err, LUN_IO, "%.200s: line %llu has %zu column%s, and column %zu is needed", f->name,
                        (unsigned long long)c->line, c->field_count, c->field_count == 1 ? "" : "s",
                        f->wanted[i] + f->first);
    if (c->rows && c->width != width)
        return fail(err, LUN_IO, "%.200s: line %llu has %zu column%s, and those before it %zu", f->name,
                    (unsigned long long)c->line, width, width == 1 ? "" : "s", c->width);
    c->width = width;
    return make_room(c, err);
}

static const char *comment_in(const char *from, const char *to, const char *mark)
{
    const size_t length = strlen(mark);
    for (; length && (size_t)(to - from) >= length; from++) {
        from = memchr(from, *mark, (size_t)(to - from) - length + 1);
        if (!from || memcmp(from, mark, length) == 0)
            return from;
    }
    return NULL;
}

static lun_status read_line(columns *c, const char *from, const char *to, lun_error *err)
{
    const size_t item = lun_dtype_bytes(c->format.dtype);
    if (++c->line <= c->format.skip || c->rows == c->format.most)
        return LUN_OK;
    const char *comment = comment_in(from, to, c->format.comments);
    to = comment ? comment : to;
    trim(&from, &to);
    if (from == to)
        return LUN_OK;
    TRY(split(c, from, to, err));
    TRY(check_width(c, err));
    for (size_t i = 0; i < c->width; i++)
        TRY(read_field(c->data + c->bytes + i * item, c, c->format.wanted ? c->format.wanted[i] : i, err));
    c->bytes += c->width * item;
    c->rows++;
    return LUN_OK;
}

lun_status columns_read(size_t *taken, columns *c, const char *text, size_t length, bool ends, lun_error *err)
{
    lun_status status = LUN_OK;
    const char *from = text, *const end = text + length;
    void *locale = lun_locale_enter();
    while (from < end) {
        const char *line = memchr(from, '\n', (size_t)(end - from));
        if (!line && !ends)
            break;
        TRY_DONE(read_line(c, from, line ? line : end, err));
        from = line ? line + 1 : end;
    }
done:
    lun_locale_leave(locale);
    *taken = (size_t)(from - text);
    return status;
}

void columns_clear(columns *c)
{
    free(c->data);
    free(c->fields);
    *c = (columns){.data = NULL};
}
