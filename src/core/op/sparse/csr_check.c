/* Checking sparse matrices: the device checks starts and columns once, and again after they were written. */
#include "op/planning.h"
#include "op/sparse/csr.h"

#include <stdio.h>
#include <string.h>

lun_status csr_read(csr_matrix *out, const lun_array *starts, const lun_array *columns, size_t width, int first,
                    lun_error *err)
{
    char shape[200];
    TRY(array_check_same_device(columns, starts, "the array of columns", err));
    if (starts->dtype != LUN_i32 && starts->dtype != LUN_i64)
        FAIL(LUN_MISUSE, "the starts are %s; i32 or i64 is needed", lun_dtype_name(starts->dtype));
    if (columns->dtype != starts->dtype)
        FAIL(LUN_MISUSE, "the starts are %s, and the columns %s; one dtype is needed, i32 or i64",
             lun_dtype_name(starts->dtype), lun_dtype_name(columns->dtype));
    if (starts->ndim != 1 || starts->size == 0)
        FAIL(LUN_MISUSE, "the starts have shape (%s); one axis is needed, with one start more than there are rows",
             array_shape_text(shape, sizeof shape, starts));
    if (columns->ndim != 1)
        FAIL(LUN_MISUSE, "the columns have shape (%s); one axis is needed",
             array_shape_text(shape, sizeof shape, columns));
    *out = (csr_matrix){starts, columns, starts->size - 1, columns->size, width, first};
    return LUN_OK;
}

/* ---- what is known ------------------------------------------------------------------------------------------------- */

/* A fact about starts or columns: their number, their bound, and for starts the known properties. */
enum { SAME = 4, WITHIN = 4, LENGTHS = 5 };
#define UNKNOWN (-1)

static block_fact fact_of(const csr_matrix *m, const lun_array *array, int64_t lengths)
{
    const bool starts = array == m->starts;
    return (block_fact){.found_by = starts ? "csr starts" : "csr columns",
                        .of = {array->offset, array->stride[0], (int64_t)array->size, m->first,
                               (int64_t)(starts ? m->entries : m->width), lengths}};
}

/* The known facts; columns within a narrower range are also within this one. */
static const block_fact *known(const csr_matrix *m, const lun_array *array)
{
    const block_fact fact = fact_of(m, array, UNKNOWN), *own = block_known(array->block, fact.found_by);
    const bool same = own && memcmp(own->of, fact.of, SAME * sizeof *fact.of) == 0;
    const int64_t found = same ? own->of[WITHIN] : 0, wanted = fact.of[WITHIN];
    return same && (array == m->starts ? found == wanted : found <= wanted) ? own : NULL;
}

static bool is_known(const csr_matrix *m, const lun_array *array) { return array->size == 0 || known(m, array); }

bool csr_is_known(const csr_matrix *m) { return is_known(m, m->starts) && is_known(m, m->columns); }

static int64_t lengths_of(const csr_matrix *m)
{
    const block_fact *own = known(m, m->starts);
    return own ? own->of[LENGTHS] : UNKNOWN;
}

bool csr_knows_lengths(const csr_matrix *m) { return lengths_of(m) != UNKNOWN; }

bool csr_is_within(const csr_matrix *m, int length) { return !(lengths_of(m) & length); }

size_t csr_known_width(const csr_matrix *m)
{
    const block_fact *own = m->columns->size ? known(m, m->columns) : NULL;
    return own ? (size_t)own->of[WITHIN] : m->width;
}

static void note(const csr_matrix *m, const lun_array *array, int64_t lengths)
{
    const block_fact fact = fact_of(m, array, lengths);
    if (array->size)
        block_note(array->block, &fact);
}

static void note_both(const csr_matrix *m, int64_t lengths)
{
    note(m, m->starts, lengths);
    note(m, m->columns, lengths);
}

void csr_note(const csr_matrix *m) { note_both(m, UNKNOWN); }

/* ---- the look ------------------------------------------------------------------------------------------------------ */

static void say_fault(char *text, size_t room, const lun_verdict *found, int64_t limit)
{
    const long long place = found->position / CSR_FAULTS + 1, value = found->value, beside = found->beside;
    switch (found->position % CSR_FAULTS) {
    case CSR_FIRST:
        snprintf(text, room, "the first start is %lld; %lld is needed", value, beside);
        break;
    case CSR_LAST:
        snprintf(text, room, "the last start is %lld; %lld is needed, one more than there are columns", value, beside);
        break;
    case CSR_DESCEND:
        snprintf(text, room, "start %lld at position %lld is less than the one before, %lld", value, place, beside);
        break;
    default:
        snprintf(text, room, "column %lld at position %lld is out of range %lld..%lld", value, place, beside,
                 beside + (long long)limit - 1);
    }
}

static lun_status plan_look(plan *p, const lun_array *told, const csr_matrix *m, lun_error *err)
{
    const lun_device *device = p->op->device;
    const csr_shape s = {.starts = m->starts->offset,
                         .columns = m->columns->offset,
                         .first = m->first,
                         .rows = (cl_long)m->rows,
                         .entries = (cl_long)m->entries,
                         .width = (cl_long)m->width};
    TRY(plan_array_fill(p, told, (cl_ulong2){{0}}, err));
    TRY(plan_verdict(p, say_fault, (int64_t)m->width, err));
    return plan_spread(p, &(program_key){.file = "csr_check", .dtype = m->starts->dtype}, "csr_check",
                       m->rows + m->entries + 1, csr_tuned(device)->check,
                       ARGS(ARG_BLOCK(told->block), ARG_VALUE(&s), ARG_BLOCK(m->starts->block),
                            ARG_BLOCK(m->columns->block), ARG_VERDICT(p->op)),
                       err);
}

/* The kernels' arrays are dense. */
static lun_status look(const lun_array *told, const csr_matrix *m, const lun_call *call, lun_error *err)
{
    csr_matrix dense = *m;
    lun_array starts, columns;
    PLANNED(op, p, told->device, "sparse", call);
    TRY(operation_touches(&op, ARRAYS(m->starts, m->columns), ARRAYS(told), err));
    operation_weigh(&op, (double)(m->rows + m->entries));
    TRY(csr_dense(&dense.starts, &starts, &p, m->starts, m->starts->dtype, err));
    TRY(csr_dense(&dense.columns, &columns, &p, m->columns, m->columns->dtype, err));
    TRY(plan_look(&p, told, &dense, err));
    return operation_run(&op, &p, err);
}

lun_status csr_check(bool *more, csr_checking *state, lun_request *r, const csr_matrix *m, lun_error *err)
{
    const lun_call quiet = request_quiet(r);
    if (!state->enqueued) {
        TRY(request_array(&state->told, r, LUN_i32, 0, NULL, err));
        TRY(look(state->told, m, &quiet, err));
        state->enqueued = true;
    }
    TRY(request_receive(more, &state->found, r, state->told, 0, err));
    if (!*more) {
        note_both(m, state->found);
        state->done = true;
    }
    return LUN_OK;
}
