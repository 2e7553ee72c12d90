/* tostring(array): its shape, dtype and elements, of a large one the edges only. */
#include "call.h"
#include "check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHOWN_WHOLE 1000 /* elements of an array that is shown without gaps */
#define EDGE 3           /* positions at either end of an axis with a gap */
#define NUMBER_ROOM 64

typedef struct summary {
    const lun_array *array; /* a copy of the struct: its dtype and shape, whatever happens to it */
    bool gap[LUN_MAX_AXES];
    size_t shown[LUN_MAX_AXES]; /* positions on each axis */
    size_t total;
    const char *data; /* the shown elements, row-major */
    size_t bytes;     /* of one */
    int width;
} summary;

/* ---- reading the edges ------------------------------------------------------------------------------- */

static void plan(summary *s)
{
    s->total = 1;
    for (int i = 0; i < s->array->ndim; i++) {
        size_t size = s->array->shape[i];
        s->gap[i] = s->array->size > SHOWN_WHOLE && size > 2 * EDGE;
        s->shown[i] = s->gap[i] ? 2 * EDGE : size;
        s->total *= s->shown[i];
    }
}

/* Puts a block of elements where it belongs among the shown ones. */
static void place_block(const summary *s, char *data, const char *block, const size_t *from, const lun_slice *slices)
{
    int ndim = s->array->ndim;
    size_t at[LUN_MAX_AXES] = {0}, count = 1;
    for (int i = 0; i < ndim; i++)
        count *= slices[i].count;
    for (size_t n = 0; n < count; n++) {
        size_t place = 0;
        for (int i = 0; i < ndim; i++)
            place = place * s->shown[i] + from[i] + at[i];
        memcpy(data + place * s->bytes, block + n * s->bytes, s->bytes);
        for (int i = ndim - 1; i >= 0 && ++at[i] == slices[i].count; i--)
            at[i] = 0;
    }
}

/* Reads the shown elements: one block for each choice of an end on every axis with a gap. */
static lun_status read_edges(const summary *s, const lun_array *array, char *data, char *block, lun_error *err)
{
    const size_t *shape = s->array->shape;
    int ndim = s->array->ndim;
    for (unsigned ends = 0; ends < 1u << ndim; ends++) {
        lun_slice slices[LUN_MAX_AXES];
        size_t from[LUN_MAX_AXES] = {0};
        bool meant = true;
        for (int i = 0; i < ndim; i++) {
            bool last = (ends >> i & 1) != 0;
            meant = meant && (!last || s->gap[i]);
            slices[i] = (lun_slice){.step = 1, .count = s->gap[i] ? EDGE : shape[i]};
            if (last) {
                slices[i].from = (int64_t)(shape[i] - EDGE);
                from[i] = EDGE;
            }
        }
        if (!meant)
            continue;
        lun_status status = array_read_part(block, array, slices, err);
        if (status != LUN_OK)
            return status;
        place_block(s, data, block, from, slices);
    }
    return LUN_OK;
}

/* ---- writing ------------------------------------------------------------------------------------------ */

/* With digits enough to tell numbers apart by eye. */
static int write_float(char *text, const summary *s, double number)
{
    const size_t bytes = lun_dtype_bytes(lun_dtype_part(s->array->dtype));
    return (int)strlen(lun_number_text(text, NUMBER_ROOM / 2, bytes == 2 ? 4 : bytes == 4 ? 6 : 8, number));
}

static int write_number(char *text, const summary *s, size_t place)
{
    lun_dtype dtype = s->array->dtype;
    lun_number number = lun_number_load(s->data + place * s->bytes, dtype);
    if (number.is_truth)
        return snprintf(text, NUMBER_ROOM, number.integer != 0 ? "true" : "false");
    if (lun_dtype_has(dtype, LUN_WHOLE | LUN_SIGNED))
        return snprintf(text, NUMBER_ROOM, "%" PRId64, number.integer);
    if (lun_dtype_has(dtype, LUN_WHOLE))
        return snprintf(text, NUMBER_ROOM, "%" PRIu64, (uint64_t)number.integer);
    int length = write_float(text, s, number.real);
    if (number.is_complex) {
        if (!signbit(number.imaginary) || isnan(number.imaginary))
            text[length++] = '+';
        length += write_float(text + length, s, number.imaginary);
        text[length++] = 'i';
    }
    return length;
}

static void add_repeated(luaL_Buffer *text, char letter, int count)
{
    while (count-- > 0)
        luaL_addchar(text, letter);
}

/* Between two elements of an axis: ", ", or a line and as many brackets to be under. */
static void add_separator(luaL_Buffer *text, const summary *s, int axis)
{
    luaL_addchar(text, ',');
    if (axis == s->array->ndim - 1) {
        luaL_addchar(text, ' ');
    } else {
        add_repeated(text, '\n', s->array->ndim - 1 - axis);
        add_repeated(text, ' ', axis + 1);
    }
}

/* Adds the elements from `axis` inwards; *place is the next element to be shown. */
static void add_axis(luaL_Buffer *text, const summary *s, int axis, size_t *place)
{
    if (axis == s->array->ndim) {
        char number[NUMBER_ROOM];
        int length = write_number(number, s, (*place)++);
        add_repeated(text, ' ', s->width - length);
        luaL_addlstring(text, number, (size_t)length);
        return;
    }
    luaL_addchar(text, '[');
    for (size_t i = 0; i < s->shown[axis]; i++) {
        if (i > 0)
            add_separator(text, s, axis);
        if (i == EDGE && s->gap[axis]) {
            luaL_addstring(text, "...");
            add_separator(text, s, axis);
        }
        add_axis(text, s, axis + 1, place);
    }
    luaL_addchar(text, ']');
}

/* As call_await, but gives a failure back, which the text shows. */
static lun_status await(lua_State *L, const lun_array *array, lun_error *err)
{
    for (bool ready = false;; call_hooks(L)) {
        lun_status status = lun_array_await(&ready, array, LUN_READ, NULL, LUN_SLICE, err);
        if (status != LUN_OK || ready)
            return status;
    }
}

int array_tostring(lua_State *L)
{
    const lun_array *array = object_test(L, 1, CLASS_ARRAY);
    if (array == NULL || !lun_array_is_live(array)) {
        lua_pushliteral(L, "lunarray.array (released)");
        return 1;
    }
    char shape[128];
    lun_error err;
    lun_array layout = *array; /* the array may be released by a finalizer at each collection from here on */
    lun_shape_text(shape, sizeof shape, array->ndim, array->shape);
    lua_pushfstring(L, "array %s %s", shape, lun_dtype_name(array->dtype));
    if (layout.size == 0)
        return 1;

    summary s = {.array = &layout, .bytes = lun_dtype_bytes(layout.dtype)};
    plan(&s);
    char *data = lua_newuserdatauv(L, 2 * s.total * s.bytes, 0);
    lun_status status = await(L, array, &err);
    if (status == LUN_OK)
        status = read_edges(&s, array, data, data + s.total * s.bytes, &err);
    if (status != LUN_OK) {
        lua_pushfstring(L, "%s (%s)", lua_tostring(L, -2), err.message);
        return 1;
    }
    s.data = data;
    for (size_t i = 0; i < s.total; i++) {
        char number[NUMBER_ROOM];
        int length = write_number(number, &s, i);
        s.width = length > s.width ? length : s.width;
    }
    luaL_Buffer text;
    size_t place = 0;
    lua_pushvalue(L, -2);
    luaL_buffinit(L, &text);
    add_axis(&text, &s, 0, &place);
    luaL_pushresult(&text);
    lua_pushfstring(L, "%s%s%s", lua_tostring(L, -2), layout.ndim < 2 ? " " : "\n", lua_tostring(L, -1));
    return 1;
}
