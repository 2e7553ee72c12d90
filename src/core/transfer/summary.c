/* Arrays as text: shape, dtype and elements, or for a large array those at the edges; and single elements. */
#include "base/error.h"
#include "base/manner.h"
#include "base/text.h"
#include "device/device.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHOWN_WHOLE 1000 /* elements of an array that is shown without gaps */
#define EDGE 3           /* positions at either end of an axis with a gap */
#define NUMBER_ROOM 64

typedef struct summary {
    const lun_array *array; /* a copy of the struct, with the dtype and shape, even if the array changes */
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

/* Copies a block of elements to its position among the shown ones. */
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

static lun_status read_part(void *data, const lun_array *array, const lun_slice *slices, lun_error *err)
{
    lun_array part = {0};
    lun_status status = lun_array_slice(&part, array, slices, err);
    if (status == LUN_OK)
        status = lun_array_read(data, &part, NULL, err);
    lun_array_clear(&part);
    return status;
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
            bool last = ends >> i & 1;
            meant = meant && (!last || s->gap[i]);
            slices[i] = (lun_slice){.step = 1, .count = s->gap[i] ? EDGE : shape[i]};
            if (last) {
                slices[i].from = (int64_t)(shape[i] - EDGE);
                from[i] = EDGE;
            }
        }
        if (!meant)
            continue;
        lun_status status = read_part(block, array, slices, err);
        if (status != LUN_OK)
            return status;
        place_block(s, data, block, from, slices);
    }
    return LUN_OK;
}

/* ---- writing ------------------------------------------------------------------------------------------ */

/* With few digits, enough to distinguish numbers by eye. */
static int write_float(char *text, const summary *s, double number)
{
    const size_t bytes = lun_dtype_bytes(lun_dtype_part(s->array->dtype));
    return (int)strlen(lun_number_text(text, NUMBER_ROOM / 2, bytes <= 2 ? 4 : bytes == 4 ? 6 : 8, number));
}

static int write_number(char *text, const summary *s, size_t place)
{
    lun_dtype dtype = s->array->dtype;
    lun_number number = lun_number_load(s->data + place * s->bytes, dtype);
    if (number.is_truth)
        return snprintf(text, NUMBER_ROOM, number.integer ? "true" : "false");
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

/* The separator of two elements of an axis: ", ", or a new line, indented under the brackets. */
static void add_separator(text_builder *text, const summary *s, int axis)
{
    const int ndim = s->array->ndim;
    text_add_char(text, ',');
    if (axis == ndim - 1)
        text_add_char(text, ' ');
    for (int i = axis; i < ndim - 1; i++)
        text_add_char(text, '\n');
    for (int i = 0; i <= axis && axis < ndim - 1; i++)
        text_add_char(text, ' ');
}

/* Adds the elements from `axis` inwards; *place is the next element to be shown. */
static void add_axis(text_builder *text, const summary *s, int axis, size_t *place)
{
    if (axis == s->array->ndim) {
        char number[NUMBER_ROOM];
        const int length = write_number(number, s, (*place)++);
        for (int i = length; i < s->width; i++)
            text_add_char(text, ' ');
        text_add_bytes(text, number, (size_t)length);
        return;
    }
    text_add_char(text, '[');
    for (size_t i = 0; i < s->shown[axis]; i++) {
        if (i > 0)
            add_separator(text, s, axis);
        if (i == EDGE && s->gap[axis]) {
            text_add(text, "...");
            add_separator(text, s, axis);
        }
        add_axis(text, s, axis + 1, place);
    }
    text_add_char(text, ']');
}

/* The array with its axes in the order of the host's. */
static lun_status turn(lun_array *out, const lun_array *array, lun_error *err)
{
    int axes[LUN_MAX_AXES];
    for (int i = 0; i < array->ndim; i++)
        axes[i] = manner_axis(device_manner(array->device), i, array->ndim);
    return lun_array_permute(out, array, axes, err);
}

/* Adds the elements, or the reason why they cannot be read. */
static lun_status add_elements(text_builder *text, const lun_array *array, lun_error *err)
{
    lun_error failed;
    size_t place = 0;
    FREED char *data = NULL;
    ENDED_BY(lun_array_clear) lun_array turned = {0};
    summary s = {.array = &turned, .bytes = lun_dtype_bytes(array->dtype)};
    TRY(turn(&turned, array, err));
    plan(&s);
    data = NEW(1, 2 * s.total * s.bytes, "a summary");
    s.data = data;
    if (read_edges(&s, &turned, data, data + s.total * s.bytes, &failed) != LUN_OK) {
        text_add(text, " (%s)", failed.message);
        return LUN_OK;
    }
    for (size_t i = 0; i < s.total; i++) {
        char number[NUMBER_ROOM];
        const int length = write_number(number, &s, i);
        s.width = length > s.width ? length : s.width;
    }
    text_add(text, array->ndim < 2 ? " " : "\n");
    add_axis(text, &s, 0, &place);
    return LUN_OK;
}

lun_status lun_array_summary(bool *more, char **out, const lun_array *array, lun_error *err)
{
    lun_error failed;
    bool ready = true;
    char shape[128];
    ENDED_BY(text_clear) text_builder text = {0};
    const bool readable = lun_array_await(&ready, array, LUN_READ, NULL, LUN_SLICE, &failed) == LUN_OK;
    *more = readable && !ready;
    if (*more)
        return LUN_OK;
    text_add(&text, "array %s %s", array_shape_text(shape, sizeof shape, array), lun_dtype_name(array->dtype));
    if (!readable)
        text_add(&text, " (%s)", failed.message);
    else if (array->size)
        TRY(add_elements(&text, array, err));
    TRY(text_check(&text, err));
    *out = text.chars;
    text = (text_builder){0};
    return LUN_OK;
}

/* ---- single elements --------------------------------------------------------------------------------- */

lun_status lun_element_get(lun_number *out, const lun_array *array, const lun_slice *slices, lun_error *err)
{
    char data[LUN_MOST_BYTES];
    const lun_status status = read_part(data, array, slices, err);
    if (status == LUN_OK)
        *out = lun_number_load(data, array->dtype);
    return status;
}

lun_status lun_element_set(const lun_array *array, const lun_slice *slices, lun_number value, lun_error *err)
{
    lun_array element = {0};
    lun_status status = lun_array_slice(&element, array, slices, err);
    if (status == LUN_OK)
        status = lun_array_fill(&element, value, NULL, err);
    lun_array_clear(&element);
    return status;
}
