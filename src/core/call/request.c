/* Requests: an operation of the table with its arguments and options is checked, gets its results, and is run. */
#include "call/request.h"
#include "base/shape.h"
#include "call/traced.h"
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory -------------------------------------------------------------------------------------------------------- */

typedef struct chunk {
    struct chunk *next;
    uint64_t data[];
} chunk;

typedef struct owned {
    struct owned *next;
    lun_array array;
} owned;

typedef struct held {
    struct held *next;
    void *what;
    void (*drop)(void *what);
} held;

void lun_request_init(lun_request *out, const lun_operation *operation, const lun_manner *manner)
{
    memset(out, 0, offsetof(lun_request, arguments));
    memset(&out->surplus, 0, offsetof(lun_request, numbers) - offsetof(lun_request, surplus));
    memset(&out->number_count, 0, offsetof(lun_request, few) - offsetof(lun_request, number_count));
    out->operation = operation;
    out->floats = LUN_f32;
    out->manner = manner ? manner : &lun_plain_manner;
    for (unsigned i = 0; i <= LUN_ARGUMENTS; i++)
        out->arguments[i].kind = LUN_VALUE_NOTHING;
}

void *lun_request_memory(lun_request *r, size_t bytes)
{
    if (bytes > SIZE_MAX - sizeof(chunk) - 8)
        return NULL;
    bytes = (bytes + 7) / 8 * 8;
    if (bytes <= sizeof r->room - r->used) {
        void *memory = (char *)r->room + r->used;
        r->used += bytes;
        return memset(memory, 0, bytes);
    }
    chunk *fresh = calloc(1, sizeof *fresh + bytes);
    if (!fresh)
        return NULL;
    fresh->next = r->chunks;
    r->chunks = fresh;
    return fresh->data;
}

lun_value *lun_request_list(lun_request *request, size_t count)
{
    return count > SIZE_MAX / sizeof(lun_value) ? NULL : lun_request_memory(request, count * sizeof(lun_value));
}

lun_status request_own(lun_array **out, lun_request *r, lun_error *err)
{
    if (*out)
        return LUN_OK;
    owned *fresh = REQUEST_MEMORY(r, sizeof *fresh);
    fresh->next = r->owned;
    r->owned = fresh;
    *out = &fresh->array;
    return LUN_OK;
}

lun_status request_array(lun_array **out, lun_request *r, lun_dtype dtype, int ndim, const size_t *shape,
                         lun_error *err)
{
    if (*out) /* made by an attempt that failed later */
        return LUN_OK;
    lun_array *fresh = NULL;
    TRY(request_own(&fresh, r, err));
    TRY(r->traced ? lun_graph_array(fresh, r->trace, r->device, dtype, ndim, shape, err)
                  : lun_array_create(fresh, r->device, dtype, ndim, shape, err));
    *out = fresh;
    return LUN_OK;
}

lun_status request_hold(lun_request *r, void *what, void (*drop)(void *what), lun_error *err)
{
    held *fresh = REQUEST_MEMORY(r, sizeof *fresh);
    *fresh = (held){r->held, what, drop};
    r->held = fresh;
    return LUN_OK;
}

void lun_request_clear(lun_request *request)
{
    for (held *at = request->held; at; at = at->next)
        at->drop(at->what);
    request->held = NULL;
    for (owned *at = request->owned; at; at = at->next)
        lun_array_clear(&at->array);
    request->owned = NULL;
    lun_sparse_forget(&request->matrix);
    if (request->staging)
        lun_staging_release(request->staging);
    request->staging = NULL;
    if (request->pending)
        lun_numbers_free(request->pending);
    request->pending = NULL;
    for (chunk *at = request->chunks, *next; at; at = next) {
        next = at->next;
        free(at);
    }
    request->chunks = NULL;
    request->used = 0;
}

lun_call request_quiet(const lun_request *r) { return (lun_call){NULL, r->call.queue, NULL, r->call.reproducible}; }
lun_call request_unnoticed(const lun_request *r)
{
    return (lun_call){r->call.variant, r->call.queue, NULL, r->call.reproducible};
}

/* ---- checking ------------------------------------------------------------------------------------------------------ */

/* The array of a value, or that of a sparse matrix's values; or NULL. */
static const lun_array *array_of(const lun_value *value)
{
    return value->kind == LUN_VALUE_ARRAY    ? value->array
           : value->kind == LUN_VALUE_SPARSE ? value->sparse->values
                                             : NULL;
}

static lun_status check_list_live(const lun_list *list, size_t argument, lun_error *err)
{
    const lun_array *array;
    for (size_t k = 0; k < list->count; k++) {
        if (!(array = array_of(&list->items[k])) || lun_array_is_live(array))
            continue;
        if (list->names)
            return fail(err, LUN_MISUSE, "argument '%s': the array was released", list->names[k]);
        return fail(err, LUN_MISUSE,
                    list->spread ? "argument %zu: the array was released"
                                 : "element %zu of the list: the array was released",
                    list->spread ? argument + k : k + 1);
    }
    return LUN_OK;
}

/* The host's actions in between may release an argument that was checked before. */
static lun_status check_live(const lun_request *r, lun_error *err)
{
    char place[SHOWN];
    const char *lost = NULL;
    const lun_array *array;
    lun_status status = LUN_OK;
    for (unsigned i = 0; i == 0 || r->operation->arguments[i - 1].name; i++) {
        if (r->arguments[i].kind == LUN_VALUE_SPARSE)
            lost = lun_sparse_lost(r->arguments[i].sparse);
        if (lost)
            return fail(err, LUN_MISUSE, "%s: %s", request_place(place, r, i), lost);
        if ((array = array_of(&r->arguments[i])) && !lun_array_is_live(array))
            return fail(err, LUN_MISUSE, "%s: the array was released%s", request_place(place, r, i),
                        r->begun ? " meanwhile" : "");
        if (r->arguments[i].kind == LUN_VALUE_LIST && r->operation->arguments[i - 1].kind != LUN_OPTION_RANGES)
            status = check_list_live(&r->arguments[i].list, i, err);
        if (status != LUN_OK)
            return status;
    }
    const lun_option *row = r->operation->options;
    for (uint32_t left = r->given, i = 0; left; left >>= 1, i++)
        if (left & 1 && (array = array_of(&r->options[i])) && !lun_array_is_live(array))
            return fail(err, LUN_MISUSE, "option '%s': the array was released", row[i].name);
    return LUN_OK;
}

const lun_option *lun_operation_option(const lun_operation *operation, const char *name)
{
    for (const lun_option *row = operation->options; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

lun_status lun_request_option(lun_request *request, const char *name, const lun_value *value, lun_error *err)
{
    const lun_option *row = lun_operation_option(request->operation, name);
    if (!row)
        return request_refuse_option(request, name, err);
    if (!option_fits(row->kind, value))
        return request_refuse_value(request, row, value, err);
    if (value->kind == LUN_VALUE_CUT)
        return fail(err, LUN_MISUSE, "option '%s': the string has a zero byte", name);
    if (value->kind == LUN_VALUE_LIST && value->list.odd)
        return fail(err, LUN_MISUSE, "option '%s': the table has %s", name, value->list.odd);
    if (value->kind == LUN_VALUE_ARRAY && !lun_array_is_live(value->array))
        return fail(err, LUN_MISUSE, "option '%s': the array was released", name);
    request->given |= 1u << (row - request->operation->options);
    request->options[row - request->operation->options] = *value;
    return LUN_OK;
}

/* An argument may have the name of an option. */
static lun_status merge(lun_request *r, unsigned i, const lun_operand *row, lun_error *err)
{
    const lun_value *option = request_option(r, row->name);
    if (!option)
        return LUN_OK;
    if (r->arguments[i].kind != LUN_VALUE_NOTHING)
        return request_refuse_twice(r, i, row, option, err);
    r->arguments[i] = *option;
    return LUN_OK;
}

static lun_status check_arguments(lun_request *r, lun_error *err)
{
    unsigned i = 1;
    for (const lun_operand *row = r->operation->arguments; row->name; row++, i++) {
        TRY(request_check_argument(r, i, row, err));
        if (r->given)
            TRY(merge(r, i, row, err));
        if (r->arguments[i].kind == LUN_VALUE_NOTHING && !row->optional)
            TRY(request_refuse(r, i, row->wanted ? row->wanted : lun_option_kind_name(row->kind), err));
    }
    if (r->surplus.kind != LUN_VALUE_NOTHING)
        TRY(request_refuse_surplus(r, err));
    return LUN_OK;
}

/* The options for how an operation is run. */
static lun_status read_call(lun_request *r, lun_error *err)
{
    const lun_value *queue = request_option(r, "queue");
    r->async = r->async || request_truth(r, "async");
    r->call.variant = request_text(r, "variant");
    if (!queue)
        return LUN_OK;
    if (!queue->queue)
        FAIL(LUN_MISUSE, "option 'queue': the queue was released");
    if (lun_queue_device(queue->queue) != r->device)
        FAIL(LUN_MISUSE, "option 'queue': the queue belongs to another device (%s) than the work (%s)",
             lun_device_info_get(lun_queue_device(queue->queue))->name, lun_device_info_get(r->device)->name);
    r->call.queue = queue->queue;
    return LUN_OK;
}

/* LUN_MISUSE if an output shares elements with an array of a value. An output that is exactly that array is accepted or
 * refused by the operation. */
static lun_status check_input(const lun_array *out, const lun_value *value, lun_error *err)
{
    lun_status status = LUN_OK;
    const size_t count = value->kind == LUN_VALUE_LIST ? value->list.count : value->kind == LUN_VALUE_ARRAY;
    for (size_t k = 0; k < count && status == LUN_OK; k++) {
        const lun_array *array = array_of(value_item(value, k));
        if (array && !array_is_same_view(out, array))
            status = array_check_apart(out, array, err);
    }
    return status;
}

/* Arrays of the option `out` share no elements with one another or with inputs. */
static lun_status check_given(const lun_request *r, lun_error *err)
{
    const lun_array *given[LUN_REDUCE_NUMBERS]; /* as many as outputs that one operation takes */
    const lun_value *outs = request_option(r, "out");
    size_t count = 0;
    for (size_t i = 0; !r->views && i < r->result_count && i < COUNT(given); i++)
        if (r->results[i].given)
            given[count++] = r->results[i].given;
    TRY(array_check_outputs(given, count, err));
    for (size_t i = 0; outs && i < count; i++) {
        for (unsigned k = 0; k == 0 || r->operation->arguments[k - 1].name; k++)
            TRY(check_input(given[i], &r->arguments[k], err));
        for (unsigned k = 0; r->operation->options[k].name; k++)
            if (r->given >> k & 1 && &r->options[k] != outs)
                TRY(check_input(given[i], &r->options[k], err));
    }
    return LUN_OK;
}

/* For traced arrays numbers are arrays too; the host makes an empty array for each result, as for views. */
static lun_status bind_traced(lun_request *r, lun_error *err)
{
    const request_functions *functions = r->operation->functions;
    const bool async = r->async;
    r->async = true;
    if (!functions->bind)
        FAIL(LUN_MISUSE, "cannot be fused: values are not known yet");
    TRY(functions->bind(r, err));
    r->async = async;
    r->traced = !r->views;
    TRY(trace_check_bound(r, err));
    r->views = true;
    return LUN_OK;
}

lun_status lun_request_bind(lun_request *r, lun_error *err)
{
    const request_functions *functions = r->operation->functions;
    TRY(check_arguments(r, err));
    TRY(check_live(r, err));
    for (unsigned i = 1; i <= LUN_ARGUMENTS; i++)
        if (r->arguments[i].kind == LUN_VALUE_DEVICE)
            r->device = r->arguments[i].device;
    for (unsigned i = 0; i <= LUN_ARGUMENTS && !r->device; i++) {
        const lun_value *value = &r->arguments[i];
        const bool list = value->kind == LUN_VALUE_LIST && value->list.count != 0;
        const lun_array *array = array_of(list ? &value->list.items[0] : value);
        r->device = array ? array->device : NULL;
    }
    if (r->trace && r->operation->owner != LUN_OF_TRACE)
        TRY(request_is_traced(&r->traced, r, err));
    if (r->given && r->device)
        TRY(read_call(r, err));
    r->call.reproducible = request_reproducible(r);
    if (r->traced)
        return bind_traced(r, err);
    if (functions->bind) /* else the host does the rest */
        TRY(functions->bind(r, err));
    if (r->given || r->result_count > 1)
        TRY(check_given(r, err));
    return r->trace ? trace_outside(r, err) : LUN_OK;
}

/* ---- running ------------------------------------------------------------------------------------------------------- */

void lun_request_attempt(lun_attempt *out, const lun_request *request)
{
    if (request->views)
        lun_attempt_start(out, request->device);
    else
        lun_attempt_enqueue(out, request->device, &request->call);
    out->staging = request->staging_bytes;
}

#define READING (-1) /* the stage in which numbers are read */

/* Makes the missing arrays: results whose shapes are known, and memory for numbers that the host gets at once. */
static lun_status make_results(lun_request *r, lun_array *const *out, lun_error *err)
{
    for (size_t i = 0; i < r->result_count; i++) {
        lun_result *result = &r->results[i];
        if (out[i] && !result->late)
            TRY(request_make(r, i, out[i], err));
        else if (!out[i] && !result->behind && !result->form && !r->direct)
            TRY(request_array(&result->behind, r, result->dtype, result->ndim, result->shape, err));
    }
    return LUN_OK;
}

/* Reads the numbers of results, a slice of the work at each call. */
static lun_status read_numbers(bool *more, lun_request *r, lun_error *err)
{
    const lun_call call = request_quiet(r);
    char data[2 * LUN_MOST_BYTES];
    for (; r->reading < r->result_count; r->reading++, r->received = 0) {
        lun_result *result = &r->results[r->reading];
        if (!result->behind)
            continue;
        TRY(lun_array_receive(more, &r->received, data, result->behind, &call, err));
        if (*more)
            return LUN_OK;
        for (int i = 0; i < result->numbers; i++)
            r->numbers[r->number_count++] =
                lun_number_load(data + (size_t)i * lun_dtype_bytes(result->dtype), result->dtype);
        lun_array_clear(result->behind);
    }
    return LUN_OK;
}

/* A view of a traced array keeps its number of elements, whatever shape the next call's argument has. */
static lun_status run_views(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    TRY(((const request_functions *)r->operation->functions)->run(more, r, out, err));
    for (size_t i = 0; r->trace && i < r->result_count; i++)
        lun_graph_note_shape(out[i]);
    return LUN_OK;
}

lun_status lun_request_run(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    const request_functions *functions = r->operation->functions;
    lun_array *to[LUN_REDUCE_NUMBERS];
    if (r->stage == READING)
        return read_numbers(more, r, err);
    TRY(check_live(r, err));
    if (r->traced)
        return trace_request(r, out, err);
    if (r->views)
        return run_views(more, r, out, err);
    r->begun = true;
    TRY(make_results(r, out, err));
    for (size_t i = 0; i < r->result_count && i < COUNT(to) && r->numeric; i++)
        to[i] = out[i] ? out[i] : r->results[i].behind;
    TRY(functions->run(more, r, r->numeric ? to : out, err));
    if (*more || !r->numeric || r->direct)
        return LUN_OK;
    r->stage = READING;
    return read_numbers(more, r, err);
}
