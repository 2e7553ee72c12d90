/* Iterative solvers: the actions common to all methods. Only the true residual b - A x, computed anew, decides whether
 * x is the answer. */
#include "op/solver/solver.h"
#include "api/reductions.h"

#include <math.h>
#include <stdlib.h>

#define TOGETHER 64 /* actions, until the host allows interrupts */

static void go(solver *s, const action *list) { s->next = list; }

lun_status solver_advance(bool *more, solver *s, lun_error *err)
{
    for (int i = 0; i < TOGETHER && s->at; i++) {
        s->next = s->at + 1;
        TRY(s->at->run(more, s, s->at, err));
        if (*more)
            return LUN_OK;
        s->at = s->next;
    }
    *more = s->at != NULL;
    return LUN_OK;
}

/* ---- arrays ------------------------------------------------------------------------------------------------------------ */

lun_array solver_part(const lun_array *array, int64_t row, size_t count)
{
    lun_array part = *array;
    part.offset += row * array->stride[0];
    part.ndim = 1;
    part.shape[0] = part.size = count;
    part.stride[0] = array->stride[array->ndim - 1];
    return part;
}

void solver_cells(lun_array *cells, const solver *s)
{
    for (unsigned i = 0; i < s->method->columns; i++) {
        cells[i] = solver_part(s->rows, s->i, 1);
        cells[i].offset += i;
    }
}

/* ---- expressions ------------------------------------------------------------------------------------------------------- */

unsigned of_conj(composed *x, const solver *s, unsigned a) { return s->pairs ? of_op1(x, LUN_MAP_conj, a) : a; }

unsigned of_part(composed *x, const solver *s, const lun_array *cell)
{
    const unsigned a = of_array(x, cell);
    return s->pairs ? of_op1(x, LUN_MAP_real, a) : a;
}

unsigned of_product(composed *x, unsigned a, unsigned b) { return of_op(x, LUN_MAP_mul, a, b); }

unsigned of_going(composed *x, const solver *s, const lun_array *square)
{
    const unsigned a = of_part(x, s, square);
    return of_op(x, LUN_MAP_gt, a, of_real(x, s->limit));
}

lun_status solver_map(solver *s, composed *x, const lun_array *const *outs, lun_error *err)
{
    const lun_expression e = compose_expression(s->r, x);
    return lun_map(outs, &e, NULL, err);
}

lun_status solver_sums(solver *s, composed *x, const lun_array *const *outs, lun_error *err)
{
    const lun_expression e = compose_expression(s->r, x);
    lun_reduce_op ops[LUN_MAP_RESULTS];
    for (size_t i = 0; i < x->result_count; i++)
        ops[i] = LUN_REDUCE_sum;
    return lun_fold(outs, &e, ops, &(lun_reduction){.axis = {true}}, NULL, err);
}

/* ---- intermediate results
 * --------------------------------------------------------------------------------------------- */

double solver_size(const double *number) { return number[1] == 0 ? fabs(number[0]) : hypot(number[0], number[1]); }

lun_status solver_fail(int64_t step, const char *message, lun_error *err)
{
    FAIL(LUN_MISUSE, "%s at step %lld", message, (long long)step);
}

lun_status solver_check_divisor(int64_t step, const char *what, double value, lun_error *err)
{
    if (value == 0 || !isfinite(value))
        FAIL(LUN_MISUSE, "%s is %s at step %lld", what,
             value == 0     ? "0"
             : isnan(value) ? "NaN"
                            : "inf",
             (long long)step);
    return LUN_OK;
}

/* Records the residual after a step, for the report; of two residuals of one step the later one counts. */
static lun_status keep_history(solver *s, int64_t steps, double residual, lun_error *err)
{
    const size_t count = (size_t)steps;
    WIDEN(s->history, s->room, count, "a solver's report");
    if (count)
        s->history[count - 1] = residual;
    s->report.count = larger(s->report.count, count);
    s->report.history = s->history;
    return LUN_OK;
}

lun_status solver_note(bool *met, solver *s, int64_t steps, double norm, lun_error *err)
{
    const double residual = norm / s->norm;
    if (!isfinite(residual))
        return solver_fail(steps, isnan(residual) ? "the residual is NaN" : "the residual is inf", err);
    TRY(keep_history(s, steps, residual, err));
    s->done = steps;
    *met = norm <= s->tol * s->norm;
    return LUN_OK;
}

lun_status solver_receive(bool *more, solver *s, double *out, const lun_array *array, lun_error *err)
{
    const size_t bytes = lun_dtype_bytes(array->dtype);
    char *data = (char *)out; /* spread from the last on: no element is larger than a pair */
    TRY(lun_array_receive(more, &s->received, data, array, NULL, err));
    if (*more)
        return LUN_OK;
    s->received = 0;
    for (size_t i = array->size; i-- > 0;) {
        const lun_number n = lun_number_load(data + i * bytes, array->dtype);
        out[2 * i] = n.real;
        out[2 * i + 1] = n.imaginary;
    }
    return LUN_OK;
}

ACTION(solver_read) { return solver_receive(more, s, s->read, s->rows, err); }

ACTION(solver_tell)
{
    const lun_value *function = request_option(s->r, "callback");
    const size_t known = s->report.count;
    if (function && known && !s->asked) {
        s->r->ask = (lun_ask){.function = function, .step = (int64_t)known, .residual = s->history[known - 1]};
        s->r->wish = LUN_WISH_CALL;
        s->asked = *more = true;
        return LUN_OK;
    }
    s->asked = false;
    return LUN_OK;
}

/* ---- cycles of steps ------------------------------------------------------------------------------------------------------ */

/* Begins the next batch of steps of the cycle. */
static void begin_batch(solver *s)
{
    s->count = s->cycle - s->made < s->every ? s->cycle - s->made : s->every;
    s->i = 0;
    s->first = s->done;
    go(s, s->step);
}

ACTION(solver_cycle)
{
    const int64_t left = s->most - s->done;
    s->cycle = left < s->restart ? left : s->restart;
    s->made = 0;
    s->met = false;
    begin_batch(s);
    return LUN_OK;
}

ACTION(solver_step_ends)
{
    go(s, ++s->i < s->count ? s->step : s->look);
    return LUN_OK;
}

ACTION(solver_again)
{
    s->made += s->count;
    if (s->met || s->made == s->cycle)
        go(s, s->end);
    else
        begin_batch(s);
    return LUN_OK;
}

ACTION(solver_cycle_ends)
{
    s->claimed = s->met;
    go(s, solver_residual);
    return LUN_OK;
}

/* ---- the residual ----------------------------------------------------------------------------------------------------------- */

static ACTION(subtract)
{
    vector *r = &s->vectors[R];
    composed x = {.result_count = 1};
    x.results[0] = of_difference(&x, s->b, r->now);
    TRY(solver_map(s, &x, (const lun_array *[]){r->flat}, err));
    vector_own(r); /* only after it has succeeded: the host may try it again */
    return LUN_OK;
}

static ACTION(measure) { return solver_row(more, s, LUN_OF_ARRAY, "norm", VALUES(OF(s->vectors[R].flat)), NULL, err); }

/* Fills the report, and ends. */
static void finish(solver *s, bool converged, double norm)
{
    s->report.converged = converged;
    s->report.steps = s->done;
    s->report.residual = norm / s->norm;
    go(s, NULL);
}

/* Ends if x is the answer, no steps are left, or b - A x no longer decreases although the method's own residual does;
 * then the better x is kept. */
static ACTION(judge)
{
    double norm = s->result.real;
    bool converged = false, met;
    TRY(solver_note(&converged, s, s->done, norm, err));
    const bool stuck = s->claimed && norm > s->before / 2;
    if (stuck && !converged && norm > s->before) {
        norm = s->before;
        TRY(lun_array_copy(now(s, X), now(s, BEST), NULL, err));
        TRY(solver_note(&met, s, s->done, norm, err));
    }
    if (converged || stuck || s->done == s->most) {
        finish(s, converged, norm);
        return LUN_OK;
    }
    if (s->claimed) {
        TRY(lun_array_copy(now(s, BEST), now(s, X), NULL, err));
        s->before = norm;
    }
    go(s, s->begin);
    return LUN_OK;
}

const action solver_residual[] = {{solver_product, X, R}, DO(subtract), DO(measure), DO(judge)};
