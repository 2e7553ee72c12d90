/* Makers of random numbers: random, normal and randint. */
#include "random.h"
#include "call.h"
#include "check.h"

uint64_t random_seed(lua_State *L)
{
    if (lua_getiuservalue(L, UP_BINDING, SLOT_RANDOM) != LUA_TFUNCTION) {
        lua_pop(L, 1);
        return (uint64_t)(call_clock() * 1e9);
    }
    lua_pushinteger(L, 0);
    lua_call(L, 1, 1);
    uint64_t seed = (uint64_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return seed;
}

int random_give(lua_State *L, maker *m, const lun_draw *draw, lun_rng *rng, int ndim, const size_t *shape)
{
    lun_attempt tried;
    lun_rng own = {0};
    trace_refuse(L); /* into an array that is there, too */
    maker_create(L, m, ndim, shape);
    if (lun_random_check(m->out, draw, &m->task.call, &tried.err) != LUN_OK)
        call_raise(L, m->device, &tried.err);
    if (rng == NULL && option_push(L, &m->options, "seed") != 0)
        own.seed = (uint64_t)option_integer(L, &m->options, "seed", 0);
    else if (rng == NULL)
        own.seed = random_seed(L); /* last: a call that fails leaves Lua's generator as it was */
    for (lun_attempt_enqueue(&tried, m->device, &m->task.call); call_goes_on(L, &tried);)
        tried.status = lun_array_random(m->out, draw, rng != NULL ? rng : &own, &m->task.call, &tried.err);
    return maker_give(L, m);
}

/* dev:random(shape [, dtype] [, {seed, low, high}]), dev:normal(shape [, dtype] [, {seed, mean, std}]) */
static int make_floats(lua_State *L, const char *method, lun_distribution distribution)
{
    maker m;
    size_t shape[LUN_MAX_AXES];
    lun_draw draw = {.distribution = distribution};
    const lun_draw_parameter *parameters = lun_distribution_parameters(distribution);
    maker_begin(L, &m, method);
    int ndim = maker_shape(L, 0, shape);
    maker_tail(L, &m, 3, 2, lun_distribution_dtype(distribution));
    for (int i = 0; i < LUN_DRAW_PARAMETERS; i++) {
        draw.parameters[i] = lun_integer(parameters[i].missing);
        option_number(L, &m.options, parameters[i].name, &draw.parameters[i]);
    }
    return random_give(L, &m, &draw, NULL, ndim, shape);
}

static int make_random(lua_State *L) { return make_floats(L, "random", LUN_DRAW_uniform); }

static int make_normal(lua_State *L) { return make_floats(L, "normal", LUN_DRAW_normal); }

/* Reads an end of the range from the options; it may stand at `index` already (0: it does not). */
static bool read_end(lua_State *L, const maker *m, const char *name, int index, lun_number *value)
{
    int option = option_push(L, &m->options, name);
    if (option != 0 && index != 0)
        misuse(L, "%s is given twice: %s and the option %s", name, number_text(L, index), number_text(L, option));
    if (option != 0)
        lua_pop(L, 1);
    return option_number(L, &m->options, name, value) || index != 0;
}

_Noreturn static void no_largest(lua_State *L)
{
    misuse(L, "the largest number is missing: %s(shape, low, high)", lua_tostring(L, UP_NAME));
}

int random_integers(lua_State *L, maker *m, lun_rng *rng)
{
    size_t shape[LUN_MAX_AXES];
    int ndim = maker_shape(L, 2, shape);
    bool positional = lua_type(L, 3) == LUA_TNUMBER;
    lun_number low = lun_integer(1), high = low;
    if (positional) {
        low = lun_integer(check_integer(L, 3));
        if (lua_type(L, 4) != LUA_TNUMBER)
            no_largest(L);
        high = lun_integer(check_integer(L, 4));
    }
    maker_tail(L, m, positional ? 5 : 3, 2, lun_distribution_dtype(LUN_DRAW_integers));
    read_end(L, m, "low", positional ? 3 : 0, &low);
    if (!read_end(L, m, "high", positional ? 4 : 0, &high))
        no_largest(L);
    const lun_draw draw = {LUN_DRAW_integers, {low, high}};
    return random_give(L, m, &draw, rng, ndim, shape);
}

/* dev:randint(shape, low, high [, dtype] [, options]) */
static int make_randint(lua_State *L)
{
    maker m;
    maker_begin(L, &m, "randint");
    return random_integers(L, &m, NULL);
}

const luaL_Reg random_methods[] = {
    {"random", make_random},
    {"normal", make_normal},
    {"randint", make_randint},
    {NULL, NULL},
};
