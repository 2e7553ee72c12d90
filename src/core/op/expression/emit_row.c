/* Where a row of each array begins: what the kernel takes for it, and the text that finds it. */
#include "base/dtype.h"
#include "op/expression/emit.h"

#include <string.h>

#define FEW_ARRAYS 8 /* so many have strides of their own each: kernels are the same whether arrays lie alike or not */

/* Positions in a map_shape's `at`, behind the sizes of the outer axes. */
typedef struct map_places {
    unsigned first[MAP_ARRAYS], inner[MAP_ARRAYS], outer[MAP_ARRAYS];
    unsigned count;
} map_places;

/* The array whose strides an array has. */
static size_t like(const map_form *form, size_t array) { return form->like[array] ? form->like[array] - 1u : array; }

static void find_places(map_places *out, const map_form *form)
{
    unsigned next = (unsigned)form->outer;
    for (size_t k = 0; k < form->array_count; k++) {
        const size_t same = like(form, k);
        out->first[k] = next++;
        out->inner[k] = same < k ? out->inner[same] : next;
        next += same == k && form->inner[k] == INNER_STRIDED;
        out->outer[k] = same < k ? out->outer[same] : next;
        next += same == k ? (unsigned)form->outer : 0;
    }
    out->count = next;
}

static bool lie_alike(const map_form *form, const map_rows *rows, size_t a, size_t b)
{
    const map_array *one = &rows->array[a], *other = &rows->array[b];
    return form->inner[a] == form->inner[b] && one->inner == other->inner &&
           memcmp(one->outer, other->outer, (size_t)form->outer * sizeof *one->outer) == 0;
}

/* Of many arrays most lie alike: where an array's row begins is found once for all that do, and strides are passed once, as
 * there may be no more than 1024 bytes of arguments. */
void map_find_alike(map_form *form, const map_rows *rows)
{
    memset(form->like, 0, form->array_count);
    for (size_t k = 1; k < form->array_count && form->array_count > FEW_ARRAYS; k++)
        for (size_t i = 0; i < k && !form->like[k]; i++)
            if (!form->like[i] && lie_alike(form, rows, i, k))
                form->like[k] = (unsigned char)(1 + i);
}

size_t map_pack_rows(map_shape *out, const map_form *form, const map_rows *rows)
{
    map_places places;
    find_places(&places, form);
    out->rows = rows->rows;
    out->columns = rows->columns;
    for (int i = 0; i < form->outer; i++)
        out->at[i] = rows->size[i];
    for (size_t k = 0; k < form->array_count; k++) {
        const map_array *array = &rows->array[k];
        out->at[places.first[k]] = array->first;
        if (form->inner[k] == INNER_STRIDED)
            out->at[places.inner[k]] = array->inner;
        for (int i = 0; i < form->outer; i++)
            out->at[places.outer[k] + (unsigned)i] = array->outer[i];
    }
    return offsetof(map_shape, at) + places.count * sizeof *out->at;
}

/* ---- text ------------------------------------------------------------------------------------------------------------- */

/* Declares row_0, row_1 ...: the row's positions along the outer axes. */
static void write_positions(const writer *w)
{
    const int outer = w->form->outer;
    if (outer == 1)
        text_add(w->out, " const long row_0 = (row);");
    else if (outer > 1)
        text_add(w->out, " const long rows_%d = (row);", outer - 1);
    for (int i = outer - 1; i > 0; i--) {
        text_add(w->out, " const long %s_%d = rows_%d / shape.at[%d];", i > 1 ? "rows" : "row", i - 1, i, i);
        text_add(w->out, " const long row_%d = rows_%d - %s_%d * shape.at[%d];", i, i, i > 1 ? "rows" : "row", i - 1,
                 i);
    }
}

/* Declares from_<array>: how far the row's first element is from the array's. */
static void write_distance(const writer *w, size_t array, const map_places *places)
{
    text_add(w->out, " const long from_%zu = ", array);
    for (int i = 0; i < w->form->outer; i++)
        text_add(w->out, "%srow_%d * shape.at[%u]", i ? " + " : "", i, places->outer[array] + (unsigned)i);
    text_add(w->out, w->form->outer ? ";" : "0;");
}

/* Declares p<array>, the row's first element, or e<array>, the one of all its columns; and s<array>, a stride. */
static void write_begin(const writer *w, size_t k, const map_places *places)
{
    const map_form *form = w->form;
    const lun_dtype dtype = form->arrays[k]->dtype;
    const char *packing = dtype_packing(dtype);
    const bool out = k < form->out_count;
    const size_t same = like(form, k);
    if (form->inner[k] == INNER_SINGLE)
        text_add(w->out, " const %s e%zu = %s%s(i%zu[shape.at[%u] + from_%zu]);", emit_computed(dtype), k,
                 *packing ? "unpack_" : "", packing, k, places->first[k], same);
    else
        text_add(w->out, " global %s%s *p%zu = %c%zu + (shape.at[%u] + from_%zu);", out ? "" : "const ",
                 dtype_stored(dtype), k, out ? 'o' : 'i', k, places->first[k], same);
    if (form->inner[k] == INNER_STRIDED)
        text_add(w->out, " const long s%zu = shape.at[%u];", k, places->inner[k]);
}

void emit_row(const writer *w)
{
    map_places places;
    find_places(&places, w->form);
    text_add(w->out, "#define MAP_PLACES %u\n#define MAP_ROW(row)", places.count);
    write_positions(w);
    for (size_t k = 0; k < w->form->array_count; k++) {
        if (like(w->form, k) == k)
            write_distance(w, k, &places);
        write_begin(w, k, &places);
    }
    text_add(w->out, "\n");
}
