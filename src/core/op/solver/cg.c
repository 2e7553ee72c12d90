/* Conjugate gradients (Hestenes and Stiefel 1952), for matrices that are symmetric, or Hermitian, and positive
 * definite. The divisors of a step stay on the device.
 *
 * A step: q = A p; alpha = (r, p) / (p, q); x = x + alpha p; r = r - alpha q; z = M r; beta = -(q, z) / (p, q); p = z +
 * beta p. If M is an array m, (q, z) is (q, m r) - alpha (q, m q) (Meurant 1984), so one pass computes all sums. The
 * formulas of alpha and beta hold for any r and p, so r may be replaced by the true residual b - A x. Steps after the
 * one that meets the limit change nothing, so x does not depend on how often the host checks. */
#include "op/solver/solver.h"

#include <math.h>

enum { P = OWN_VECTORS, Q, Z, VECTORS };
enum { RR, RP, PQ, QZ, QMQ, COLUMNS }; /* of a step's row */

/* 0 where the limit is met. */
static unsigned alpha_of(composed *x, const solver *s, const lun_array *cells)
{
    const unsigned going = of_going(x, s, &cells[RR]);
    const unsigned rp = of_part(x, s, &cells[RP]), pq = of_part(x, s, &cells[PQ]);
    const unsigned alpha = of_op(x, LUN_MAP_div, rp, pq);
    return of_op3(x, LUN_MAP_where, going, alpha, of_number(x, lun_integer(0)));
}

static unsigned weighted(composed *x, const solver *s, unsigned a)
{
    return s->m.array ? of_product(x, of_array(x, s->m.array), a) : a;
}

/* The new x and r. */
static void move(composed *x, const solver *s, unsigned alpha)
{
    const unsigned p = of_array(x, now(s, P)), q = of_array(x, now(s, Q));
    const unsigned moved = of_op(x, LUN_MAP_add, of_array(x, now(s, X)), of_product(x, alpha, p));
    x->results[0] = moved;
    x->results[1] = of_op(x, LUN_MAP_sub, of_array(x, now(s, R)), of_product(x, alpha, q));
}

/* ---- if M is an array, or there is none
 * --------------------------------------------------------------------------------- */

static ACTION(sums)
{
    composed x = {.result_count = COLUMNS};
    lun_array cells[COLUMNS];
    const unsigned r = of_array(&x, now(s, R)), p = of_array(&x, now(s, P)), q = of_array(&x, now(s, Q));
    const unsigned rc = of_conj(&x, s, r), qc = of_conj(&x, s, q);
    solver_cells(cells, s);
    x.results[RR] = of_product(&x, rc, r);
    x.results[RP] = of_product(&x, rc, p);
    x.results[PQ] = of_product(&x, qc, p);
    x.results[QZ] = of_product(&x, qc, weighted(&x, s, r));
    x.results[QMQ] = of_product(&x, qc, weighted(&x, s, q));
    return solver_sums(s, &x, (const lun_array *[]){&cells[RR], &cells[RP], &cells[PQ], &cells[QZ], &cells[QMQ]}, err);
}

static ACTION(step)
{
    composed x = {.result_count = 3};
    lun_array cells[COLUMNS];
    solver_cells(cells, s);
    const unsigned alpha = alpha_of(&x, s, cells), p = of_array(&x, now(s, P));
    const unsigned qmq = of_part(&x, s, &cells[QMQ]), qz = of_part(&x, s, &cells[QZ]);
    const unsigned less = of_op(&x, LUN_MAP_sub, of_product(&x, alpha, qmq), qz);
    const unsigned beta = of_op(&x, LUN_MAP_div, less, of_part(&x, s, &cells[PQ]));
    move(&x, s, alpha);
    const unsigned turned = of_op(&x, LUN_MAP_add, weighted(&x, s, x.results[1]), of_product(&x, beta, p));
    x.results[2] = of_op3(&x, LUN_MAP_where, of_going(&x, s, &cells[RR]), turned, p);
    return solver_map(s, &x, (const lun_array *[]){now(s, X), now(s, R), now(s, P)}, err);
}

static const action by_weights[] = {{solver_product, P, Q}, DO(sums), DO(step), DO(solver_step_ends)};

/* ---- if M is applied
 * ---------------------------------------------------------------------------------------------------- */

static ACTION(first_sums)
{
    composed x = {.result_count = 3};
    lun_array cells[COLUMNS];
    const unsigned r = of_array(&x, now(s, R)), p = of_array(&x, now(s, P)), q = of_array(&x, now(s, Q));
    const unsigned rc = of_conj(&x, s, r);
    solver_cells(cells, s);
    x.results[0] = of_product(&x, rc, r);
    x.results[1] = of_product(&x, rc, p);
    x.results[2] = of_product(&x, of_conj(&x, s, q), p);
    return solver_sums(s, &x, (const lun_array *[]){&cells[RR], &cells[RP], &cells[PQ]}, err);
}

static ACTION(both)
{
    composed x = {.result_count = 2};
    lun_array cells[COLUMNS];
    solver_cells(cells, s);
    move(&x, s, alpha_of(&x, s, cells));
    return solver_map(s, &x, (const lun_array *[]){now(s, X), now(s, R)}, err);
}

static ACTION(last_sum)
{
    composed x = {.result_count = 1};
    lun_array cells[COLUMNS];
    const unsigned qc = of_conj(&x, s, of_array(&x, now(s, Q)));
    solver_cells(cells, s);
    x.results[0] = of_product(&x, qc, of_array(&x, now(s, Z)));
    return solver_sums(s, &x, (const lun_array *[]){&cells[QZ]}, err);
}

static ACTION(turn)
{
    composed x = {.result_count = 1};
    lun_array cells[COLUMNS];
    solver_cells(cells, s);
    const unsigned p = of_array(&x, now(s, P)), z = of_array(&x, now(s, Z));
    const unsigned qz = of_part(&x, s, &cells[QZ]);
    const unsigned beta = of_op(&x, LUN_MAP_div, qz, of_part(&x, s, &cells[PQ]));
    const unsigned turned = of_op(&x, LUN_MAP_sub, z, of_product(&x, beta, p));
    x.results[0] = of_op3(&x, LUN_MAP_where, of_going(&x, s, &cells[RR]), turned, p);
    return solver_map(s, &x, (const lun_array *[]){now(s, P)}, err);
}

static const action by_product[] = {{solver_product, P, Q},      DO(first_sums), DO(both),
                                    {solver_precondition, R, Z}, DO(last_sum),   DO(turn),
                                    DO(solver_step_ends)};

/* ---- cycles ------------------------------------------------------------------------------------------------------------------ */

/* Checks the rows of the batch's steps. */
static ACTION(look)
{
    for (int64_t i = 0; i < s->count; i++) {
        const double *row = s->read + 2 * COLUMNS * i;
        TRY(solver_note(&s->met, s, s->first + i, sqrt(row[2 * RR]), err));
        if (s->met)
            return LUN_OK;
        TRY(solver_check_divisor(s->first + i + 1, "p . A p", row[2 * PQ], err));
        s->done = s->first + i + 1;
    }
    return LUN_OK;
}

static const action further[] = {DO(solver_cycle)};

/* Later cycles continue with the last direction. */
static ACTION(keep)
{
    s->begin = further;
    return LUN_OK;
}

static const action first[] = {{solver_precondition, R, P}, {solver_copy, P, P}, DO(keep), DO(solver_cycle)},
                    looks[] = {DO(solver_read), DO(look), DO(solver_tell), DO(solver_again)},
                    ends[] = {DO(solver_cycle_ends)};

static lun_status make(solver *s, composing *c, lun_error *err)
{
    const bool applied = s->m.kind != AS_IT_IS && s->m.kind != BY_ELEMENT;
    s->begin = first;
    s->step = applied ? by_product : by_weights;
    s->look = looks;
    s->end = ends;
    TRY(solver_begin(s, c, VECTORS, err));
    return solver_vectors(s, c, R, applied ? VECTORS - R : Z - R, NULL, err);
}

const solver_method cg_method = {COLUMNS, make};
