/* What lua/lunarray/simulation.lua is made of: steps that go on where the last ones ended, with a force of the user's. */
#include "call.h"
#include "check.h"
#include "request.h"

/* ---- what steps hand on ------------------------------------------------------------------------------------------ */

static void drop_state(void *pointer) { lun_nbody_state_free(pointer); }

/* _state() */
static int simulation_state(lua_State *L)
{
    lun_error err;
    lun_nbody_state *made;
    holder_object *holder = holder_push(L, drop_state);
    if (lun_nbody_state_create(&made, &err) != LUN_OK)
        call_raise(L, NULL, &err);
    holder->pointer = made;
    return 1;
}

static lun_nbody_state *check_state(lua_State *L, int index)
{
    const holder_object *holder = object_test(L, index, CLASS_HOLDER);
    if (holder == NULL || holder->pointer == NULL || holder->drop != drop_state)
        misuse(L, "the state of a simulation is needed");
    return holder->pointer;
}

/* _state_drop(state): gives its memory back. */
static int simulation_state_drop(lua_State *L)
{
    (void)check_state(L, 1);
    holder_drop(object_test(L, 1, CLASS_HOLDER));
    return 0;
}

/* _state_arrays(state, pos, vel, softening): those that hold for these bodies, by name. */
static int simulation_state_arrays(lua_State *L)
{
    lun_nbody_state *state = check_state(L, 1);
    lun_nbody_state_review(state, object_test(L, 2, CLASS_ARRAY), object_test(L, 3, CLASS_ARRAY),
                           object_test(L, 4, CLASS_ARRAY));
    lua_newtable(L);
    for (size_t i = 0; lun_nbody_state_name(i) != NULL; i++) {
        lun_attempt tried;
        const lun_array *array = lun_nbody_state_array(state, i);
        if (array->size == 0)
            continue;
        lun_array *view = array_push_private(L);
        for (lun_attempt_start(&tried, array->device); call_goes_on(L, &tried);)
            tried.status = lun_array_view(view, array, &tried.err);
        lua_setfield(L, -2, lun_nbody_state_name(i));
    }
    return 1;
}

/* _state_knows(state, pos): are these the positions that the last steps have left, and not written since? */
static int simulation_state_knows(lua_State *L)
{
    const lun_nbody_state *state = check_state(L, 1);
    lua_pushnil(L); /* in self's place */
    lua_insert(L, 1);
    lua_remove(L, 2);
    lua_pushboolean(L, lun_nbody_state_knows(state, check_array(L, 2)));
    return 1;
}

/* _state_set(state, pos, vel, softening, arrays by name): what holds for these bodies. */
static int simulation_state_set(lua_State *L)
{
    enum { POS = 2, VEL, SOFTENING, ARRAYS };
    lun_nbody_state *state = check_state(L, 1);
    const lun_array *pos = check_array(L, POS), *vel = check_array(L, VEL);
    lun_attempt tried;
    for (lun_attempt_start(&tried, NULL); call_goes_on(L, &tried);)
        tried.status = lun_nbody_state_bind(state, pos, vel, object_test(L, SOFTENING, CLASS_ARRAY), &tried.err);
    for (size_t i = 0; lun_nbody_state_name(i) != NULL; i++) {
        lua_getfield(L, ARRAYS, lun_nbody_state_name(i));
        const lun_array *array = object_test(L, -1, CLASS_ARRAY);
        for (lun_attempt_start(&tried, NULL); array != NULL && call_goes_on(L, &tried);)
            tried.status = lun_nbody_state_set(state, i, array, &tried.err);
        lua_pop(L, 1);
    }
    return 0;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static void drop_run(void *pointer) { lun_nbody_free(pointer); }

/* Pushes the arrays that the force at `index` gets with the time; nothing where that is nil. [-0, +(0|3)] */
static void push_outside(lua_State *L, const lun_nbody *run, lun_device *device, int index)
{
    lun_attempt tried;
    lun_array *arrays[3];
    if (lua_isnil(L, index))
        return;
    for (int i = 0; i < 3; i++)
        arrays[i] = array_push_private(L);
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried);)
        tried.status = lun_nbody_outside(arrays[0], arrays[1], arrays[2], run, &tried.err);
}

/* Enqueues all slices of the run; between them the force at `index`, with the arrays behind `arrays`. [-0, +0] */
static void advance(lua_State *L, lun_nbody *run, const lun_request *r, int index, int arrays)
{
    lun_attempt tried;
    double time;
    for (bool more = true; more;) {
        for (lun_attempt_enqueue(&tried, r->device, &r->call); call_goes_on(L, &tried);)
            tried.status = lun_nbody_advance(&more, run, &tried.err);
        if (more)
            call_hooks(L);
        if (!lun_nbody_wants_force(&time, run))
            continue;
        lua_pushvalue(L, index);
        for (int i = 1; i <= 3; i++)
            lua_pushvalue(L, arrays + i);
        lua_pushnumber(L, time);
        lua_call(L, 4, 0);
    }
}

/* _steps(pos, vel, options, name, state, steps, before, origin, force): advances both; messages name the method `name`. */
static int simulation_steps(lua_State *L)
{
    enum { OPTIONS = 4, NAME, STATE, STEPS, BEFORE, ORIGIN, FORCE };
    lun_attempt tried;
    lun_nbody *started;
    lua_settop(L, FORCE - 1);
    lua_pushnil(L); /* in self's place, so that the positions are argument 1 */
    lua_insert(L, 1);
    lua_pushvalue(L, NAME);
    lua_replace(L, UP_NAME);
    lun_request *r = request_read(L, lun_operation_find(LUN_OF_MODULE, "simulation"), NULL, OPTIONS);
    lun_gravity_options gravity = *lun_simulation_options(r);
    gravity.state = check_state(L, STATE);
    gravity.steps = (uint64_t)lua_tointeger(L, STEPS);
    gravity.before = (uint64_t)lua_tointeger(L, BEFORE);
    gravity.origin = lua_tonumber(L, ORIGIN);
    gravity.forced = !lua_isnil(L, FORCE);
    holder_object *run = holder_push(L, drop_run);
    lua_toclose(L, -1);
    const lun_array *pos = r->arguments[1].array, *vel = r->arguments[2].array;
    for (lun_attempt_enqueue(&tried, r->device, &r->call); call_goes_on(L, &tried);)
        tried.status = lun_nbody_start(&started, pos, vel, &gravity, &r->call, &tried.err);
    run->pointer = started;
    if (gravity.steps > 0) {
        const int arrays = lua_gettop(L);
        push_outside(L, started, r->device, FORCE);
        advance(L, started, r, FORCE, arrays);
        for (lun_attempt_enqueue(&tried, r->device, &r->call); call_goes_on(L, &tried);)
            tried.status = lun_nbody_finish(started, &r->call, &tried.err);
    }
    request_keep(r);
    return 0;
}

/* _first_rows(array, n): a view of them that no scope sees, since it belongs to the simulation. */
static int simulation_first_rows(lua_State *L)
{
    lun_attempt tried;
    lun_slice slices[LUN_MAX_AXES] = {{.step = 1, .count = (size_t)lua_tointeger(L, 2)}};
    lua_pushnil(L); /* in self's place */
    lua_insert(L, 1);
    const lun_array *array = check_array(L, 2);
    for (int i = 1; i < array->ndim; i++)
        slices[i] = (lun_slice){.step = 1, .count = array->shape[i]};
    lun_array *view = array_push_private(L);
    for (lun_attempt_start(&tried, array->device); call_goes_on(L, &tried);)
        tried.status = lun_array_slice(view, array, slices, &tried.err);
    return 1;
}

/* _named(name, function): one of this module's functions, whose messages say that name. */
static int simulation_named(lua_State *L)
{
    const lua_CFunction function = lua_tocfunction(L, 2);
    int count = 0;
    luaL_checkstring(L, 1);
    luaL_argcheck(L, function != NULL, 2, "a C function");
    while (lua_getupvalue(L, 2, count + 1) != NULL)
        count++;
    lua_pushvalue(L, 1);
    lua_replace(L, 2 + NAME_UPVALUE);
    lua_pushcclosure(L, function, count);
    return 1;
}

/* _is_live(x): is it an array that was not released? */
static int simulation_is_live(lua_State *L)
{
    const lun_array *array = object_test(L, 1, CLASS_ARRAY);
    lua_pushboolean(L, array != NULL && lun_array_is_live(array));
    return 1;
}

/* _raise(name, message): as misuse of a method of that name. */
static int simulation_raise(lua_State *L) { misuse_as(L, luaL_checkstring(L, 1), "%s", luaL_checkstring(L, 2)); }

const luaL_Reg simulation_functions[] = {
    {"_state", simulation_state},
    {"_state_drop", simulation_state_drop},
    {"_state_arrays", simulation_state_arrays},
    {"_state_set", simulation_state_set},
    {"_state_knows", simulation_state_knows},
    {"_steps", simulation_steps},
    {"_first_rows", simulation_first_rows},
    {"_named", simulation_named},
    {"_is_live", simulation_is_live},
    {"_raise", simulation_raise},
    {NULL, NULL},
};
