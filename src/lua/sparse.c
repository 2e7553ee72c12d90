/* Sparse matrices: the object, whose user values are its arrays, what it says about itself, and its operators. */
#include "api/functions.h"
#include "call.h"
#include "check.h"
#include "request.h"

#include <string.h>

enum { STARTS = 1, COLUMNS, VALUES };

int sparse_give(lua_State *L, lun_request *r)
{
    lun_sparse *matrix = object_push(L, CLASS_SPARSE, sizeof *matrix, VALUES);
    *matrix = r->matrix;
    r->matrix = (lun_sparse){.rows = 0};
    lun_array **parts[] = {&matrix->starts, &matrix->columns, &matrix->values};
    for (int i = STARTS; i <= VALUES; i++) {
        *parts[i - STARTS] = lua_touserdata(L, i - VALUES - 2);
        lua_pushvalue(L, i - VALUES - 2);
        lua_setiuservalue(L, -2, i);
    }
    return 1;
}

lun_sparse *check_sparse(lua_State *L, int index)
{
    lun_sparse *matrix = object_test(L, index, CLASS_SPARSE);
    if (matrix == NULL)
        check_refuse(L, index, "a sparse matrix");
    const char *lost = lun_sparse_lost(matrix);
    if (lost != NULL)
        misuse(L, "%s: %s", check_place(L, index), lost);
    return matrix;
}

/* ---- asking -------------------------------------------------------------------------------------------------------- */

/* Self, for methods without arguments. */
static lun_sparse *check_asked(lua_State *L)
{
    lun_sparse *matrix = check_sparse(L, 1);
    check_end(L, 1);
    return matrix;
}

static int sparse_shape(lua_State *L)
{
    const lun_sparse *matrix = check_asked(L);
    lua_pushinteger(L, (lua_Integer)matrix->rows);
    lua_pushinteger(L, (lua_Integer)matrix->width);
    return 2;
}

/* What a matrix answers without arguments; UP_NUMBER says what. */
enum { NDIM = VALUES + 1, NNZ, DTYPE, DEVICE };

static int sparse_asked(lua_State *L)
{
    const lun_sparse *matrix = check_asked(L);
    const int what = (int)lua_tointeger(L, UP_NUMBER);
    if (what <= VALUES)
        lua_getiuservalue(L, 1, what);
    else if (what == DTYPE)
        lua_pushstring(L, lun_dtype_name(matrix->values->dtype));
    else if (what == DEVICE)
        device_push(L, matrix->values->device);
    else
        lua_pushinteger(L, what == NDIM ? 2 : (lua_Integer)matrix->columns->size);
    return 1;
}

static int sparse_len(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)check_sparse(L, 1)->rows);
    return 1;
}

static int sparse_tostring(lua_State *L)
{
    const lun_sparse *matrix = object_test(L, 1, CLASS_SPARSE);
    if (matrix == NULL || lun_sparse_lost(matrix) != NULL)
        lua_pushliteral(L, "sparse (released)");
    else
        lua_pushfstring(L, "sparse %Ix%I %s of %I entries", (LUAI_UACINT)matrix->rows, (LUAI_UACINT)matrix->width,
                        lun_dtype_name(matrix->values->dtype), (LUAI_UACINT)matrix->columns->size);
    return 1;
}

/* A:release(), and __close. Arrays of the user's stay. */
static int sparse_release(lua_State *L)
{
    lun_sparse *matrix = object_test(L, 1, CLASS_SPARSE);
    if (matrix == NULL)
        check_refuse(L, 1, "a sparse matrix");
    if (strcmp(lua_tostring(L, UP_NAME), "release") == 0)
        check_end(L, 1);
    lun_array *parts[] = {matrix->starts, matrix->columns, matrix->values};
    lun_sparse_forget(matrix);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i] != NULL)
            lun_array_clear(parts[i]);
    *matrix = (lun_sparse){.rows = 0};
    return 0;
}

static int sparse_gc(lua_State *L)
{
    lun_sparse *matrix = object_test(L, 1, CLASS_SPARSE);
    if (matrix != NULL)
        lun_sparse_forget(matrix);
    return 0;
}

/* ---- functions and operators --------------------------------------------------------------------------------------- */

static lua_Integer row_of(const char *name)
{
    lua_Integer i = 0;
    while (lun_operation_at((size_t)i) != lun_operation_find(LUN_OF_SPARSE, name))
        i++;
    return i;
}

/* A:abs(): the function has the method's name. */
static int sparse_function(lua_State *L)
{
    check_end(L, 1);
    lua_settop(L, 1);
    lua_pushvalue(L, UP_NAME);
    return request_call(L);
}

static bool is_number(lua_State *L, int index)
{
    return lua_type(L, index) == LUA_TNUMBER || object_test(L, index, CLASS_COMPLEX) != NULL;
}

/* The kind of the operand, or the number itself. [-0, +(0|1)] */
static const char *shown(lua_State *L, int index)
{
    return lua_type(L, index) == LUA_TNUMBER ? number_text(L, index) : object_kind(L, index);
}

static int sparse_add(lua_State *L)
{
    for (int i = 1; i <= 2; i++)
        if (object_test(L, i, CLASS_SPARSE) == NULL)
            misuse(L, "argument %d: a sparse matrix is needed, got %s%s", i, shown(L, i),
                   is_number(L, i) ? "; a number would fill the matrix: A:dense() takes it"
                                   : "; A:dense() is an array");
    return request_call(L);
}

static int sparse_neg(lua_State *L)
{
    lua_settop(L, 1);
    return request_call(L);
}

static int sparse_mul(lua_State *L)
{
    if (object_test(L, 1, CLASS_SPARSE) == NULL)
        lua_insert(L, 1);
    if (!is_number(L, 2))
        misuse(L, "a sparse matrix can be multiplied by a number, got %s; A:matmul(B) is the product", shown(L, 2));
    return request_call(L);
}

static int sparse_div(lua_State *L)
{
    const bool sparse = object_test(L, 1, CLASS_SPARSE) != NULL;
    if (!sparse || !is_number(L, 2))
        misuse(L, "a sparse matrix can be divided by a number, got %s", shown(L, sparse ? 2 : 1));
    return request_call(L);
}

static int no_operator(lua_State *L)
{
    misuse(L, "sparse matrices have + and -, and * and / by a number; others work on A:values(), or on A:dense()");
}

/* Fills the table of methods on the top, and the metatable below it. [-0, +0] */
static void open(lua_State *L)
{
    static const char *const asked[] = {[STARTS] = "starts", [COLUMNS] = "cols", [VALUES] = "values", [NDIM] = "ndim",
                                        [NNZ] = "nnz",       [DTYPE] = "dtype",  [DEVICE] = "device"};
    static const struct {
        const char *metamethod, *row;
        lua_CFunction function;
    } operators[] = {{"__add", "add", sparse_add},
                     {"__sub", "sub", sparse_add},
                     {"__unm", "neg", sparse_neg},
                     {"__mul", "mul", sparse_mul},
                     {"__div", "div", sparse_div}};
    const lua_Integer map = row_of("map");
    for (lun_map_op op = 0; op < LUN_MAP_OPS && !lun_map_is_hosted(op); op++) {
        const luaL_Reg method[] = {{lun_map_name(op), sparse_function}, {NULL, NULL}};
        if (lun_map_arity(op) == 1)
            class_functions(L, method, map);
    }
    for (int i = STARTS; i <= DEVICE; i++)
        class_functions(L, (const luaL_Reg[]){{asked[i], sparse_asked}, {NULL, NULL}}, i);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        lua_insert(L, -2);
        class_functions(L, (const luaL_Reg[]){{operators[i].metamethod, operators[i].function}, {NULL, NULL}},
                        row_of(operators[i].row));
        lua_insert(L, -2);
    }
}

const object_class sparse_class = {
    .kind = "a sparse matrix",
    .type = "sparse",
    .owner = LUN_OF_SPARSE,
    .methods = (const luaL_Reg[]){{"shape", sparse_shape}, {"release", sparse_release}, {NULL, NULL}},
    .metamethods = (const luaL_Reg[]){{"__len", sparse_len},
                                      {"__gc", sparse_gc},
                                      {"__close", sparse_release},
                                      {"__tostring", sparse_tostring},
                                      {NULL, NULL}},
    .open = open,
    .no_operator = no_operator,
};

/* ---- for the library's own files in Lua ---------------------------------------------------------------------------- */

/* _too_large(rows, width): why there is no such matrix, or nil. */
static int module_too_large(lua_State *L)
{
    lun_error err;
    const lun_status status = lun_sparse_check((size_t)lua_tointeger(L, 1), (size_t)lua_tointeger(L, 2), &err);
    lua_pushstring(L, status != LUN_OK ? err.message : NULL);
    return 1;
}

/* _try_sparse(narrow, wide): of tests. */
static int module_try(lua_State *L)
{
    lun_sparse_try((size_t)lua_tointeger(L, 1), (size_t)lua_tointeger(L, 2));
    return 0;
}

const luaL_Reg sparse_functions[] = {{"_too_large", module_too_large}, {"_try_sparse", module_try}, {NULL, NULL}};
