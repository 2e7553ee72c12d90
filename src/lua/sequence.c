/* Makers of sequences: arange and linspace. */
#include "call.h"
#include "check.h"
#include "make.h"

#include <float.h>
#include <math.h>

/* How many terms from, from+step, ... do not pass `to`. */
static size_t count_terms(lua_State *L, lun_number from, lun_number to, lun_number step)
{
    if (from.is_integer && to.is_integer && step.is_integer) {
        bool up = step.integer > 0;
        uint64_t first = (uint64_t)from.integer, last = (uint64_t)to.integer;
        uint64_t distance = up ? last - first : first - last;
        uint64_t stride = up ? (uint64_t)step.integer : 0 - (uint64_t)step.integer;
        if (up ? from.integer > to.integer : from.integer < to.integer)
            return 0;
        if (distance / stride == UINT64_MAX)
            misuse(L, "the range has more elements than 64 bits can count");
        return (size_t)(distance / stride + 1);
    }
    double steps = (to.real - from.real) / step.real;
    if (!(fabs(steps) < 0x1p62))
        misuse(L, "the range from %f to %f by %f has no number of elements", lun_number_shown(from.real),
               lun_number_shown(to.real), lun_number_shown(step.real));
    /* an end that rounding has moved by a few units in the last place is still included */
    return steps < 0 ? 0 : (size_t)floor(steps * (1 + 4 * DBL_EPSILON)) + 1;
}

/* from + i*step, with Lua's rules. */
static lun_number term(lun_number from, lun_number step, size_t i)
{
    if (from.is_integer && step.is_integer)
        return lun_integer((lua_Integer)((uint64_t)from.integer + (uint64_t)step.integer * i));
    return lun_real(from.real + (double)i * step.real);
}

/* The number as an integer where it is integral, otherwise as it is. */
static lun_number as_integer(lun_number number)
{
    lua_Integer integer;
    if (number.is_integer || floor(number.real) != number.real || !lua_numbertointeger(number.real, &integer))
        return number;
    return lun_integer(integer);
}

static void check_holds(lua_State *L, lun_dtype dtype, lun_number number)
{
    char element[LUN_MOST_BYTES];
    lun_error err;
    if (lun_number_store(element, dtype, number, &err) != LUN_OK)
        call_raise(L, NULL, &err);
}

static void sequence(lua_State *L, maker *m, lun_number from, lun_number step)
{
    lun_attempt tried;
    for (lun_attempt_enqueue(&tried, m->device, &m->task.call); call_goes_on(L, &tried);)
        tried.status = lun_array_sequence(m->out, from, step, &m->task.call, &tried.err);
}

/* dev:arange(n) or dev:arange(from, to [, step]); the dtype and options follow. */
static int make_arange(lua_State *L)
{
    maker m;
    lun_number given[3] = {lun_integer(1), lun_integer(1), lun_integer(1)};
    int count = 0;
    maker_begin(L, &m, "arange");
    while (count < 3 && lua_type(L, 2 + count) == LUA_TNUMBER) {
        given[count] = check_number(L, 2 + count);
        count++;
    }
    if (count == 0)
        check_refuse(L, 2, "a number");
    lun_number from = given[0], to = given[1], step = given[2];
    if (count == 1) {
        from = lun_integer(1);
        to = given[0];
    }
    if (step.real == 0)
        misuse(L, "the step is 0");
    bool integers = from.is_integer && to.is_integer && step.is_integer;
    maker_tail(L, &m, 2 + count, 0, integers ? LUN_i64 : LUN_f32);
    size_t terms = count_terms(L, from, to, step);
    if (terms > 0 && lun_dtype_has(m.dtype, LUN_WHOLE)) {
        check_holds(L, m.dtype, from);
        check_holds(L, m.dtype, term(from, step, terms > 1 ? 1 : 0));
        check_holds(L, m.dtype, term(from, step, terms - 1));
        from = as_integer(from);
        step = terms > 1 ? as_integer(step) : lun_integer(1);
    }
    maker_create(L, &m, 1, &terms);
    sequence(L, &m, from, step);
    return maker_give(L, &m);
}

/* dev:linspace(from, to, n [, dtype] [, options]) */
static int make_linspace(lua_State *L)
{
    maker m;
    maker_begin(L, &m, "linspace");
    double from = check_number(L, 2).real, to = check_number(L, 3).real;
    size_t n = check_size(L, 4, "argument", 3);
    maker_tail(L, &m, 5, 0, LUN_f32);
    if (!isfinite(from) || !isfinite(to))
        misuse(L, "finite ends are wanted, got %f and %f", lun_number_shown(from), lun_number_shown(to));
    if (lun_dtype_has(m.dtype, LUN_WHOLE))
        misuse(L, "a float dtype is wanted, got %s; cast rounds the result", lun_dtype_name(m.dtype));
    maker_create(L, &m, 1, &n);
    double steps = n > 1 ? (double)(n - 1) : 1;
    double step = isfinite(to - from) ? (to - from) / steps : to / steps - from / steps;
    sequence(L, &m, lun_real(from), lun_real(n > 1 ? step : 0));
    if (n > 1) {                 /* the end exactly, whatever the rounding of the steps */
        lun_array last = *m.out; /* borrows the memory for this one call */
        last.size = last.shape[0] = 1;
        last.offset += (int64_t)(n - 1) * last.stride[0];
        maker_fill(L, &m, &last, lun_real(to));
    }
    return maker_give(L, &m);
}

const luaL_Reg sequence_methods[] = {
    {"arange", make_arange},
    {"linspace", make_linspace},
    {NULL, NULL},
};
