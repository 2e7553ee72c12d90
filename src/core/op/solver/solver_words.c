/* Iterative solvers as rows of operation.def: the preparation before the first step, and the run. */
#include "op/solver/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRECONDITIONER "option 'preconditioner'"

/* ---- A and M ------------------------------------------------------------------------------------------------------------------ */

static lun_status cast_sparse(lun_sparse **out, composing *c, lun_sparse *a, lun_dtype dtype, lun_error *err)
{
    *out = a;
    if (a->values->dtype == dtype)
        return LUN_OK;
    return step_matrix(out, c, LUN_OF_SPARSE, "cast", VALUES(MATRIX(a), DTYPE(dtype)), err);
}

static lun_status set_linear(linear *l, composing *c, const lun_value *value, lun_dtype dtype, lun_error *err)
{
    if (value->kind == LUN_VALUE_SPARSE) {
        l->kind = BY_SPARSE;
        return cast_sparse(&l->sparse[0], c, value->sparse, dtype, err);
    }
    if (value->kind == LUN_VALUE_ARRAY) {
        l->kind = BY_ARRAY;
        return compose_cast(&l->array, c, dtype, value->array, err);
    }
    l->kind = BY_FUNCTION;
    l->function = value;
    return LUN_OK;
}

/* One over A's diagonal. */
static lun_status set_diagonal(solver *s, composing *c, lun_error *err)
{
    const lun_value *a = &s->r->arguments[1];
    const lun_array *diagonal;
    lun_array *made = NULL, *zero = NULL;
    lun_number some, at;
    composed x = {0};
    if (a->kind == LUN_VALUE_SPARSE)
        STEP(&made, c, SPARSE, "diag", MATRIX(a->sparse));
    else
        COMPOSE_VIEW(made, c, lun_array_diagonal(made, a->array, (const int[]){0, 1}, 0, err));
    TRY(compose_cast(&diagonal, c, s->dtype, made, err));
    STEP_NUMBER(&some, c, "nnz", OF((lun_array *)diagonal));
    if ((size_t)some.integer < diagonal->size) {
        STEP(&zero, c, ARRAY, "eq", OF((lun_array *)diagonal), WHOLE(0));
        STEP_NUMBER(&at, c, "argmax", OF(zero));
        FAIL(LUN_MISUSE, PRECONDITIONER ": 'jacobi' divides by the diagonal, and element %lld of it is 0",
             (long long)at.integer);
    }
    const unsigned one = of_number(&x, lun_integer(1));
    x.results[0] = of_op(&x, LUN_MAP_div, one, of_array(&x, diagonal));
    return compose_map(&s->m.array, c, &x, err);
}

/* A sparse A's incomplete factors. */
static lun_status set_factors(solver *s, composing *c, const char *name, lun_error *err)
{
    linear *m = &s->m;
    TRY(step_matrix(&m->sparse[0], c, LUN_OF_SPARSE, name, VALUES(MATRIX(s->a.sparse[0])), err));
    m->assume[0] = name[1] == 'l' ? "unit lower" : "lower";
    m->assume[1] = "upper";
    m->sparse[1] = m->sparse[0]; /* of ilu both are in one */
    if (name[1] == 'c')
        TRY(step_matrix(&m->sparse[1], c, LUN_OF_SPARSE, "t", VALUES(MATRIX(m->sparse[0])), err));
    if (name[1] == 'c' && s->pairs)
        TRY(step_matrix(&m->sparse[1], c, LUN_OF_SPARSE, "map", VALUES(MATRIX(m->sparse[1]), TEXT("conj")), err));
    return LUN_OK;
}

static lun_status set_triangles(solver *s, composing *c, const lun_list *list, lun_error *err)
{
    for (size_t i = 0; i < list->count / 2; i++) {
        s->m.assume[i] = list->items[2 * i].text;
        TRY(cast_sparse(&s->m.sparse[i], c, list->items[2 * i + 1].sparse, s->dtype, err));
    }
    return LUN_OK;
}

/* A contiguous copy in the dtype, of one axis. */
static lun_status flat_copy(const lun_array **out, const solver *s, composing *c, const lun_array *in, lun_error *err)
{
    lun_array *copy;
    TRY(compose_array(&copy, c, s->dtype, in->ndim, in->shape, err));
    TRY(compose_copy(c, copy, in, false, err));
    return compose_reshape(out, c, copy, 1, &copy->size, err);
}

static lun_status set_preconditioner(solver *s, composing *c, const lun_value *m, lun_error *err)
{
    s->m.what = "the preconditioner";
    if (!m)
        return LUN_OK;
    if (m->kind == LUN_VALUE_FUNCTION || (solver_is_matrix(m) && solver_is_applied(s->r, m)))
        return set_linear(&s->m, c, m, s->dtype, err);
    if (m->kind == LUN_VALUE_ARRAY || (solver_is_named(m) && m->text[0] == 'j')) {
        s->m.kind = BY_ELEMENT;
        return m->kind == LUN_VALUE_ARRAY ? flat_copy(&s->m.array, s, c, m->array, err) : set_diagonal(s, c, err);
    }
    s->m.kind = BY_TRIANGLES;
    TRY(compose_array(&s->m.between, c, s->dtype, 1, &s->b->size, err));
    return m->kind == LUN_VALUE_LIST ? set_triangles(s, c, &m->list, err) : set_factors(s, c, m->text, err);
}

/* ---- the problem ---------------------------------------------------------------------------------------------------------------- */

/* The power of two that scales the norm to between 1 and 2, so that no square overflows or underflows. */
static double scale_of(double norm, lun_dtype dtype)
{
    const int most = lun_dtype_bytes(lun_dtype_part(dtype)) == 4 ? 126 : 1022;
    const int exponent = norm == 0 ? 0 : -ilogb(norm);
    return ldexp(1, exponent < -most ? -most : exponent > most ? most : exponent);
}

/* out = in times a number. */
static lun_status scale(composing *c, const lun_array *out, const lun_array *in, double factor, lun_error *err)
{
    composed x = {0};
    x.results[0] = of_product(&x, of_array(&x, in), of_real(&x, factor));
    return compose_into(c, &out, &x, false, err);
}

/* b and x, and what is known of b's norm. */
static lun_status set_vectors(solver *s, composing *c, lun_error *err)
{
    const lun_array *b, *start = request_array_option(s->r, "x");
    lun_number norm;
    TRY(flat_copy(&b, s, c, s->r->arguments[2].array, err));
    STEP_NUMBER(&norm, c, "norm", OF((lun_array *)b));
    if (!isfinite(norm.real))
        FAIL(LUN_MISUSE, "argument 2: the norm of b is %s", isnan(norm.real) ? "NaN" : "inf");
    s->scale = scale_of(norm.real, s->dtype);
    s->norm = norm.real * s->scale;
    s->limit = pow(s->tol * s->norm, 2);
    if (lun_dtype_bytes(lun_dtype_part(s->dtype)) == 4)
        s->limit = (float)s->limit;
    TRY(scale(c, b, b, s->scale, err));
    s->b = (lun_array *)b;
    if (!start || s->norm == 0)
        return CALLED(c, false, lun_array_fill(c->out[0], lun_integer(0), &call, err));
    TRY(compose_copy(c, c->out[0], start, false, err));
    return scale(c, c->out[0], c->out[0], s->scale, err);
}

static void drop(void *memory)
{
    solver *s = memory;
    free(s->history);
    lun_request_clear(s->call);
}

static lun_status set_up(composing *c, lun_error *err)
{
    lun_request *r = c->r;
    solver *s = r->state;
    const bool matrix = solver_is_matrix(&r->arguments[1]);
    if (!s->call) {
        s->call = REQUEST_MEMORY(r, sizeof *s->call);
        TRY(request_hold(r, s, drop, err));
    }
    TRY(set_vectors(s, c, err));
    if (s->norm == 0)
        return LUN_OK;
    s->a.what = matrix ? "argument 1" : "the function";
    TRY(set_linear(&s->a, c, &r->arguments[1], s->dtype, err));
    TRY(set_preconditioner(s, c, request_option(r, "preconditioner"), err));
    const size_t columns = s->method->columns, every = (size_t)s->every;
    if (columns) {
        TRY(compose_array(&s->rows, c, s->dtype, 2, (size_t[]){every, columns}, err));
        TRY(compose_kept((void **)&s->read, c, 2 * every * columns * sizeof *s->read, err));
    }
    return s->method->make(s, c, err);
}

/* b and x are copied, so the caller may release them. */
static void forget_inputs(lun_request *r)
{
    r->arguments[2].kind = LUN_VALUE_NOTHING;
    for (unsigned i = 0; r->operation->options[i].name; i++)
        if (strcmp(r->operation->options[i].name, "x") == 0)
            r->given &= ~(1u << i);
}

enum { SETS_UP, STEPS, ENDS };

static lun_status run(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    solver *s = r->state;
    if (r->stage == SETS_UP) {
        TRY(steps_run(more, r, out, set_up, err));
        if (*more)
            return LUN_OK;
        forget_inputs(r);
        s->at = s->norm == 0 ? NULL : solver_residual;
        s->report.converged = s->norm == 0;
        s->before = INFINITY;
        r->report = &s->report;
        r->stage = STEPS;
    }
    *more = false;
    if (r->stage == STEPS)
        TRY(solver_advance(more, s, err));
    if (*more)
        return LUN_OK;
    r->stage = ENDS;
    composed x = {.result_count = 1};
    x.results[0] = of_product(&x, of_array(&x, out[0]), of_real(&x, 1 / s->scale));
    return solver_map(s, &x, (const lun_array *const *)out, err);
}

#define SOLVER(name)                                                                                                   \
    static lun_status bind_##name(lun_request *r, lun_error *err) { return solver_bind(r, &name##_method, err); }      \
    const request_functions name##_functions = {bind_##name, run};
SOLVER(cg)
SOLVER(bicgstab)
SOLVER(gmres)
