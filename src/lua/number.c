/* The element types as a program sees them: lun.dtypes() and lun.promoted(); and lun.fft_length(). */
#include "call.h"
#include "check.h"

#include <math.h>

/* Sets in the table on the top which numbers a dtype, or each of its parts, has: all of a format's bits but the significand's are the
 * exponent's. The greatest of u64 has its bits, as in arrays. [-0, +0] */
static void set_limits(lua_State *L, lun_dtype dtype, unsigned digits)
{
    const unsigned bits = 8 * (unsigned)lun_dtype_bytes(dtype);
    if (lun_dtype_has(dtype, LUN_NANS)) {
        const int widest = (1 << (bits - digits - 1)) - 1;
        const double ulp = ldexp(1, 1 - (int)digits), most = ldexp(2 - ulp, widest);
        set_number(L, "eps", ulp);
        set_number(L, "smallest", ldexp(1, 1 - widest));
        set_number(L, "min", -most);
        set_number(L, "max", most);
        return;
    }
    const bool is_signed = lun_dtype_has(dtype, LUN_SIGNED), truths = lun_dtype_has(dtype, LUN_TRUTHS);
    const uint64_t most = truths ? 1 : ~(uint64_t)0 >> (64 - bits + is_signed);
    set_count(L, "min", is_signed ? ~most : 0);
    set_count(L, "max", most);
}

/* Pushes a table of what a dtype is. [-0, +1] */
static void push_dtype(lua_State *L, lun_dtype dtype)
{
    const lun_dtype_facts facts = lun_dtype_facts_of(dtype);
    lua_newtable(L);
    set_text(L, "name", facts.name);
    set_text(L, "stored", facts.stored);
    set_text(L, "encoding", facts.encoding);
    set_text(L, "part", lun_dtype_name(facts.part));
    set_text(L, "computed", lun_dtype_name(facts.computed));
    set_text(L, "summed", lun_dtype_name(facts.summed));
    set_text(L, "file", facts.file[0] != '\0' ? facts.file : NULL);
    set_flag(L, "ordered", lun_dtype_has(dtype, LUN_ORDERED));
    set_flag(L, "whole", lun_dtype_has(dtype, LUN_WHOLE));
    set_flag(L, "signed", lun_dtype_has(dtype, LUN_SIGNED));
    set_flag(L, "nans", lun_dtype_has(dtype, LUN_NANS));
    set_flag(L, "truths", lun_dtype_has(dtype, LUN_TRUTHS));
    set_flag(L, "pairs", lun_dtype_has(dtype, LUN_PAIRS));
    set_count(L, "bytes", lun_dtype_bytes(dtype));
    set_count(L, "digits", facts.digits);
    set_limits(L, facts.part, facts.digits);
}

/* lun.dtypes(): a list of tables, one for each dtype, which is also there by its name. */
static int module_dtypes(lua_State *L)
{
    check_function(L, 0);
    lua_newtable(L);
    for (int dtype = 0; dtype < LUN_DTYPES; dtype++) {
        push_dtype(L, (lun_dtype)dtype);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, lun_dtype_name((lun_dtype)dtype));
        lua_rawseti(L, -2, dtype + 1);
    }
    return 1;
}

/* lun.promoted(dtype, other): the name of the dtype of what is made of both; other is a dtype's name or a number. */
static int module_promoted(lua_State *L)
{
    check_function(L, 2);
    const lun_dtype dtype = check_dtype(L, check_string(L, 2, "the name of a dtype"));
    lun_number number;
    if (lua_type(L, 3) != LUA_TBOOLEAN && scalar_test(L, 3, &number)) {
        lua_pushstring(L, lun_dtype_name(lun_dtype_joined(dtype, number, defaults_dtype(L, NULL))));
        return 1;
    }
    const lun_dtype other = check_dtype(L, check_string(L, 3, "the name of a dtype, or a number,"));
    lua_pushstring(L, lun_dtype_name(lun_dtype_promoted(dtype, other)));
    return 1;
}

/* lun.fft_length(n): the next length that transforms take in passes. */
static int module_fft_length(lua_State *L)
{
    check_function(L, 1);
    const lua_Integer n = check_integer(L, 2);
    if (n < 1 || n > LUN_FFT_LONGEST)
        misuse(L, "argument 1: a whole number from 1 to 2^53 is needed, got %I", (LUAI_UACINT)n);
    lua_pushinteger(L, (lua_Integer)lun_fft_length((size_t)n));
    return 1;
}

const luaL_Reg number_functions[] = {
    {"fft_length", module_fft_length},
    {"dtypes", module_dtypes},
    {"promoted", module_promoted},
    {NULL, NULL},
};
