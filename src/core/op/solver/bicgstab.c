/* Stabilised bi-conjugate gradients (van der Vorst 1992), for square matrices of any kind. The divisors of a step stay
 * on the device.
 *
 * `shadow` is the first residual. A step: v = A M p; alpha = (shadow, r) / (shadow, v); s = r - alpha v; t = A M s;
 * omega = (t, s) / (t, t); x = x + alpha M p + omega M s; r = s - omega t; beta = (shadow, r) / (shadow, r before)
 * alpha / omega; p = r + beta (p - omega v). The next (shadow, r) is (shadow, s) - omega (shadow, t), so that one pass
 * computes all sums. Steps after the one that meets the limit change nothing. */
#include "op/solver/solver.h"

#include <math.h>

enum { SHADOW = OWN_VECTORS, P, V, S, T, MP, MS, VECTORS };
enum { RR, RHO, RV, TS, TT, SS, ST, COLUMNS }; /* of a step's row; the shadow's products with s and t are SS and ST */

static ACTION(first_sums)
{
    composed x = {.result_count = 3};
    lun_array cells[COLUMNS];
    const unsigned r = of_array(&x, now(s, R)), v = of_array(&x, now(s, V));
    const unsigned shadow = of_conj(&x, s, of_array(&x, now(s, SHADOW)));
    solver_cells(cells, s);
    x.results[0] = of_product(&x, of_conj(&x, s, r), r);
    x.results[1] = of_product(&x, shadow, r);
    x.results[2] = of_product(&x, shadow, v);
    return solver_sums(s, &x, (const lun_array *[]){&cells[RR], &cells[RHO], &cells[RV]}, err);
}

static unsigned alpha_of(composed *x, const lun_array *cells)
{
    const unsigned rho = of_array(x, &cells[RHO]);
    return of_op(x, LUN_MAP_div, rho, of_array(x, &cells[RV]));
}

/* 0 where t is. */
static unsigned omega_of(composed *x, const lun_array *cells)
{
    const unsigned ts = of_array(x, &cells[TS]), tt = of_array(x, &cells[TT]);
    const unsigned some = of_op(x, LUN_MAP_ne, tt, of_number(x, lun_integer(0)));
    const unsigned omega = of_op(x, LUN_MAP_div, ts, tt);
    return of_op3(x, LUN_MAP_where, some, omega, of_number(x, lun_integer(0)));
}

static ACTION(half)
{
    composed x = {.result_count = 1};
    lun_array cells[COLUMNS];
    solver_cells(cells, s);
    const unsigned less = of_product(&x, alpha_of(&x, cells), of_array(&x, now(s, V)));
    x.results[0] = of_op(&x, LUN_MAP_sub, of_array(&x, now(s, R)), less);
    return solver_map(s, &x, (const lun_array *[]){now(s, S)}, err);
}

static ACTION(last_sums)
{
    composed x = {.result_count = 4};
    lun_array cells[COLUMNS];
    const unsigned half = of_array(&x, now(s, S)), t = of_array(&x, now(s, T)), tc = of_conj(&x, s, t);
    const unsigned shadow = of_conj(&x, s, of_array(&x, now(s, SHADOW)));
    solver_cells(cells, s);
    x.results[0] = of_product(&x, tc, half);
    x.results[1] = of_product(&x, tc, t);
    x.results[2] = of_product(&x, shadow, half);
    x.results[3] = of_product(&x, shadow, t);
    return solver_sums(s, &x, (const lun_array *[]){&cells[TS], &cells[TT], &cells[SS], &cells[ST]}, err);
}

static ACTION(step)
{
    composed x = {.result_count = 3};
    lun_array cells[COLUMNS];
    solver_cells(cells, s);
    const unsigned going = of_going(&x, s, &cells[RR]), alpha = alpha_of(&x, cells), omega = omega_of(&x, cells);
    const unsigned at = of_array(&x, now(s, X)), r = of_array(&x, now(s, R)), p = of_array(&x, now(s, P));
    const unsigned moved = of_op(&x, LUN_MAP_add, at, of_product(&x, alpha, of_array(&x, now(s, MP))));
    const unsigned further = of_op(&x, LUN_MAP_add, moved, of_product(&x, omega, of_array(&x, now(s, MS))));
    const unsigned t = of_product(&x, omega, of_array(&x, now(s, T)));
    const unsigned left = of_op(&x, LUN_MAP_sub, of_array(&x, now(s, S)), t);
    const unsigned st = of_product(&x, omega, of_array(&x, &cells[ST]));
    const unsigned rho = of_op(&x, LUN_MAP_sub, of_array(&x, &cells[SS]), st);
    const unsigned beta = of_op(&x, LUN_MAP_div, rho, of_product(&x, of_array(&x, &cells[RV]), omega));
    const unsigned v = of_product(&x, omega, of_array(&x, now(s, V)));
    const unsigned turned = of_product(&x, beta, of_op(&x, LUN_MAP_sub, p, v));
    x.results[0] = of_op3(&x, LUN_MAP_where, going, further, at);
    x.results[1] = of_op3(&x, LUN_MAP_where, going, left, r);
    x.results[2] = of_op3(&x, LUN_MAP_where, going, of_op(&x, LUN_MAP_add, left, turned), p);
    return solver_map(s, &x, (const lun_array *[]){now(s, X), now(s, R), now(s, P)}, err);
}

/* Checks the rows of the batch's steps. After a step with omega 0 there is no next one. */
static ACTION(look)
{
    double *last_omega = s->own;
    for (int64_t i = 0; i < s->count; i++) {
        const double *row = s->read + 2 * COLUMNS * i;
        const int64_t steps = s->first + i;
        const double omega = i ? solver_size(row - 2 * COLUMNS + 2 * TS) : s->made ? *last_omega : 1;
        TRY(solver_note(&s->met, s, steps, sqrt(row[2 * RR]), err));
        if (s->met)
            return LUN_OK;
        if (omega == 0)
            return solver_fail(steps, "omega is 0", err);
        TRY(solver_check_divisor(steps + 1, "rho", solver_size(row + 2 * RHO), err));
        TRY(solver_check_divisor(steps + 1, "(r0, v)", solver_size(row + 2 * RV), err));
        s->done = steps + 1;
    }
    *last_omega = solver_size(s->read + 2 * (COLUMNS * (s->count - 1) + TS));
    return LUN_OK;
}

static const action begins[] = {{solver_copy, R, SHADOW}, {solver_copy, R, P}, DO(solver_cycle)},
                    steps[] = {{solver_precondition, P, MP}, {solver_product, MP, V}, DO(first_sums), DO(half),
                               {solver_precondition, S, MS}, {solver_product, MS, T}, DO(last_sums),  DO(step),
                               DO(solver_step_ends)},
                    looks[] = {DO(solver_read), DO(look), DO(solver_tell), DO(solver_again)},
                    ends[] = {DO(solver_cycle_ends)};

static lun_status make(solver *s, composing *c, lun_error *err)
{
    s->begin = begins;
    s->step = steps;
    s->look = looks;
    s->end = ends;
    TRY(compose_kept(&s->own, c, sizeof(double), err));
    TRY(solver_begin(s, c, VECTORS, err));
    return solver_vectors(s, c, R, (solver_is_conditioned(s) ? VECTORS : MP) - R, NULL, err);
}

const solver_method bicgstab_method = {COLUMNS, make};
