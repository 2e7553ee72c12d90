/* Makers of random numbers: random, normal and randint. */
#include "call.h"
#include "check.h"
#include "make.h"

/* The option `seed`, or one from Lua's own generator, so that math.randomseed governs both. */
static uint64_t read_seed(lua_State *L, const maker *m)
{
    if (option_push(L, &m->options, "seed") != 0)
        return (uint64_t)option_integer(L, &m->options, "seed", 0);
    if (lua_getiuservalue(L, UP_BINDING, SLOT_RANDOM) != LUA_TFUNCTION)
        return (uint64_t)(call_clock() * 1e9);
    lua_pushinteger(L, 0);
    lua_call(L, 1, 1);
    uint64_t seed = (uint64_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return seed;
}

static int give_random(lua_State *L, maker *m, lun_distribution distribution, int ndim, const size_t *shape,
                       lun_number a, lun_number b)
{
    lun_attempt tried;
    maker_create(L, m, ndim, shape);
    if (lun_random_check(m->out, distribution, a, b, &m->task.call, &tried.err) != LUN_OK)
        call_raise(L, m->device, &tried.err);
    uint64_t seed = read_seed(L, m); /* last: a call that fails leaves Lua's generator as it was */
    for (lun_attempt_enqueue(&tried, m->device, &m->task.call); call_goes_on(L, &tried);)
        tried.status = lun_array_random(m->out, distribution, seed, a, b, &m->task.call, &tried.err);
    return maker_give(L, m);
}

/* dev:random(shape [, dtype] [, {seed, low, high}]), dev:normal(shape [, dtype] [, {seed, mean, std}]) */
static int make_floats(lua_State *L, const char *method, lun_distribution distribution, const char *a_name,
                       const char *b_name)
{
    maker m;
    size_t shape[LUN_MAX_AXES];
    maker_begin(L, &m, method);
    int ndim = maker_shape(L, &m, 0, shape);
    maker_tail(L, &m, 3, 2, LUN_f32);
    lun_number a = lun_real(0), b = lun_real(1);
    option_number(L, &m.options, a_name, &a);
    option_number(L, &m.options, b_name, &b);
    return give_random(L, &m, distribution, ndim, shape, a, b);
}

static int make_random(lua_State *L) { return make_floats(L, "random", LUN_UNIFORM, "low", "high"); }

static int make_normal(lua_State *L) { return make_floats(L, "normal", LUN_NORMAL, "mean", "std"); }

/* Reads an end of randint's range from the options; it may stand at `index` already (0: it does not). */
static bool read_end(lua_State *L, const maker *m, const char *name, int index, lun_number *end)
{
    int option = option_push(L, &m->options, name);
    if (option != 0 && index != 0)
        misuse(L, "%s is given twice: %s and the option %s", name, number_text(L, index), number_text(L, option));
    if (option != 0)
        lua_pop(L, 1);
    return option_number(L, &m->options, name, end) || index != 0;
}

_Noreturn static void no_largest(lua_State *L)
{
    misuse(L, "the largest number is missing: randint(shape, low, high)");
}

/* dev:randint(shape, low, high [, dtype] [, options]); low and high may be options, low is 1 then. */
static int make_randint(lua_State *L)
{
    maker m;
    size_t shape[LUN_MAX_AXES];
    maker_begin(L, &m, "randint");
    int ndim = maker_shape(L, &m, 2, shape);
    bool positional = lua_type(L, 3) == LUA_TNUMBER;
    lun_number low = lun_integer(1), high = low;
    if (positional) {
        low = lun_integer(check_integer(L, 3));
        if (lua_type(L, 4) != LUA_TNUMBER)
            no_largest(L);
        high = lun_integer(check_integer(L, 4));
    }
    maker_tail(L, &m, positional ? 5 : 3, 2, LUN_i64);
    read_end(L, &m, "low", positional ? 3 : 0, &low);
    if (!read_end(L, &m, "high", positional ? 4 : 0, &high))
        no_largest(L);
    return give_random(L, &m, LUN_RANDINT, ndim, shape, low, high);
}

const luaL_Reg random_methods[] = {
    {"random", make_random},
    {"normal", make_normal},
    {"randint", make_randint},
    {NULL, NULL},
};
