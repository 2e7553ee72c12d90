/* dev:reduce, as its rows of operation.def are called: ops of expressions, and an operator of the user's. */
#include "abi/fold.h"
#include "call/own.h"
#include "op/expression/named.h"

typedef struct reducing {
    named_expression x;
    lun_own_op own;
    lun_reduction reduction;
    lun_reduce_op ops[FOLD_RESULTS];
    size_t op_count; /* 0: the operator is the user's own */
} reducing;

static lun_status begin(reducing **out, lun_request *r, lun_error *err)
{
    reducing *s = REQUEST_STATE(r, reducing);
    named_begin(&s->x, "reduce");
    s->reduction = (lun_reduction){.accurate = request_truth(r, "accurate"),
                                   .reproducible = request_reproducible(r),
                                   .ddof = request_number(r, "ddof", lun_integer(0)).real,
                                   .segments = request_array_option(r, "segments"),
                                   .base = r->manner->first};
    *out = s;
    return LUN_OK;
}

/* ---- ops of the library ------------------------------------------------------------------------------------------- */

static lun_status read_op(reducing *s, const lun_request *r, size_t i, lun_error *err)
{
    const lun_value *given = &r->arguments[1], *op = value_item(given, i);
    const bool list = given->kind == LUN_VALUE_LIST;
    if (list && op->kind == LUN_VALUE_CUT)
        return fail(err, LUN_MISUSE, "op %zu of the list: the string has a zero byte", i + 1);
    if (list && op->kind != LUN_VALUE_TEXT)
        return fail(err, LUN_MISUSE, "op %zu of the list is %s; a name is needed", i + 1, kind_shown(r, op));
    if (lun_fold_find(&s->ops[i], op->text, err) != LUN_OK)
        return own_refuse_op(op->text, "{map = \"x\", combine = \"a + b\"}", err);
    return LUN_OK;
}

/* Of one op and several expressions, or the other way round, the one goes with each. */
static lun_status pair(reducing *s, lun_error *err)
{
    lun_expression *e = &s->x.e;
    const size_t count = s->op_count > e->result_count ? s->op_count : e->result_count;
    if (s->op_count > 1 && e->result_count > 1 && s->op_count != e->result_count)
        return fail(err, LUN_MISUSE, "got %zu ops and %zu expressions; equal numbers are needed, or one of either",
                    s->op_count, e->result_count);
    for (size_t i = 1; i < count && e->result_count == 1; i++)
        s->x.texts[i] = s->x.texts[0];
    for (size_t i = 1; i < count && s->op_count == 1; i++)
        s->ops[i] = s->ops[0];
    e->result_count = count;
    return LUN_OK;
}

static lun_status bind_ops(lun_request *r, lun_error *err)
{
    reducing *s;
    TRY(begin(&s, r, err));
    s->op_count = value_count(&r->arguments[1]);
    if (s->op_count == 0 || s->op_count > FOLD_RESULTS)
        FAIL(LUN_MISUSE, "the list has %zu ops; from 1 to %d are needed", s->op_count, FOLD_RESULTS);
    for (size_t i = 0; i < s->op_count; i++)
        TRY(read_op(s, r, i, err));
    TRY(named_read_texts(&s->x, r, 2, err));
    TRY(named_read_arguments(&s->x, r, 3, err));
    TRY(pair(s, err));
    return fold_bind(r, &s->x.e, s->ops, &s->reduction, err);
}

static lun_status run(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    const reducing *s = r->state;
    return fold_run(more, r, &s->x.e, s->op_count ? s->ops : NULL, &s->reduction, out, err);
}

const request_functions expression_reduce_functions = {bind_ops, run};

/* ---- an operator of the user's ------------------------------------------------------------------------------------- */

static lun_status bind_own(lun_request *r, lun_error *err)
{
    reducing *s;
    lun_request texts; /* the operator's, which are read as options are */
    const lun_list *given = &r->arguments[1].list;
    lun_request_init(&texts, lun_operation_find(LUN_OF_NOTHING, "own_op"), r->manner);
    TRY(begin(&s, r, err));
    for (size_t i = 0; i < given->count; i++)
        TRY(lun_request_option(&texts, given->names[i], &given->items[i], err));
    TRY(own_read_texts(&s->x.texts[0], &s->own, &texts, err));
    if (!s->x.texts[0])
        FAIL(LUN_MISUSE, "map is missing: the expression whose values are combined");
    s->x.e.text_name = "map";
    s->x.e.result_count = 1;
    s->reduction.own = &s->own;
    TRY(named_read_arguments(&s->x, r, 2, err));
    TRY(own_check_options(&s->reduction, err));
    return fold_bind(r, &s->x.e, NULL, &s->reduction, err);
}

const request_functions own_reduce_functions = {bind_own, run};
