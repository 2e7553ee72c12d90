/* Numbers of a text: decimal, "inf" or "nan", exact to the last bit. */
#include "base/ascii.h"
#include "base/error.h"
#include "packages/files/text_columns.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

double columns_round_for_shorter(double nearest, const char *text, size_t length)
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
