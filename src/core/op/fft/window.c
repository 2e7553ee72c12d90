/* Windows: numbers that fall towards both ends, by which a piece of a signal is multiplied before its transform. */
#include "op/fft/signal.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- formulas ------------------------------------------------------------------------------------------------------------ */

#define TERMS 5 /* of a sum of cosines, at most */

typedef struct window_row {
    const char *name, *wants; /* the option that the window needs, or NULL */
    double terms[TERMS];      /* of a sum of cosines; or all 0, and a formula */
    double (*at)(double j, double n, double parameter);
} window_row;

/* The modified Bessel function of the first kind of order 0: all terms are positive. */
static double bessel(double x)
{
    double sum = 1, term = 1;
    for (int k = 1; term > sum * 1e-17; k++) {
        term *= x / 2 / k * (x / 2 / k);
        sum += term;
    }
    return sum;
}

/* Of n numbers the j-th from 0 on, j in the first half; n is 2 at least. */
static double bartlett(double j, double n, double parameter)
{
    (void)parameter;
    return 2 * j / (n - 1);
}

static double cosine(double j, double n, double parameter)
{
    (void)parameter;
    return sin(pi * (j + 0.5) / n);
}

static double kaiser(double j, double n, double beta)
{
    const double x = 1 - 2 * j / (n - 1);
    return bessel(beta * sqrt(1 - x * x)) / bessel(beta);
}

static double gaussian(double j, double n, double std)
{
    const double x = (j - (n - 1) / 2) / std;
    return exp(-0.5 * x * x);
}

static const window_row windows[] = {
    {.name = "boxcar", .terms = {1}},
    {.name = "hann", .terms = {0.5, 0.5}},
    {.name = "hamming", .terms = {0.54, 0.46}},
    {.name = "blackman", .terms = {0.42, 0.5, 0.08}},
    {.name = "blackmanharris", .terms = {0.35875, 0.48829, 0.14128, 0.01168}},
    {.name = "nuttall", .terms = {0.3635819, 0.4891775, 0.1365995, 0.0106411}},
    {.name = "flattop", .terms = {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368}},
    {.name = "bartlett", .at = bartlett},
    {.name = "cosine", .at = cosine},
    {.name = "kaiser", .wants = "beta", .at = kaiser},
    {.name = "gaussian", .wants = "std", .at = gaussian},
};

/* A periodic window is a symmetrical one of one number more, without its last one. */
static double value(const signal_window *w, size_t i)
{
    const window_row *row = &windows[w->which];
    const size_t n = w->n + w->periodic;
    const double j = (double)smaller(i, n - 1 - i), angle = 2 * pi * j / (double)(n - 1);
    double sum = 0;
    if (w->n == 1)
        return 1;
    if (row->at)
        return row->at(j, (double)n, w->parameter);
    for (int k = 0; k < TERMS; k++)
        sum += (k % 2 ? -row->terms[k] : row->terms[k]) * cos(k * angle);
    return sum;
}

/* ---- on the device ------------------------------------------------------------------------------------------------------- */

static lun_status make_window(void *data, const table_key *key, lun_error *err)
{
    lun_status status = LUN_OK;
    signal_window w = {.which = key->of[0] / 2, .periodic = key->of[0] % 2, .n = key->of[1]};
    memcpy(&w.parameter, &key->of[2], sizeof w.parameter);
    for (size_t i = 0; i < w.n; i++)
        TRY(lun_number_store((char *)data + i * lun_dtype_bytes(key->dtype), key->dtype, lun_real(value(&w, i)), err));
done:
    return status;
}

lun_status window_write(const lun_array *out, const signal_window *w, const char *name, const lun_call *call,
                        lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan p = {0};
    cl_mem table;
    const size_t item = lun_dtype_bytes(out->dtype);
    table_key key = {make_window, out->dtype, w->n * item, {2 * w->which + w->periodic, w->n}};
    memcpy(&key.of[2], &w->parameter, sizeof w->parameter);
    tables_settle(out->device);
    operation_init(&op, out->device, name, call);
    plan_init(&p, &op);
    TRY(operation_writes(&op, out, err));
    operation_weigh(&op, operation_bytes_weight(&op));
    TRY(table_find(&table, out->device, &key, err));
    TRY(plan_copy(&p, block_memory(out->block), (size_t)out->offset * item, table, 0, key.bytes, err));
    TRY(operation_run(&op, &p, err));
done:
    plan_clear(&p);
    operation_clear(&op);
    return status;
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

bool window_is_plain(const signal_window *w) { return windows[w->which].terms[0] == 1; }

lun_status window_read_parameter(signal_window *out, const lun_request *r, lun_error *err)
{
    static const char *const options[] = {"beta", "std"};
    lun_status status = LUN_OK;
    char number[LUN_NUMBER_TEXT];
    const window_row *row = &windows[out->which];
    for (size_t i = 0; i < COUNT(options); i++) {
        const lun_value *given = request_option(r, options[i]);
        const bool wanted = row->wants && strcmp(row->wants, options[i]) == 0;
        if (wanted && !given)
            FAIL(LUN_MISUSE, "the window '%s' wants the option '%s'", row->name, options[i]);
        if (given && !wanted)
            FAIL(LUN_MISUSE, "the window '%s' has no option '%s'", row->name, options[i]);
        if (given)
            out->parameter = given->number.real;
    }
    const bool beta = row->at == kaiser;
    if (row->wants && !(isfinite(out->parameter) && (beta ? fabs(out->parameter) <= 700 : out->parameter > 0)))
        FAIL(LUN_MISUSE, "%s is %s; %s is wanted", row->wants, lun_number_digits(number, out->parameter),
             beta ? "a number from -700 to 700" : "a number above 0");
done:
    return status;
}

static lun_status bind(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    signal_window *w = REQUEST_STATE(r, signal_window);
    int64_t n;
    lun_dtype dtype = LUN_f32;
    const lun_value *named = request_option(r, "dtype"), *periodic = request_option(r, "periodic");
    TRY(window_find(w, r->arguments[1].text, err));
    TRY(request_integer_from(&n, r, 2, 1, err));
    TRY(window_read_parameter(w, r, err));
    if (named)
        TRY(value_dtype(&dtype, named, err));
    if (lun_dtype_has(dtype, LUN_WHOLE))
        FAIL(LUN_MISUSE, "windows are no whole numbers: %s does not hold them", lun_dtype_name(dtype));
    w->n = (size_t)n;
    w->periodic = !periodic || periodic->truth;
    TRY(request_result(r, dtype, 1, &w->n, err));
done:
    return status;
}

static lun_status run(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return window_write(out[0], r->state, r->operation->name, &r->call, err);
}

const request_functions window_functions = {bind, run};
