/* The beginning of a row of each array: the kernel's arguments for it, and the text that finds it. */
#include "base/dtype.h"
#include "device/device.h"
#include "op/expression/emit.h"

#include <string.h>

#define FEW_ARRAYS                                                                                                     \
    8 /* up to this number each array has its own strides: kernels are then the same for equal and different layouts */

/* Positions in a map_shape's `at`, behind the sizes of the outer axes. */
typedef struct map_places {
    unsigned first[MAP_ARRAYS], inner[MAP_ARRAYS], outer[MAP_ARRAYS];
    unsigned reads[MAP_ARRAYS]; /* of each axis that is read at other positions: how far, and the array's size */
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
        out->reads[k] = next;
        next += 2 * (unsigned)__builtin_popcount(form->reads[k]);
    }
    out->count = next;
}

static bool lie_alike(const map_form *form, const map_rows *rows, size_t a, size_t b)
{
    const map_array *one = &rows->array[a], *other = &rows->array[b];
    return !form->reads[a] && !form->reads[b] && form->inner[a] == form->inner[b] && one->inner == other->inner &&
           memcmp(one->outer, other->outer, (size_t)form->outer * sizeof *one->outer) == 0;
}

/* Among many arrays most have equal layouts: the beginning of a row is computed once for all of these, and their
 * strides are passed once, because arguments are limited to 1024 bytes. */
void map_find_alike(map_form *form, const map_rows *rows)
{
    memset(form->like, 0, form->array_count);
    for (size_t k = 1; k < form->array_count && form->array_count > FEW_ARRAYS; k++)
        for (size_t i = 0; i < k && !form->like[k]; i++)
            if (!form->like[i] && lie_alike(form, rows, i, k))
                form->like[k] = (unsigned char)(1 + i);
}

/* A row's position is then a product, which is free if a kernel computes it once for a row. */
void map_take_rows(map_form *form, map_rows *rows)
{
    if (form->outer || form->expression->reads || !device_on_pocl(form->arrays[0]->device) || !map_is_real(form))
        return;
    form->outer = 1;
    rows->size[0] = 1;
    for (size_t k = 0; k < form->array_count; k++)
        rows->array[k].outer[0] = 0;
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
        for (int i = 0, at = (int)places.reads[k]; i <= form->outer; i++)
            if (form->reads[k] >> i & 1) {
                out->at[at++] = array->before[i];
                out->at[at++] = array->length[i];
            }
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

/* The shifted read of an array; NULL: not shifted. */
static const lun_read *read_of(const map_form *form, size_t array)
{
    return form->reads[array] ? &form->expression->reads[array - form->out_count] : NULL;
}

static bool is_constant(const map_form *form, size_t array)
{
    const lun_read *read = read_of(form, array);
    return read && !read->rolls && read->mode == LUN_PAD_CONSTANT;
}

/* The function of parts/reads.cl that finds positions. */
static const char *function_of(const lun_read *read)
{
    static const char *const functions[] = {[LUN_PAD_CONSTANT] = "read_edge",
                                            [LUN_PAD_EDGE] = "read_edge",
                                            [LUN_PAD_WRAP] = "read_wrap",
                                            [LUN_PAD_REFLECT] = "read_reflect",
                                            [LUN_PAD_SYMMETRIC] = "read_symmetric"};
    return read->rolls ? "read_roll" : functions[read->mode];
}

bool emit_reads_row(const map_form *form, size_t array) { return form->reads[array] >> form->outer & 1; }

bool emit_seeks(const writer *w, size_t array) { return emit_reads_row(w->form, array) && !w->pieces; }

void emit_position(const writer *w, size_t array, unsigned at)
{
    text_add(w->out, "%s((j) + %u, before_%zu, length_%zu)", function_of(read_of(w->form, array)), at, array, array);
}

void emit_inside(const writer *w, size_t array, unsigned at)
{
    if (!is_constant(w->form, array))
        return;
    text_add(w->out, "inside_%zu", array);
    if (emit_seeks(w, array))
        text_add(w->out, " && read_within((j) + %u, before_%zu, length_%zu)", at, array, array);
    text_add(w->out, " ? ");
}

/* A constant around an array as it is stored, of the bits that an element of it has. */
static void write_constant(const writer *w, size_t array)
{
    cl_ulong2 bits = {{0}};
    lun_error ignored; /* read_check has stored it before */
    const lun_dtype dtype = w->form->arrays[array]->dtype, part = lun_dtype_part(dtype);
    (void)lun_number_store(&bits, dtype, read_of(w->form, array)->value, &ignored);
    const unsigned long long low = bits.s[0], high = part == LUN_f64 ? bits.s[1] : low >> 32;
    const char *stored = dtype_stored(dtype);
    if (part == LUN_f64)
        text_add(w->out, "(%s)(as_double(0x%llxUL)", stored, low);
    else if (part == LUN_f32)
        text_add(w->out, "(%s)(as_float(0x%llxU)", stored, low & 0xffffffff);
    else
        text_add(w->out, "(%s)(0x%llxUL", stored, low);
    if (part != dtype)
        text_add(w->out, part == LUN_f64 ? ", as_double(0x%llxUL)" : ", as_float(0x%llxU)", high);
    text_add(w->out, ")");
}

void emit_outside(const writer *w, size_t array, unsigned width)
{
    if (!is_constant(w->form, array))
        return;
    text_add(w->out, " : (%s", dtype_stored(w->form->arrays[array]->dtype));
    if (width > 1)
        text_add(w->out, "%u", width);
    text_add(w->out, ")(");
    write_constant(w, array);
    text_add(w->out, ")");
}

/* Declares from_<array>, the distance of the row's first element from the array's; and for a shifted read
 * inside_<array>, before_<array> and length_<array>. */
static void write_distance(const writer *w, size_t array, const map_places *places)
{
    const map_form *form = w->form;
    const lun_read *read = read_of(form, array);
    unsigned at = places->reads[array];
    if (is_constant(form, array))
        text_add(w->out, " const bool inside_%zu = true", array);
    for (int i = 0; is_constant(form, array) && i < form->outer; i++)
        if (form->reads[array] >> i & 1) {
            text_add(w->out, " && read_within(row_%d, shape.at[%u], shape.at[%u])", i, at, at + 1);
            at += 2;
        }
    at = places->reads[array];
    text_add(w->out, is_constant(form, array) ? "; const long from_%zu = " : " const long from_%zu = ", array);
    for (int i = 0; i < form->outer; i++) {
        text_add(w->out, i ? " + " : "");
        if (form->reads[array] >> i & 1) {
            text_add(w->out, "%s(row_%d, shape.at[%u], shape.at[%u])", function_of(read), i, at, at + 1);
            at += 2;
        } else {
            text_add(w->out, "row_%d", i);
        }
        text_add(w->out, " * shape.at[%u]", places->outer[array] + (unsigned)i);
    }
    text_add(w->out, form->outer ? ";" : "0;");
    if (emit_reads_row(form, array))
        text_add(w->out, " const long before_%zu = shape.at[%u], length_%zu = shape.at[%u];", array, at, array, at + 1);
}

/* Declares p<array>, the row's first element, or e<array>, the one of all its columns; and s<array>, a stride. */
static void write_begin(const writer *w, size_t k, const map_places *places)
{
    const map_form *form = w->form;
    const lun_dtype dtype = form->arrays[k]->dtype;
    const char *packing = dtype_packing(dtype);
    const bool out = k < form->out_count;
    const size_t same = like(form, k);
    if (form->inner[k] == INNER_SINGLE) {
        text_add(w->out, " const %s e%zu = %s%s(", emit_computed(dtype), k, *packing ? "unpack_" : "", packing);
        emit_inside(w, k, 0);
        text_add(w->out, "i%zu[shape.at[%u] + from_%zu]", k, places->first[k], same);
        emit_outside(w, k, 1);
        text_add(w->out, ");");
    } else
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

/* Within a piece every read is contiguous: a rolled array starts or ends at the piece's ends; the inside of a padded
 * array is a piece, and `border` is set before and after it. Declares q<array>. */
void emit_pieces(const writer *w)
{
    const map_form *form = w->form;
    text_add(w->out, "#define MAP_PIECE(j)");
    for (size_t k = form->out_count; k < form->array_count; k++) {
        const lun_read *read = read_of(form, k);
        if (!emit_reads_row(form, k))
            continue;
        text_add(w->out, read->rolls ? " READ_ROLLED(j, before_%zu)" : " READ_PADDED(j, before_%zu, length_%zu)", k, k);
        text_add(w->out, " global const %s *q%zu = p%zu + (", dtype_stored(form->arrays[k]->dtype), k, k);
        if (read->rolls)
            text_add(w->out, "(j) < before_%zu ? length_%zu - before_%zu : -before_%zu)", k, k, k, k);
        else
            text_add(w->out, "-before_%zu)", k);
        if (form->inner[k] == INNER_STRIDED)
            text_add(w->out, " * s%zu", k);
        text_add(w->out, ";");
    }
    text_add(w->out, "\n");
}
