/* Elementwise functions: operators, methods and their in-place forms, all rows of the core's table. */
#include "call.h"
#include "check.h"
#include "task.h"

#include <string.h>

#define IN_PLACE 0x1000 /* beside the lun_map_op in UP_NUMBER: a:add_(b) */
#define OPERANDS 3

typedef struct operation {
    lun_node nodes[OPERANDS + 1];
    const lun_array *arrays[OPERANDS];
    lun_number numbers[OPERANDS];
    unsigned result;
    lun_expression expression;
} operation;

/* Raises as the array at `index` was released: it is an operand of an operator with that many. */
_Noreturn static void refuse_released(lua_State *L, int index, unsigned arity)
{
    misuse(L, "%sthe array was released", arity == 1 ? "" : index == 1 ? "left operand: " : "right operand: ");
}

/* The operand at `index`, which is no number; `sides`: of how many of an operator, 0: of a method. */
static const lun_array *check_operand(lua_State *L, int index, unsigned sides)
{
    const lun_array *array = object_test(L, index, CLASS_ARRAY);
    if (array == NULL && sides > 0)
        misuse(L, "arrays and numbers are wanted on both sides, got %s%s", object_kind(L, index),
               lua_type(L, index) == LUA_TTABLE             ? "; dev:array makes an array of a table"
               : object_test(L, index, CLASS_EVENT) != NULL ? "; " EVENT_HINT
                                                            : "");
    if (array == NULL)
        check_refuse(L, index, "an array or a number");
    if (sides > 0 && !lun_array_is_live(array))
        refuse_released(L, index, sides);
    return lun_array_is_live(array) ? array : check_array(L, index);
}

/* Takes the operands from the stack, from `first` on: arrays and numbers. */
static void read_operands(lua_State *L, operation *op, lun_map_op which, int first, bool sides)
{
    const unsigned arity = lun_map_arity(which);
    lun_expression *e = &op->expression;
    *e = (lun_expression){.name = lun_map_name(which), .nodes = op->nodes, .node_count = arity + 1};
    e->results = &op->result;
    e->result_count = 1;
    e->arrays = op->arrays;
    e->numbers = op->numbers;
    op->result = arity;
    op->nodes[arity] = (lun_node){.kind = LUN_NODE_OP, .op = which, .args = {0, 1, 2}};
    for (unsigned i = 0; i < arity; i++) {
        const int index = first + (int)i;
        lun_number number;
        if (lua_type(L, index) != LUA_TBOOLEAN && scalar_test(L, index, &number)) {
            if (lun_map_compiles_in(which, i, number)) {
                op->nodes[i] = (lun_node){.kind = LUN_NODE_CONSTANT, .value = number};
                continue;
            }
            op->nodes[i] = (lun_node){.kind = LUN_NODE_NUMBER, .args = {(unsigned)e->number_count}};
            op->numbers[e->number_count++] = number;
        } else {
            op->nodes[i] = (lun_node){.kind = LUN_NODE_ARRAY, .args = {(unsigned)e->array_count}};
            op->arrays[e->array_count++] = check_operand(L, index, sides ? arity : 0);
        }
    }
    if (e->array_count == 0)
        misuse(L, "one of the operands must be an array");
}

/* Computes the expression into task_out's array, which is made here unless it is given. */
static int give_map(lua_State *L, task *t, const lun_expression *e)
{
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_attempt tried;
    if (!t->given) {
        if (lun_map_result(&dtype, &ndim, shape, e, &tried.err) != LUN_OK)
            call_raise(L, t->device, &tried.err);
        task_make(L, t, dtype, ndim, shape);
    }
    const lun_array *out = t->out;
    for (lun_attempt_enqueue(&tried, t->device, &t->call); call_goes_on(L, &tried);)
        tried.status = lun_map(&out, e, &t->call, &tried.err);
    return task_give(L, t);
}

/* Is one of the operands a stand-in of lun.fuse? Then its own function, which takes the arguments first..last, computes the
 * result. [-0, +(0|1)] */
static bool stand_in_computes(lua_State *L, lun_map_op which, int first, int last)
{
    const int arity = (int)lun_map_arity(which);
    for (int i = first; i < first + arity; i++) {
        if (lua_type(L, i) != LUA_TTABLE || luaL_getmetafield(L, i, FUSED) == LUA_TNIL)
            continue;
        lua_pushstring(L, lun_map_name(which));
        for (int k = first; k <= last; k++)
            lua_pushvalue(L, k);
        lua_call(L, last - first + 2, 1);
        return true;
    }
    return false;
}

/* Of two numbers the lower one comes first; of arrays the device alone knows. */
static void check_limits(lua_State *L, int low)
{
    if (lua_type(L, low) != LUA_TNUMBER || lua_type(L, low + 1) != LUA_TNUMBER ||
        !lua_compare(L, low + 1, low, LUA_OPLT))
        return;
    const char *from = number_text(L, low), *to = number_text(L, low + 1);
    misuse(L, "low %s is above high %s; a:clamp(low, high) takes the lower number first", from, to);
}

/* a:add(b [, options]), a:add_(b [, options]), a:exp([options]) ...: UP_NUMBER is the function. */
int array_elementwise(lua_State *L)
{
    options o;
    task t;
    operation op;
    const lua_Integer number = lua_tointeger(L, UP_NUMBER);
    const lun_map_op which = (lun_map_op)(number & ~IN_PLACE);
    lun_array *self = check_array(L, 1);
    if (stand_in_computes(L, which, 1, lua_gettop(L))) {
        if ((number & IN_PLACE) != 0)
            misuse(L, "nothing is changed in place within a fused function");
        return 1;
    }
    options_read_known(L, &o, lun_map_options((number & IN_PLACE) != 0), (int)lun_map_arity(which) + 1, 0);
    read_operands(L, &op, which, 1, false);
    if (which == LUN_MAP_clamp)
        check_limits(L, 2);
    task_begin(L, &t, &o, self->device, 1);
    if ((number & IN_PLACE) != 0)
        task_in_place(&t, self, 1);
    else
        task_out(L, &t, &o);
    return give_map(L, &t, &op.expression);
}

/* ---- operators ------------------------------------------------------------------------------------------ */

int arithmetic_apply(lua_State *L, lun_map_op which)
{
    task t;
    operation op;
    const options none = {.arguments = (int)lun_map_arity(which)};
    if (stand_in_computes(L, which, 1, (int)lun_map_arity(which)))
        return 1;
    read_operands(L, &op, which, 1, true);
    task_begin(L, &t, &none, op.arrays[0]->device, 1);
    task_out(L, &t, &none);
    return give_map(L, &t, &op.expression);
}

/* Metamethod and function. */
#define OPERATORS(ROW)                                                                                                 \
    ROW(__add, add)                                                                                                    \
    ROW(__sub, sub)                                                                                                    \
    ROW(__mul, mul)                                                                                                    \
    ROW(__div, div)                                                                                                    \
    ROW(__idiv, floordiv)                                                                                              \
    ROW(__mod, mod)                                                                                                    \
    ROW(__pow, pow)                                                                                                    \
    ROW(__unm, neg)                                                                                                    \
    ROW(__band, band)                                                                                                  \
    ROW(__bor, bor)                                                                                                    \
    ROW(__bxor, bxor)                                                                                                  \
    ROW(__bnot, bnot)                                                                                                  \
    ROW(__shl, shl)                                                                                                    \
    ROW(__shr, shr)

#define FUNCTION(metamethod, function)                                                                                 \
    static int array##metamethod(lua_State *L) { return arithmetic_apply(L, LUN_MAP_##function); }
OPERATORS(FUNCTION)
#undef FUNCTION

const luaL_Reg arithmetic_metamethods[] = {
#define FUNCTION(metamethod, function) {#metamethod, array##metamethod},
    OPERATORS(FUNCTION)
#undef FUNCTION
        {NULL, NULL},
};

/* lun.where(m, a, b [, options]) */
static int module_where(lua_State *L)
{
    options o;
    task t;
    operation op;
    check_function(L, 4);
    if (stand_in_computes(L, LUN_MAP_where, 2, lua_gettop(L)))
        return 1;
    options_read(L, &o, "where", 5, 0);
    read_operands(L, &op, LUN_MAP_where, 2, false);
    task_begin(L, &t, &o, op.arrays[0]->device, 1);
    task_out(L, &t, &o);
    return give_map(L, &t, &op.expression);
}

const luaL_Reg arithmetic_functions[] = {
    {"where", module_where},
    {NULL, NULL},
};

/* Adds a:name() and a:name_() for each function to the table on the top. [-0, +0] */
void arithmetic_methods(lua_State *L)
{
    char in_place[64];
    for (int i = 0; i < LUN_MAP_OPS; i++) {
        const char *name = lun_map_name((lun_map_op)i);
        const luaL_Reg row[] = {{name, array_elementwise}, {NULL, NULL}};
        class_functions(L, row, i);
        strcpy(in_place, name);
        strcat(in_place, "_");
        const luaL_Reg row_in_place[] = {{in_place, array_elementwise}, {NULL, NULL}};
        class_functions(L, row_in_place, i | IN_PLACE);
    }
}
