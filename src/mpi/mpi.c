/* lunarray.mpi_core: MPI's calls over memory that Lua names. What users see is lua/lunarray/mpi.lua, which checks before it calls:
 * here ranks count from 0, and memory is a light userdata (h:address()), a buffer, or a string to send from. */
#include "mpi_room.h"

#include <lauxlib.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define COMM "lunarray.mpi.comm"
#define BUFFER "lunarray.mpi.buffer"

/* ---- errors ----------------------------------------------------------------------------------------------------- */

static void check(lua_State *L, int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &length);
    luaL_error(L, "MPI says: %s", lua_pushlstring(L, text, (size_t)length));
}

/* ---- dtypes and operations -------------------------------------------------------------------------------------- */

typedef struct named {
    const char *name;
    MPI_Datatype type;
    MPI_Op op;
} named;

static MPI_Datatype check_type(lua_State *L, int index)
{
    const named types[] = {{"bool", MPI_UINT8_T, 0}, {"i8", MPI_INT8_T, 0},           {"u8", MPI_UINT8_T, 0},
                           {"i16", MPI_INT16_T, 0},  {"u16", MPI_UINT16_T, 0},        {"i32", MPI_INT32_T, 0},
                           {"u32", MPI_UINT32_T, 0}, {"i64", MPI_INT64_T, 0},         {"u64", MPI_UINT64_T, 0},
                           {"f16", MPI_UINT16_T, 0}, {"bf16", MPI_UINT16_T, 0},       {"f32", MPI_FLOAT, 0},
                           {"f64", MPI_DOUBLE, 0},   {"c64", MPI_C_FLOAT_COMPLEX, 0}, {"c128", MPI_C_DOUBLE_COMPLEX, 0},
                           {"bytes", MPI_BYTE, 0}};
    const char *name = luaL_checkstring(L, index);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0)
            return types[i].type;
    luaL_argerror(L, index, "no dtype");
    return MPI_BYTE;
}

static MPI_Op check_op(lua_State *L, int index)
{
    const named ops[] = {{"sum", 0, MPI_SUM},   {"prod", 0, MPI_PROD}, {"min", 0, MPI_MIN},   {"max", 0, MPI_MAX},
                         {"land", 0, MPI_LAND}, {"lor", 0, MPI_LOR},   {"lxor", 0, MPI_LXOR}, {"band", 0, MPI_BAND},
                         {"bor", 0, MPI_BOR},   {"bxor", 0, MPI_BXOR}};
    const char *name = luaL_optstring(L, index, "sum");
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strcmp(ops[i].name, name) == 0)
            return ops[i].op;
    luaL_argerror(L, index, "no operation");
    return MPI_SUM;
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

/* buffer(bytes), or buffer(text): memory that MPI may write to. */
static int new_buffer(lua_State *L)
{
    size_t bytes = 0;
    const char *text = lua_type(L, 1) == LUA_TSTRING ? lua_tolstring(L, 1, &bytes) : NULL;
    if (text == NULL)
        bytes = (size_t)luaL_checkinteger(L, 1);
    char *data = lua_newuserdatauv(L, bytes + 1, 0);
    memset(data, 0, bytes + 1);
    memcpy(data, text != NULL ? text : "", text != NULL ? bytes : 0);
    luaL_setmetatable(L, BUFFER);
    return 1;
}

/* text(buffer, from, bytes): counted from 0. */
static int buffer_text(lua_State *L)
{
    const char *data = luaL_checkudata(L, 1, BUFFER);
    const size_t from = (size_t)luaL_checkinteger(L, 2), bytes = (size_t)luaL_checkinteger(L, 3);
    luaL_argcheck(L, from + bytes <= lua_rawlen(L, 1), 3, "outside of the buffer");
    lua_pushlstring(L, data + from, bytes);
    return 1;
}

/* The memory at `index`, `offset` bytes in; NULL for nil. */
static char *address(lua_State *L, int index, lua_Integer offset)
{
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        return NULL;
    case LUA_TLIGHTUSERDATA:
        return (char *)lua_touserdata(L, index) + offset;
    case LUA_TSTRING: /* MPI only reads it */
        return (char *)(uintptr_t)lua_tostring(L, index) + offset;
    default:
        return (char *)luaL_checkudata(L, index, BUFFER) + offset;
    }
}

/* ---- communicators ---------------------------------------------------------------------------------------------- */

static MPI_Comm check_comm(lua_State *L, int index) { return *(MPI_Comm *)luaL_checkudata(L, index, COMM); }

static void push_comm(lua_State *L, MPI_Comm comm)
{
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    *(MPI_Comm *)lua_newuserdatauv(L, sizeof comm, 0) = comm;
    luaL_setmetatable(L, COMM);
}

static int comm_rank(lua_State *L)
{
    int rank, size;
    check(L, MPI_Comm_rank(check_comm(L, 1), &rank));
    check(L, MPI_Comm_size(check_comm(L, 1), &size));
    lua_pushinteger(L, rank);
    lua_pushinteger(L, size);
    return 2;
}

static int comm_duplicate(lua_State *L)
{
    MPI_Comm made;
    check(L, MPI_Comm_dup(check_comm(L, 1), &made));
    push_comm(L, made);
    return 1;
}

/* split(comm, colour or nil, key): nil where there was no colour. */
static int comm_split(lua_State *L)
{
    MPI_Comm made;
    const int colour = lua_isnil(L, 2) ? MPI_UNDEFINED : (int)luaL_checkinteger(L, 2);
    check(L, MPI_Comm_split(check_comm(L, 1), colour, (int)luaL_checkinteger(L, 3), &made));
    if (made == MPI_COMM_NULL)
        lua_pushnil(L);
    else
        push_comm(L, made);
    return 1;
}

/* Of the ranks that share this machine's memory: rank and size. */
static int comm_local(lua_State *L)
{
    MPI_Comm local;
    int rank, size;
    check(L, MPI_Comm_split_type(check_comm(L, 1), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local));
    MPI_Comm_rank(local, &rank);
    MPI_Comm_size(local, &size);
    MPI_Comm_free(&local);
    lua_pushinteger(L, rank);
    lua_pushinteger(L, size);
    return 2;
}

/* ---- requests --------------------------------------------------------------------------------------------------- */

static const char *const kinds[] = {"barrier", "bcast",   "reduce", "allreduce", "allgather", "alltoall",
                                    "gather",  "scatter", "send",   "recv",      "agree",     NULL};

/* The hash of the text at `index`, and its negative; of nil nothing is said. */
static void read_hash(lua_State *L, int index, int64_t *pair)
{
    size_t length;
    const char *text = luaL_optlstring(L, index, NULL, &length);
    pair[0] = text == NULL ? SAYS_NOTHING : agreement_hash(text, length);
    pair[1] = text == NULL ? SAYS_NOTHING : -pair[0];
}

/* Pushes a request of start's arguments, 1 to 11, which has not begun. */
static request_object *push_request(lua_State *L)
{
    lua_settop(L, 11);
    request_object *r = lua_newuserdatauv(L, sizeof *r, 2);
    MPI_Aint bound, extent;
    *r = (request_object){.request = MPI_REQUEST_NULL, .comm = check_comm(L, 1)};
    luaL_setmetatable(L, REQUEST);
    r->kind = (kind)luaL_checkoption(L, 2, NULL, kinds);
    if (r->kind == AGREE) { /* texts, which are read here */
        read_hash(L, 3, r->agreed);
        read_hash(L, 4, r->agreed + 2);
        return r;
    }
    r->from = address(L, 3, luaL_optinteger(L, 4, 0));
    r->to = address(L, 5, luaL_optinteger(L, 6, 0));
    r->count = (size_t)luaL_optinteger(L, 7, 0);
    r->type = lua_isnil(L, 8) ? MPI_BYTE : check_type(L, 8);
    r->op = op_for(check_op(L, 9), r->type);
    r->root = (int)luaL_optinteger(L, 10, 0);
    r->tag = (int)luaL_optinteger(L, 11, 0);
    MPI_Type_get_extent(r->type, &bound, &extent);
    r->item = (size_t)extent;
    for (int i = 0; i < 2; i++) {
        lua_pushvalue(L, i ? 5 : 3);
        lua_setiuservalue(L, -2, i + 1);
    }
    return r;
}

/* start(comm, kind, from, from_at, to, to_at, count, dtype, op, root, tag): a request. start(comm, "agree", call, of): whether all
 * ranks give the same call, and all that give one the same `of`. */
static int start(lua_State *L)
{
    check(L, request_begin(push_request(L)));
    return 1;
}

/* prepare(...): the same for a job, which begins it. */
static int prepare(lua_State *L)
{
    push_request(L);
    return 1;
}

/* test(request, seconds): has it ended within the time? Others get the core meanwhile. */
static int test(lua_State *L)
{
    request_object *r = luaL_checkudata(L, 1, REQUEST);
    const double until = MPI_Wtime() + luaL_checknumber(L, 2);
    for (;;) {
        bool ended;
        check(L, request_test(&ended, r));
        if (ended || MPI_Wtime() >= until) {
            lua_pushboolean(L, ended);
            return 1;
        }
        sched_yield();
    }
}

/* agreed(request): have all given the same? */
static int agreed(lua_State *L)
{
    lua_pushboolean(L, request_agreed(luaL_checkudata(L, 1, REQUEST)));
    return 1;
}

/* probe(comm, from or nil for any, tag, seconds): who has sent, and how many bytes; false. */
static int probe(lua_State *L)
{
    MPI_Comm comm = check_comm(L, 1);
    const int from = lua_isnil(L, 2) ? MPI_ANY_SOURCE : (int)luaL_checkinteger(L, 2);
    const double until = MPI_Wtime() + luaL_checknumber(L, 4);
    for (;;) {
        MPI_Status status;
        MPI_Count bytes;
        int there;
        check(L, MPI_Iprobe(from, (int)luaL_checkinteger(L, 3), comm, &there, &status));
        if (there) {
#if MPI_VERSION > 3
            MPI_Get_elements_c(&status, MPI_BYTE, &bytes);
#else
            MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
#endif
            lua_pushinteger(L, status.MPI_SOURCE);
            lua_pushinteger(L, (lua_Integer)bytes);
            return 2;
        }
        if (MPI_Wtime() >= until) {
            lua_pushboolean(L, 0);
            return 1;
        }
        sched_yield();
    }
}

/* take(comm, tag): who has sent an empty message with that tag, which is gone then; false: nobody. */
static int take(lua_State *L)
{
    int from;
    check(L, message_take(&from, check_comm(L, 1), (int)luaL_checkinteger(L, 2)));
    if (from < 0)
        lua_pushboolean(L, 0);
    else
        lua_pushinteger(L, from);
    return 1;
}

/* ---- the process ------------------------------------------------------------------------------------------------ */

/* init(): the communicator of all, the host's name, whether other threads may call MPI. */
static int init(lua_State *L)
{
    int provided, done, length;
    char host[MPI_MAX_PROCESSOR_NAME];
    MPI_Comm all;
    MPI_Initialized(&done);
    if (done)
        return luaL_error(L, "MPI was started in this process already");
    check(L, MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check(L, ops_open());
    check(L, MPI_Comm_dup(MPI_COMM_WORLD, &all));
    push_comm(L, all);
    MPI_Get_processor_name(host, &length);
    lua_pushlstring(L, host, (size_t)length);
    lua_pushboolean(L, provided == MPI_THREAD_MULTIPLE);
    return 3;
}

/* Ends all ranks. Nothing of this process is waited for, nor closed. */
static int quit(lua_State *L)
{
    const int code = (int)luaL_checkinteger(L, 1);
    MPI_Abort(MPI_COMM_WORLD, code);
    _exit(code);
}

static int finalize(lua_State *L)
{
    check(L, MPI_Finalize());
    return 0;
}

static int version(lua_State *L)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    lua_pushlstring(L, text, (size_t)length);
    return 1;
}

/* piece_most([elements]): gives how many elements go at once, and sets it. */
static int set_piece_most(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)piece_most);
    if (lua_isinteger(L, 1))
        piece_most = (size_t)lua_tointeger(L, 1);
    return 1;
}

__attribute__((visibility("default"))) int luaopen_lunarray_mpi_core(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"init", init},         {"abort", quit},
        {"finalize", finalize}, {"version", version},
        {"rank", comm_rank},    {"duplicate", comm_duplicate},
        {"split", comm_split},  {"local_rank", comm_local},
        {"buffer", new_buffer}, {"text", buffer_text},
        {"start", start},       {"test", test},
        {"prepare", prepare},   {"take", take},
        {"probe", probe},       {"piece_most", set_piece_most},
        {"agreed", agreed},     {NULL, NULL},
    };
    luaL_checkversion(L);
    cores_take_share();
    luaL_newmetatable(L, COMM);
    luaL_newmetatable(L, REQUEST);
    luaL_newmetatable(L, BUFFER);
    luaL_newlib(L, functions);
    luaL_setfuncs(L, later_functions, 0);
    return 1;
}
