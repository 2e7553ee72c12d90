/* Windows: numbers that fall towards both ends, by which a piece of a signal is multiplied before its transform. */
#include "op/fft/signal.h"

#include <math.h>
#include <string.h>

static const long double pi = 3.14159265358979323846264338327950288L;

/* ---- formulas: computed in long double, and rounded once --------------------------------------------------------------- */

#define TERMS 5 /* of a sum of cosines, at most */
#define WHOLE 1e9

typedef struct window_row {
    const char *name, *wants; /* the option that the window needs, or NULL */
    double terms[TERMS];      /* of a sum of cosines, in parts of WHOLE: whole numbers; or all 0, and a formula */
    long double (*at)(long double j, long double n, long double parameter);
} window_row;

/* The modified Bessel function of the first kind of order 0: all terms are positive. */
static long double bessel(long double x)
{
    long double sum = 1, term = 1;
    for (int k = 1; term > sum * 1e-21L; k++) {
        term *= x / 2 / k * (x / 2 / k);
        sum += term;
    }
    return sum;
}

/* Of n numbers the j-th from 0 on, j in the first half; n is 2 at least. */
static long double bartlett(long double j, long double n, long double parameter)
{
    (void)parameter;
    return 2 * j / (n - 1);
}

static long double cosine(long double j, long double n, long double parameter)
{
    (void)parameter;
    return sinl(pi * (2 * j + 1) / (2 * n));
}

/* With x from -1 to 1, 1 - x^2 as a product: near the ends a difference has few digits. */
static long double kaiser(long double j, long double n, long double beta)
{
    return bessel(beta * 2 * sqrtl(j * (n - 1 - j)) / (n - 1)) / bessel(beta);
}

static long double gaussian(long double j, long double n, long double std)
{
    const long double x = (j - (n - 1) / 2) / std;
    return expl(-x * x / 2);
}

static const window_row windows[] = {
    {.name = "boxcar", .terms = {WHOLE}},
    {.name = "hann", .terms = {500000000, 500000000}},
    {.name = "hamming", .terms = {540000000, 460000000}},
    {.name = "blackman", .terms = {420000000, 500000000, 80000000}},
    {.name = "blackmanharris", .terms = {358750000, 488290000, 141280000, 11680000}},
    {.name = "nuttall", .terms = {363581900, 489177500, 136599500, 10641100}},
    {.name = "flattop", .terms = {215578950, 416631580, 277263158, 83578947, 6947368}},
    {.name = "bartlett", .at = bartlett},
    {.name = "cosine", .at = cosine},
    {.name = "kaiser", .wants = "beta", .at = kaiser},
    {.name = "gaussian", .wants = "std", .at = gaussian},
};

/* The sum of (-1)^k terms[k] cos 2 k x as a polynomial of sin^2 x, whose coefficients are whole numbers: where the window falls to 0, so
 * does each of its terms, and nothing cancels. */
static long double cosines(const double *terms, long double sine)
{
    static const double powers[TERMS][TERMS] = {{1}, {1, -2}, {1, -8, 8}, {1, -18, 48, -32}, {1, -32, 160, -256, 128}};
    long double sum = 0;
    for (int power = TERMS; power-- > 0;) {
        double coefficient = 0;
        for (int k = power; k < TERMS; k++)
            coefficient += (k % 2 ? -terms[k] : terms[k]) * powers[k][power];
        sum = sum * sine * sine + coefficient;
    }
    return sum / WHOLE;
}

/* A periodic window is a symmetrical one of one number more, without its last one. */
static double value(const signal_window *w, size_t i)
{
    const window_row *row = &windows[w->which];
    const size_t n = w->n + w->periodic;
    const long double j = (long double)smaller(i, n - 1 - i);
    if (w->n == 1)
        return 1;
    if (row->at)
        return (double)row->at(j, (long double)n, w->parameter);
    return (double)cosines(row->terms, sinl(pi * j / (long double)(n - 1)));
}

/* ---- on the device ------------------------------------------------------------------------------------------------------- */

static lun_status make_window(void *data, const table_key *key, lun_error *err)
{
    signal_window w = {.which = key->of[0] / 2, .periodic = key->of[0] % 2, .n = key->of[1]};
    memcpy(&w.parameter, &key->of[2], sizeof w.parameter);
    for (size_t i = 0; i < w.n; i++)
        TRY(lun_number_store((char *)data + i * lun_dtype_bytes(key->dtype), key->dtype, lun_real(value(&w, i)), err));
    return LUN_OK;
}

lun_status window_write(const lun_array *out, const signal_window *w, const char *name, const lun_call *call,
                        lun_error *err)
{
    cl_mem table;
    const size_t item = lun_dtype_bytes(out->dtype);
    table_key key = {make_window, out->dtype, w->n * item, {2 * w->which + w->periodic, w->n}};
    memcpy(&key.of[2], &w->parameter, sizeof w->parameter);
    tables_settle(out->device);
    PLANNED(op, p, out->device, name, call);
    TRY(operation_writes(&op, out, err));
    operation_weigh(&op, operation_bytes_weight(&op));
    TRY(table_find(&table, out->device, &key, err));
    TRY(plan_copy(&p, block_memory(out->block), (size_t)out->offset * item, table, 0, key.bytes, err));
    return operation_run(&op, &p, err);
}

/* ---- as requests have them ------------------------------------------------------------------------------------------------- */

lun_status window_find(signal_window *out, const char *name, lun_error *err)
{
    char names[300] = "";
    for (size_t i = 0; i < COUNT(windows); i++) {
        if (strcmp(windows[i].name, name) == 0) {
            out->which = i;
            return LUN_OK;
        }
        strcat(strcat(names, i ? ", " : ""), windows[i].name);
    }
    return fail(err, LUN_MISUSE, "unknown window '%.40s'; known are %s", name, names);
}

const char *window_wants(const signal_window *w) { return windows[w->which].wants; }

bool window_is_plain(const signal_window *w) { return windows[w->which].terms[0] == WHOLE; }

lun_status window_read_parameter(signal_window *out, const lun_request *r, lun_error *err)
{
    static const char *const options[] = {"beta", "std"};
    char number[LUN_NUMBER_TEXT];
    const window_row *row = &windows[out->which];
    for (size_t i = 0; i < COUNT(options); i++) {
        const lun_value *given = request_option(r, options[i]);
        const bool wanted = row->wants && strcmp(row->wants, options[i]) == 0;
        if (wanted && !given)
            FAIL(LUN_MISUSE, "the window '%s' needs the option '%s'", row->name, options[i]);
        if (given && !wanted)
            FAIL(LUN_MISUSE, "the window '%s' has no option '%s'", row->name, options[i]);
        if (given)
            out->parameter = given->number.real;
    }
    const bool beta = row->at == kaiser;
    if (row->wants && !(isfinite(out->parameter) && (beta ? fabs(out->parameter) <= 700 : out->parameter > 0)))
        FAIL(LUN_MISUSE, "%s is %s; %s is needed", row->wants, lun_number_digits(number, out->parameter),
             beta ? "a number from -700 to 700" : "a number above 0");
    return LUN_OK;
}

static lun_status window(composing *c, lun_error *err)
{
    signal_window w = {.n = 0};
    const lun_value *named = &c->r->arguments[3], *periodic = request_option(c->r, "periodic");
    const lun_array *out;
    int64_t n;
    lun_dtype dtype = c->r->floats;
    TRY(window_find(&w, c->r->arguments[1].text, err));
    TRY(request_integer_from(&n, c->r, 2, 1, err));
    TRY(window_read_parameter(&w, c->r, err));
    if (named->kind != LUN_VALUE_NOTHING)
        TRY(value_dtype(&dtype, named, err));
    if (lun_dtype_has(dtype, LUN_WHOLE))
        FAIL(LUN_MISUSE, "a window's numbers are not integers: %s cannot hold them", lun_dtype_name(dtype));
    w.n = (size_t)n;
    w.periodic = !periodic || periodic->truth;
    TRY(compose_result(&out, c, 0, dtype, 1, &w.n, err));
    return CALLED(c, true, window_write(out, &w, c->r->operation->name, &call, err));
}

COMPOSED(window)
