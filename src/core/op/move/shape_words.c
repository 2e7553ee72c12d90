/* Views with all elements in another shape. */
#include "call/compose.h"
#include "op/move/move.h"

#include <stdio.h>
#include <string.h>

/* ---- t ------------------------------------------------------------------------------------------------------------------- */

static lun_status turn(lun_array *out, const lun_array *array, lun_error *err)
{
    int axes[LUN_MAX_AXES];
    for (int i = 0; i < array->ndim; i++)
        axes[i] = array->ndim - 1 - i;
    return lun_array_permute(out, array, axes, err);
}

static bool view_t(lun_array *out, const lun_array *array, const lun_positions *ranges, int count,
                   const lun_manner *manner)
{
    (void)ranges, (void)manner;
    lun_error ignored;
    return count == 0 && turn(out, array, &ignored) == LUN_OK;
}

VIEW_AS(t, turn(out, in, err))

/* ---- reshape ------------------------------------------------------------------------------------------------------------- */

typedef struct shaping {
    int ndim, open;                    /* the size that is left open, counted as the host does from 0; -1: none */
    size_t shape[LUN_MAX_AXES], known; /* as the host writes it, and the product of the others */
} shaping;

/* Refuses sizes beside one that is left open which leave no size for the elements. */
static lun_status refuse_open(const lun_request *r, const shaping *s, lun_error *err)
{
    char text[SHOWN] = "";
    const size_t elements = r->arguments[0].array->size;
    const char *plural = elements == 1 ? "element does" : "elements do";
    for (int i = 0; i < s->ndim; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%lld", i ? "x" : "",
                 i == s->open ? -1 : (long long)s->shape[i]);
    if (s->known == 0 && elements == 0)
        return fail(err, LUN_MISUSE, "0 elements fit shape %s with any size in place of -1: write the size itself",
                    text);
    if (s->known == 0)
        return fail(err, LUN_MISUSE, "%zu %s not fit shape %s, which has none", elements, plural, text);
    return fail(err, LUN_MISUSE, "%zu %s not fit shape %s: %zu is not a multiple of %zu", elements, plural, text,
                elements, s->known);
}

static lun_status read_size(shaping *s, const lun_request *r, const lun_value *value, int i, lun_error *err)
{
    char shown[SHOWN];
    int64_t size = -2;
    const bool is_whole = value->kind == LUN_VALUE_NUMBER && number_whole(&size, value->number);
    if (is_whole && size == -1 && s->open >= 0)
        FAIL(LUN_MISUSE, "sizes %d and %d are both -1; only one can be left open", s->open + 1, i + 1);
    if (!is_whole || size < -1)
        FAIL(LUN_MISUSE, "size %d is %s; sizes are whole numbers from 0", i + 1, value_shown(shown, r, value));
    s->shape[i] = size == -1 ? 0 : (size_t)size;
    if (size == -1)
        s->open = i;
    else if (__builtin_mul_overflow(s->known, s->shape[i], &s->known))
        FAIL(LUN_MISUSE, "the product of the sizes overflows");
    return LUN_OK;
}

static lun_status read_shape(shaping *s, const lun_request *r, lun_error *err)
{
    const size_t elements = r->arguments[0].array->size;
    const lun_value *sizes = &r->arguments[1];
    const size_t count = sizes->kind == LUN_VALUE_NOTHING ? 0 : value_count(sizes);
    *s = (shaping){.ndim = (int)count, .open = -1, .known = 1};
    if (count > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the shape has %zu sizes; an array has at most %d axes", count, LUN_MAX_AXES);
    for (int i = 0; i < s->ndim; i++)
        TRY(read_size(s, r, value_item(sizes, (size_t)i), i, err));
    if (s->open >= 0 && (s->known == 0 || elements % s->known != 0))
        TRY(refuse_open(r, s, err));
    if (s->open >= 0)
        s->shape[s->open] = elements / s->known;
    manner_turn(r->manner, s->shape, s->ndim);
    return LUN_OK;
}

/* What cannot be seen so where it lies is copied: the result is seen as the array. */
static lun_status reshape(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    lun_array seen = {0}, *view;
    shaping s;
    TRY(read_shape(&s, c->r, err));
    if (c->r->views)
        return lun_array_reshape(c->out[0], in, s.ndim, s.shape, err);
    if (!c->out) {
        const lun_status status = lun_array_reshape(&seen, in, s.ndim, s.shape, err);
        lun_array_clear(&seen);
        if (status == LUN_OK)
            request_views(c->r, 1);
        if (status == LUN_OK || err->hint != LUN_HINT_MAKE_CONTIGUOUS)
            return status;
    }
    TRY(compose_result(&out, c, 0, in->dtype, s.ndim, s.shape, err));
    COMPOSE_VIEW(view, c, lun_array_reshape(view, out, in->ndim, in->shape, err));
    return compose_copy(c, view, in, true, err);
}

/* Without a size that is left open. */
static bool view_reshape(lun_array *out, const lun_array *array, const lun_positions *ranges, int count,
                         const lun_manner *manner)
{
    size_t shape[LUN_MAX_AXES];
    lun_error ignored;
    for (int i = 0; i < count; i++) {
        if (!ranges[i].picks || ranges[i].part[0] < 0)
            return false;
        shape[i] = (size_t)ranges[i].part[0];
    }
    manner_turn(manner, shape, count);
    return lun_array_reshape(out, array, count, shape, &ignored) == LUN_OK;
}

COMPOSED(reshape)

/* ---- views that need no request -------------------------------------------------------------------------------------- */

lun_view lun_operation_view(const lun_operation *row)
{
    static const struct {
        const request_functions *of;
        lun_view view;
    } views[] = {{&slice_functions, move_view_slice},
                 {&row_functions, move_view_row},
                 {&col_functions, move_view_col},
                 {&t_functions, view_t},
                 {&reshape_functions, view_reshape}};
    for (size_t i = 0; i < COUNT(views); i++)
        if (views[i].of == row->functions)
            return views[i].view;
    return NULL;
}
