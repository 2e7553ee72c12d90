/* Iterative solvers: vectors, and their products with A or a preconditioner. */
#include "base/shape.h"
#include "op/solver/solver.h"

/* ---- vectors ---------------------------------------------------------------------------------------------------- */

void vector_own(vector *v)
{
    v->now = v->flat;
    v->now_shaped = v->shaped;
}

lun_status solver_begin(solver *s, composing *c, size_t count, lun_error *err)
{
    vector *x;
    TRY(compose_kept((void **)&s->vectors, c, count * sizeof *s->vectors, err));
    x = &s->vectors[X];
    x->shaped = c->out[0];
    COMPOSE_VIEW(x->flat, c, lun_array_reshape(x->flat, c->out[0], 1, &c->out[0]->size, err));
    vector_own(x);
    return LUN_OK;
}

lun_status solver_vectors(solver *s, composing *c, unsigned first, unsigned count, lun_array *own, lun_error *err)
{
    const lun_array *b = s->b;
    for (unsigned i = first; i < first + count; i++) {
        vector *v = &s->vectors[i];
        if (own) {
            const lun_slice slices[] = {{.from = i - first, .step = 1, .count = 1, .drop = true},
                                        {.step = 1, .count = b->size}};
            COMPOSE_VIEW(v->flat, c, lun_array_slice(v->flat, own, slices, err));
        } else {
            TRY(compose_array(&v->flat, c, s->dtype, 1, &b->size, err));
        }
        COMPOSE_VIEW(v->shaped, c, lun_array_reshape(v->shaped, v->flat, c->out[0]->ndim, c->out[0]->shape, err));
        TRY(compose_view(&v->given, c, err));
        TRY(compose_view(&v->given_shaped, c, err));
        vector_own(v);
    }
    return LUN_OK;
}

/* ---- rows of operation.def --------------------------------------------------------------------------------------------- */

lun_status solver_row(bool *more, solver *s, lun_owner owner, const char *row, const step_value *values, size_t count,
                      lun_array *out, lun_error *err)
{
    lun_request *call = s->call;
    if (!s->bound) {
        unsigned argument = 0;
        lun_request_clear(call);
        lun_request_init(call, lun_operation_find(owner, row), &s->manner);
        call->device = s->r->device;
        for (size_t i = 0; i < count; i++)
            if (values[i].name)
                TRY(lun_request_option(call, values[i].name, &values[i].value, err));
            else
                call->arguments[argument++] = values[i].value;
        if (out)
            TRY(lun_request_option(call, "out", &OF(out).value, err));
        TRY(lun_request_bind(call, err));
        s->bound = true;
    }
    TRY(lun_request_run(more, call, &out, err));
    s->r->staging_bytes = call->staging_bytes;
    s->bound = *more;
    s->result = call->numbers[0];
    return LUN_OK;
}

/* ---- functions of the host's user --------------------------------------------------------------------------------------- */

static lun_status take_given(solver *s, const linear *l, vector *to, lun_error *err)
{
    char shown[SHOWN], came[SHOWN];
    lun_request *r = s->r;
    const lun_value *given = &r->ask.given;
    const lun_array *array = given->array, *wanted = to->shaped;
    if (given->kind != LUN_VALUE_ARRAY)
        FAIL(LUN_MISUSE, "%s returned %s; an array is needed", l->what, value_shown(shown, r, given));
    if (!lun_array_is_live(array))
        FAIL(LUN_MISUSE, "%s returned an array that was released", l->what);
    if (r->ask.lost)
        FAIL(LUN_MISUSE, "%s released an array that was passed to it", l->what);
    vector_own(to);
    if (array == wanted)
        return LUN_OK;
    if (array->dtype != to->flat->dtype || !shape_equal(array, wanted))
        FAIL(LUN_MISUSE, "%s returned an array of %s %s; one of %s %s is needed", l->what,
             manner_shape_text(came, sizeof came, r->manner, array->ndim, array->shape), lun_dtype_name(array->dtype),
             manner_shape_text(shown, sizeof shown, r->manner, wanted->ndim, wanted->shape),
             lun_dtype_name(to->flat->dtype));
    if (!lun_array_is_contiguous(array) || array->device != r->device)
        return lun_array_copy(wanted, array, NULL, err);
    lun_array_clear(to->given);
    lun_array_clear(to->given_shaped);
    TRY(lun_array_view(to->given_shaped, array, err));
    TRY(lun_array_reshape(to->given, array, 1, &array->size, err));
    to->now = to->given;
    to->now_shaped = to->given_shaped;
    return LUN_OK;
}

/* Lets the host call the function. */
static lun_status call_function(bool *more, solver *s, const linear *l, const action *a, lun_error *err)
{
    vector *to = &s->vectors[a->to];
    if (s->asked) {
        TRY(take_given(s, l, to, err));
        s->asked = false;
        return LUN_OK;
    }
    s->r->ask = (lun_ask){.function = l->function, .from = s->vectors[a->from].now_shaped, .to = to->shaped};
    s->r->wish = LUN_WISH_CALL;
    s->asked = *more = true;
    return LUN_OK;
}

/* ---- products ------------------------------------------------------------------------------------------------------------ */

#define MATRIX(a_sparse) ((step_value){.value = {.kind = LUN_VALUE_SPARSE, .sparse = (a_sparse)}})

/* What triangles solve by, one behind the other. */
static lun_status solve_triangles(bool *more, solver *s, linear *l, const lun_array *from, lun_array *to,
                                  lun_error *err)
{
    while (l->sparse[l->solved]) {
        const unsigned i = l->solved;
        const bool last = i + 1 == COUNT(l->sparse) || !l->sparse[i + 1];
        lun_array *right = i == 0 ? (lun_array *)from : l->between;
        TRY(solver_row(more, s, LUN_OF_SPARSE, "solve",
                       VALUES(MATRIX(l->sparse[i]), OF(right), NAMED("assume", TEXT(l->assume[i]))),
                       last ? to : l->between, err));
        if (*more)
            return LUN_OK;
        l->solved = last ? 0 : i + 1;
        if (last)
            return LUN_OK;
    }
    return LUN_OK;
}

static lun_status multiply(bool *more, solver *s, linear *l, const action *a, lun_error *err)
{
    const lun_array *from = now(s, a->from);
    vector *to = &s->vectors[a->to];
    composed x = {.result_count = 1};
    if (l->kind == BY_FUNCTION)
        return call_function(more, s, l, a, err);
    vector_own(to);
    if (l->kind == AS_IT_IS) {
        to->now = from;
        to->now_shaped = s->vectors[a->from].now_shaped;
    }
    switch (l->kind) {
    case BY_ELEMENT:
        x.results[0] = of_product(&x, of_array(&x, from), of_array(&x, l->array));
        return solver_map(s, &x, &to->now, err);
    case BY_ARRAY:
        return lun_matmul(to->flat, l->array, from, lun_integer(1), lun_integer(0), NULL, err);
    case BY_SPARSE:
        return solver_row(more, s, LUN_OF_SPARSE, "matmul", VALUES(MATRIX(l->sparse[0]), OF((lun_array *)from)),
                          to->flat, err);
    case BY_TRIANGLES:
        return solve_triangles(more, s, l, from, to->flat, err);
    default:
        return LUN_OK;
    }
}

ACTION(solver_product) { return multiply(more, s, &s->a, a, err); }
ACTION(solver_precondition) { return multiply(more, s, &s->m, a, err); }

ACTION(solver_copy)
{
    vector *to = &s->vectors[a->to];
    const lun_array *from = now(s, a->from);
    if (from != to->flat)
        TRY(lun_array_copy(to->flat, from, NULL, err));
    vector_own(to); /* only after it has succeeded: the host may try it again */
    return LUN_OK;
}
