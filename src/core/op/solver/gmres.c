/* The smallest residual over a Krylov space (Saad and Schultz 1986), for square matrices of any kind, restarted after
 * `restart` steps. */
#include "api/reductions.h"
#include "op/solver/solver.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { CONDITIONED = OWN_VECTORS, SPACE };

typedef double _Complex number;

/* The rows of `basis` are vectors of norm 1. Each step has the coefficients of its product in this basis, twice,
 * because one orthogonalisation leaves rounding errors, and the norm of the remainder. In host memory is the small
 * least squares problem, whose triangle is stored column by column. */
typedef struct space {
    lun_array *basis, *columns, *again, *norms, *y;
    double *read_columns, *read_norms;
    number *triangle, *right, *cosines;
    double *sines;
    int64_t used; /* columns of the triangle */
    char *sent;   /* y's elements */
    size_t sent_bytes;
} space;

/* ---- the small least squares problem, on the host ---------------------------------------------------------------------------- */

static number number_at(const double *read)
{
    number z;
    memcpy(&z, read, sizeof z); /* by C11 its layout is these two numbers */
    return z;
}

static double size_of(number z) { return cimag(z) == 0 ? fabs(creal(z)) : cabs(z); }
static number quotient(number a, number b) { return cimag(a) == 0 && cimag(b) == 0 ? creal(a) / creal(b) : a / b; }

/* Rotation i of the two numbers. */
static void rotate(const space *w, int64_t i, number *upper, number *lower)
{
    const number a = *upper, b = *lower;
    *upper = conj(w->cosines[i]) * a + w->sines[i] * b;
    *lower = w->cosines[i] * b - w->sines[i] * a;
}

/* Adds column j of the Hessenberg matrix, whose last number is `below`, to the triangle. */
static void add_column(space *w, number *column, int64_t j, double below)
{
    number last = below;
    for (int64_t i = 0; i < j; i++)
        rotate(w, i, &column[i], &column[i + 1]);
    const double across = size_of(column[j]), norm = sqrt(across * across + below * below);
    w->cosines[j] = norm == 0 ? 1 : quotient(column[j], norm);
    w->sines[j] = norm == 0 ? 0 : below / norm;
    rotate(w, j, &column[j], &last);
    w->right[j + 1] = 0;
    rotate(w, j, &w->right[j], &w->right[j + 1]);
    w->used = j + 1;
}

/* The y of triangle y = right, in place. */
static void solve_triangle(const space *w, int64_t restart)
{
    for (int64_t i = w->used - 1; i >= 0; i--) {
        number sum = w->right[i];
        for (int64_t j = i + 1; j < w->used; j++)
            sum -= w->triangle[j * restart + i] * w->right[j];
        w->right[i] = quotient(sum, w->triangle[i * restart + i]);
    }
}

/* ---- the space, on the device ------------------------------------------------------------------------------------------------- */

static unsigned step_of(const solver *s) { return (unsigned)(s->made + s->i); }

/* The first vectors, up to the step's. */
static lun_array vectors_of(const solver *s, size_t count)
{
    const space *w = s->own;
    lun_array part = *w->basis;
    part.shape[0] = count;
    part.size = count * part.shape[1];
    return part;
}

static ACTION(start)
{
    space *w = s->own;
    composed x = {.result_count = 1};
    w->used = 0;
    w->right[0] = s->result.real; /* the residual's norm */
    x.results[0] = of_product(&x, of_array(&x, now(s, R)), of_real(&x, 1 / s->result.real));
    return solver_map(s, &x, &s->vectors[SPACE].now, err);
}

static ACTION(condition)
{
    const action step = {.from = SPACE + step_of(s), .to = CONDITIONED};
    return solver_precondition(more, s, &step, err);
}

static ACTION(multiply)
{
    const action step = {.from = CONDITIONED, .to = SPACE + step_of(s) + 1};
    return solver_product(more, s, &step, err);
}

static ACTION(take)
{
    const unsigned to = SPACE + step_of(s) + 1;
    const action step = {.from = to, .to = to};
    return solver_copy(more, s, &step, err);
}

/* Subtracts the product's components along the earlier vectors. */
static lun_status subtract(solver *s, const lun_array *numbers, lun_error *err)
{
    const lun_array *left = now(s, SPACE + step_of(s) + 1), basis = vectors_of(s, step_of(s) + 1);
    TRY(lun_matmul_conjugated(numbers, &basis, left, s->pairs ? LUN_CONJUGATE_A : 0, lun_integer(1), lun_integer(0),
                              NULL, err));
    return lun_matmul(left, numbers, &basis, lun_integer(-1), lun_integer(1), NULL, err);
}

static ACTION(subtract_once)
{
    const space *w = s->own;
    const lun_array column = solver_part(w->columns, step_of(s), step_of(s) + 1);
    return subtract(s, &column, err);
}

static ACTION(subtract_again)
{
    const space *w = s->own;
    const lun_array again = solver_part(w->again, 0, step_of(s) + 1);
    return subtract(s, &again, err);
}

static ACTION(add_both)
{
    const space *w = s->own;
    const lun_array column = solver_part(w->columns, step_of(s), step_of(s) + 1),
                    again = solver_part(w->again, 0, step_of(s) + 1);
    composed x = {.result_count = 1};
    const unsigned first = of_array(&x, &column);
    x.results[0] = of_op(&x, LUN_MAP_add, first, of_array(&x, &again));
    return solver_map(s, &x, (const lun_array *[]){&column}, err);
}

static ACTION(measure_left)
{
    const space *w = s->own;
    const lun_array norm = solver_part(w->norms, step_of(s), 1);
    const lun_reduction reduction = {.op = LUN_REDUCE_norm, .axis = {true}};
    return lun_reduce(&norm, now(s, SPACE + step_of(s) + 1), &reduction, NULL, err);
}

static ACTION(scale)
{
    const space *w = s->own;
    const lun_array norm = solver_part(w->norms, step_of(s), 1), *left = now(s, SPACE + step_of(s) + 1);
    composed x = {.result_count = 1};
    const unsigned divisor = of_array(&x, &norm), some = of_op(&x, LUN_MAP_ne, divisor, of_number(&x, lun_integer(0)));
    const unsigned safe = of_op3(&x, LUN_MAP_where, some, divisor, of_number(&x, lun_integer(1)));
    x.results[0] = of_op(&x, LUN_MAP_div, of_array(&x, left), safe);
    return solver_map(s, &x, &left, err);
}

/* ---- looks ---------------------------------------------------------------------------------------------------------------------- */

static ACTION(read_columns)
{
    const space *w = s->own;
    const lun_array rows = solver_part(w->columns, s->made, (size_t)(s->count * s->restart));
    return solver_receive(more, s, w->read_columns, &rows, err);
}

static ACTION(read_norms)
{
    const space *w = s->own;
    const lun_array norms = solver_part(w->norms, s->made, (size_t)s->count);
    return solver_receive(more, s, w->read_norms, &norms, err);
}

static ACTION(look)
{
    space *w = s->own;
    for (int64_t i = 0; i < s->count && !s->met; i++) {
        const int64_t j = s->made + i;
        number *column = w->triangle + j * s->restart;
        for (int64_t k = 0; k <= j && w->used == j; k++)
            column[k] = number_at(w->read_columns + 2 * (i * s->restart + k));
        if (w->used == j)
            add_column(w, column, j, w->read_norms[2 * i]);
        TRY(solver_note(&s->met, s, s->first + i + 1, size_of(w->right[j + 1]), err));
        if (column[j] == 0)
            return solver_fail(s->done, "the matrix is singular: its product with a basis vector is 0", err);
    }
    return LUN_OK;
}

/* ---- the end of a cycle ----------------------------------------------------------------------------------------------------------- */

static ACTION(combine)
{
    space *w = s->own;
    const size_t bytes = lun_dtype_bytes(s->dtype);
    solve_triangle(w, s->restart);
    for (int64_t i = 0; i < w->used; i++)
        TRY(lun_number_store(
            w->sent + (size_t)i * bytes, s->dtype,
            s->pairs ? lun_complex(creal(w->right[i]), cimag(w->right[i])) : lun_real(creal(w->right[i])), err));
    return LUN_OK;
}

static ACTION(send)
{
    space *w = s->own;
    const lun_array y = solver_part(w->y, 0, (size_t)w->used);
    TRY(lun_array_send(more, &w->sent_bytes, &y, w->sent, NULL, err));
    if (!*more)
        w->sent_bytes = 0;
    return LUN_OK;
}

static ACTION(apply)
{
    const space *w = s->own;
    const lun_array y = solver_part(w->y, 0, (size_t)w->used), basis = vectors_of(s, (size_t)w->used);
    return lun_matmul(now(s, R), &y, &basis, lun_integer(1), lun_integer(0), NULL, err);
}

static ACTION(add)
{
    composed x = {.result_count = 1};
    const unsigned at = of_array(&x, now(s, X));
    x.results[0] = of_op(&x, LUN_MAP_add, at, of_array(&x, now(s, CONDITIONED)));
    return solver_map(s, &x, (const lun_array *[]){now(s, X)}, err);
}

static const action begins[] = {DO(start), DO(solver_cycle)},
                    steps[] = {DO(condition), DO(multiply),     DO(take),  DO(subtract_once),   DO(subtract_again),
                               DO(add_both),  DO(measure_left), DO(scale), DO(solver_step_ends)},
                    looks[] = {DO(read_columns), DO(read_norms), DO(look), DO(solver_tell), DO(solver_again)},
                    ends[] = {DO(combine),          DO(send), DO(apply), {solver_precondition, R, CONDITIONED}, DO(add),
                              DO(solver_cycle_ends)};

static lun_status make(solver *s, composing *c, lun_error *err)
{
    space *w;
    const size_t n = s->b->size, restart = smaller((size_t)s->restart, n), most = smaller((size_t)s->every, restart);
    TRY(compose_kept(&s->own, c, sizeof *w, err));
    w = s->own;
    s->restart = (int64_t)restart;
    s->begin = begins;
    s->step = steps;
    s->look = looks;
    s->end = ends;
    TRY(compose_array(&w->basis, c, s->dtype, 2, (size_t[]){restart + 1, n}, err));
    TRY(compose_array(&w->columns, c, s->dtype, 2, (size_t[]){restart, restart}, err));
    TRY(compose_array(&w->again, c, s->dtype, 1, &restart, err));
    TRY(compose_array(&w->y, c, s->dtype, 1, &restart, err));
    TRY(compose_array(&w->norms, c, lun_dtype_part(s->dtype), 1, &restart, err));
    TRY(compose_kept((void **)&w->read_columns, c, most * restart * sizeof(number), err));
    TRY(compose_kept((void **)&w->read_norms, c, most * sizeof(number), err));
    TRY(compose_kept((void **)&w->triangle, c, restart * restart * sizeof(number), err));
    TRY(compose_kept((void **)&w->right, c, (restart + 1) * sizeof(number), err));
    TRY(compose_kept((void **)&w->cosines, c, restart * sizeof(number), err));
    TRY(compose_kept((void **)&w->sines, c, restart * sizeof(double), err));
    TRY(compose_kept((void **)&w->sent, c, restart * sizeof(number), err));
    TRY(solver_begin(s, c, SPACE + restart + 1, err));
    TRY(solver_vectors(s, c, R, solver_is_conditioned(s) ? SPACE - R : CONDITIONED - R, NULL, err));
    return solver_vectors(s, c, SPACE, (unsigned)restart + 1, w->basis, err);
}

const solver_method gmres_method = {0, make};
