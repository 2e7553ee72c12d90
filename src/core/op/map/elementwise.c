/* Elementwise functions of a few arrays and numbers, alone and as rows of map.def are called. */
#include "call/request.h"

#include "api/functions.h"

void lun_elementwise_begin(lun_elementwise *out, lun_map_op op)
{
    const unsigned arity = lun_map_arity(op);
    out->result = arity;
    out->nodes[arity] = (lun_node){.kind = LUN_NODE_OP, .op = op, .args = {0, 1, 2}};
    out->expression = (lun_expression){.name = lun_map_name(op),
                                       .nodes = out->nodes,
                                       .node_count = arity + 1,
                                       .results = &out->result,
                                       .result_count = 1,
                                       .arrays = out->arrays,
                                       .numbers = out->numbers};
}

void lun_elementwise_array(lun_elementwise *e, unsigned operand, const lun_array *array)
{
    const unsigned i = (unsigned)e->expression.array_count++;
    e->nodes[operand] = (lun_node){.kind = LUN_NODE_ARRAY, .args = {i}};
    e->arrays[i] = array;
}

void lun_elementwise_number(lun_elementwise *e, unsigned operand, lun_number number)
{
    if (lun_map_compiles_in(e->nodes[e->result].op, operand, number)) {
        e->nodes[operand] = (lun_node){.kind = LUN_NODE_CONSTANT, .value = number};
        return;
    }
    const unsigned i = (unsigned)e->expression.number_count++;
    e->nodes[operand] = (lun_node){.kind = LUN_NODE_NUMBER, .args = {i}};
    e->numbers[i] = number;
}

/* ---- requests -------------------------------------------------------------------------------------------------------- */

/* Of two numbers the lower one comes first; of arrays the device alone knows. */
static lun_status check_limits(const lun_request *r, lun_error *err)
{
    char from[SHOWN], to[SHOWN];
    const lun_value *low = &r->arguments[1], *high = &r->arguments[2];
    if (low->kind != LUN_VALUE_NUMBER || high->kind != LUN_VALUE_NUMBER || !number_is_below(high->number, low->number))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "low %s is above high %s; clamp takes the lower number first",
                number_shown(from, low->number), number_shown(to, high->number));
}

/* An array's function has the array itself as its first operand. */
static lun_status read_operands(lun_elementwise **out, lun_request *r, lun_error *err)
{
    lun_map_op op;
    lun_elementwise *e = REQUEST_STATE(r, lun_elementwise);
    const unsigned first = r->operation->owner == LUN_OF_ARRAY ? 0 : 1;
    *out = e;
    lun_operation_is_elementwise(&op, r->operation);
    lun_elementwise_begin(e, op);
    e->nodes[e->result].dtype = r->floats;
    for (unsigned i = 0; i < lun_map_arity(op); i++) {
        const lun_value *value = &r->arguments[first + i];
        if (value->kind == LUN_VALUE_BOOLEAN && !lun_map_takes_truths(op))
            return request_refuse(r, first + i, "an array or a number", err);
        if (value->kind == LUN_VALUE_ARRAY)
            lun_elementwise_array(e, i, value->array);
        else
            lun_elementwise_number(e, i, value_scalar(value));
    }
    if (!e->expression.array_count)
        return fail(err, LUN_MISUSE, "one of the operands must be an array");
    return op == LUN_MAP_clamp ? check_limits(r, err) : LUN_OK;
}

static lun_status bind_elementwise(lun_request *r, lun_error *err)
{
    lun_elementwise *e;
    lun_dtype dtype = LUN_f32;
    int ndim = 0;
    size_t shape[LUN_MAX_AXES];
    TRY(read_operands(&e, r, err));
    if (!request_array_option(r, "out"))
        TRY(lun_map_result(&dtype, &ndim, shape, &e->expression, err));
    return request_result(r, dtype, ndim, shape, err);
}

static lun_status bind_in_place(lun_request *r, lun_error *err)
{
    lun_elementwise *e;
    const lun_status status = read_operands(&e, r, err);
    return status == LUN_OK ? request_in_place(r, err) : status;
}

static lun_status run_elementwise(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const lun_elementwise *e = r->state;
    return lun_map((const lun_array *const *)out, &e->expression, &r->call, err);
}

const request_functions elementwise_functions = {bind_elementwise, run_elementwise},
                        in_place_functions = {bind_in_place, run_elementwise};
