/* Complex numbers as values in Lua: immutable, made by lun.complex(re, im), and given where elements are complex. */
#include "api/functions.h"
#include "call.h"
#include "check.h"

#include <complex.h>
#include <math.h>
#include <string.h>

typedef double complex number;

/* As C11's CMPLX, which the C library has for GCC alone: a sum with I * imaginary would lose infinities and signs of 0. */
static number number_of(double real, double imaginary)
{
    const double parts[] = {real, imaginary};
    number z;
    memcpy(&z, parts, sizeof z);
    return z;
}

void complex_push(lua_State *L, double real, double imaginary)
{
    complex_object *z = object_push(L, CLASS_COMPLEX, sizeof *z, 0);
    z->real = real;
    z->imaginary = imaginary;
}

static int give(lua_State *L, number z)
{
    complex_push(L, creal(z), cimag(z));
    return 1;
}

/* The number at `index`, complex or not. False for other values. */
static bool read(lua_State *L, int index, number *out)
{
    lun_number scalar;
    if (lua_type(L, index) == LUA_TBOOLEAN || !scalar_test(L, index, &scalar))
        return false;
    *out = number_of(scalar.real, scalar.imaginary);
    return true;
}

static const complex_object *check_z(lua_State *L) { return check_object(L, 1, CLASS_COMPLEX); }

static number value_of(const complex_object *z) { return number_of(z->real, z->imaginary); }

/* ---- arithmetic ----------------------------------------------------------------------------------------- */

#define WHOLE_POWERS 1024 /* whole exponents up to it are products, which are exact where a power of integers is */

static number power_of(number base, number exponent)
{
    const double whole = creal(exponent);
    if (cimag(exponent) != 0 || floor(whole) != whole || fabs(whole) > WHOLE_POWERS)
        return cpow(base, exponent);
    number result = 1;
    for (unsigned left = (unsigned)fabs(whole); left != 0; left >>= 1, base *= base)
        if ((left & 1) != 0)
            result *= base;
    return whole < 0 ? 1 / result : result;
}

static number add(number a, number b) { return a + b; }
static number sub(number a, number b) { return a - b; }
static number mul(number a, number b) { return a * b; }
static number div(number a, number b) { return a / b; }

/* Two numbers are handled here; an operation with an array or a number of a traced function is the array's. */
static int operate(lua_State *L, number (*f)(number a, number b), lun_map_op which)
{
    number a, b;
    if (read(L, 1, &a) && read(L, 2, &b))
        return give(L, f(a, b));
    return arithmetic_apply(L, which);
}

#define OPERATORS(ROW)                                                                                                 \
    ROW(add, add)                                                                                                      \
    ROW(sub, sub)                                                                                                      \
    ROW(mul, mul)                                                                                                      \
    ROW(div, div)                                                                                                      \
    ROW(pow, power_of)

#define FUNCTION(name, f)                                                                                              \
    static int complex_##name(lua_State *L) { return operate(L, f, LUN_MAP_##name); }
OPERATORS(FUNCTION)
#undef FUNCTION

static int complex_neg(lua_State *L) { return give(L, -value_of(check_z(L))); }

static int complex_eq(lua_State *L)
{
    const complex_object *a = object_test(L, 1, CLASS_COMPLEX), *b = object_test(L, 2, CLASS_COMPLEX);
    lua_pushboolean(L, a != NULL && b != NULL && value_of(a) == value_of(b));
    return 1;
}

static int complex_order(lua_State *L) { misuse(L, "complex numbers have no order; compare z:abs(), z.re or z.im"); }

/* ---- parts ---------------------------------------------------------------------------------------------- */

static int complex_abs(lua_State *L)
{
    lua_pushnumber(L, cabs(value_of(check_z(L))));
    return 1;
}

static int complex_arg(lua_State *L)
{
    lua_pushnumber(L, carg(value_of(check_z(L))));
    return 1;
}

static int complex_conj(lua_State *L) { return give(L, conj(value_of(check_z(L)))); }

/* z.re, z.im; z.name: a method (upvalue 4 has them). */
int complex_index(lua_State *L)
{
    const complex_object *z = check_z(L);
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    if (strcmp(key, "re") == 0 || strcmp(key, "im") == 0) {
        lua_pushnumber(L, key[0] == 'r' ? z->real : z->imaginary);
        return 1;
    }
    lua_pushvalue(L, 2);
    lua_gettable(L, lua_upvalueindex(4));
    return 1;
}

static int complex_tostring(lua_State *L)
{
    char text[LUN_SCALAR_TEXT];
    const complex_object *z = check_z(L);
    lua_pushstring(L, lun_scalar_text(text, lun_complex(z->real, z->imaginary)));
    return 1;
}

/* lun.complex(re [, im]): numbers make a number, and where one of them is an array, an array. */
static int module_complex(lua_State *L)
{
    const bool arrays = !lua_isnoneornil(L, 2) && lua_gettop(L) == 2;
    for (int i = 1; i <= 2 && arrays; i++)
        if (object_test(L, i, CLASS_ARRAY) != NULL || lua_type(L, i) == LUA_TTABLE)
            return arithmetic_apply(L, LUN_MAP_complex);
    check_function(L, 2);
    const double real = check_number(L, 2).real, imaginary = lua_isnoneornil(L, 3) ? 0 : check_number(L, 3).real;
    complex_push(L, real, imaginary);
    return 1;
}

const luaL_Reg complex_functions[] = {{"complex", module_complex}, {NULL, NULL}};

static const luaL_Reg metamethods[] = {
#define FUNCTION(name, f) {"__" #name, complex_##name},
    OPERATORS(FUNCTION)
#undef FUNCTION
        {"__unm", complex_neg},
    {"__eq", complex_eq},
    {"__lt", complex_order},
    {"__le", complex_order},
    {"__tostring", complex_tostring},
    {NULL, NULL},
};

const object_class complex_class = {
    .kind = "a complex number",
    .type = "complex",
    .methods = (const luaL_Reg[]){{"abs", complex_abs}, {"arg", complex_arg}, {"conj", complex_conj}, {NULL, NULL}},
    .metamethods = metamethods,
    .index = complex_index,
    .index_name = "z",
};
