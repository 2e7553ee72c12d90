/* A number of a Fourier transform by its formula, to judge transforms in f64 by: roots of unity and products in long double, sums in two
 * of them. Lua's functions are declared here, as in clock.c. */
#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct lua_State lua_State;
void lua_pushnumber(lua_State *L, double n);
void lua_pushcclosure(lua_State *L, int (*f)(lua_State *L), int n);
const char *lua_tolstring(lua_State *L, int index, size_t *length);
long long lua_tointegerx(lua_State *L, int index, int *is_one);

typedef struct sum {
    long double high, low;
} sum;

static void add(sum *s, long double x)
{
    const long double total = s->high + x, part = total - s->high;
    s->low += s->high - (total - part) + (x - part);
    s->high = total;
}

/* Two doubles, the second what the first's rounding has left. */
static void push(lua_State *L, const sum *s)
{
    const long double whole = s->high + s->low;
    lua_pushnumber(L, (double)whole);
    lua_pushnumber(L, (double)(s->high - (double)whole + s->low));
}

/* Element i of numbers of so many bytes, which repeat. */
static long double element(const char *text, size_t length, size_t bytes, size_t i)
{
    float narrow;
    double wide;
    const char *at = text + i % (length / bytes) * bytes;
    memcpy(bytes == 4 ? (void *)&narrow : &wide, at, bytes);
    return bytes == 4 ? narrow : wide;
}

/* (text, bytes, n, k, real, imaginary): number k of the transform of n complex numbers, whose real parts are the text's from `real` on,
 * and the imaginary ones those from `imaginary` on, or 0 where that is below 0. Gives both parts, each in two numbers. */
static int dft_number(lua_State *L)
{
    const long double turn = 6.28318530717958647692528676655900577L;
    size_t length;
    const char *text = lua_tolstring(L, 1, &length);
    long long given[5];
    for (int i = 0; i < 5; i++)
        given[i] = lua_tointegerx(L, i + 2, NULL);
    const size_t bytes = (size_t)given[0], n = (size_t)given[1], k = (size_t)given[2];
    sum re = {0, 0}, im = {0, 0};
    for (size_t j = 0, turns = 0; j < n; j++, turns = (turns + k) % n) {
        const long double angle =
            turn * (turns > n / 2 ? -(long double)(n - turns) : (long double)turns) / (long double)n;
        const long double c = cosl(angle), s = sinl(angle), x = element(text, length, bytes, (size_t)given[3] + j);
        const long double y = given[4] < 0 ? 0 : element(text, length, bytes, (size_t)given[4] + j);
        add(&re, x * c);
        add(&re, y * s);
        add(&im, y * c);
        add(&im, -x * s);
    }
    push(L, &re);
    push(L, &im);
    return 4;
}

int luaopen_dft(lua_State *L);
int luaopen_dft(lua_State *L)
{
    lua_pushcclosure(L, dft_number, 0);
    return 1;
}
