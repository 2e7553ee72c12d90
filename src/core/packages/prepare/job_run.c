/* Running jobs: their steps are read, and called as a host's user would call them. */
#include "call/interface.h"
#include "packages/prepare/job.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \n"
#define MOST_WORD 31
#define MOST_VALUES 24

typedef struct job_row {
    const char *names, *sizes, *steps;
} job_row;

static const job_row rows[] = {
#define INPUT(...)
#define JOB(names, sizes, steps) {names, sizes, steps},
#include "packages/prepare/job.def"
#undef INPUT
#undef JOB
};

static const struct {
    const char *name, *steps;
} inputs[] = {
#define INPUT(name, steps) {name, steps},
#define JOB(...)
#include "packages/prepare/job.def"
#undef INPUT
#undef JOB
};

typedef struct job_value {
    char name[MOST_WORD + 1];
    bool is_sparse;
    lun_array array, parts[3];
    lun_sparse sparse;
} job_value;

typedef struct job {
    lun_device *device;
    const lun_manner *manner;
    const char *name; /* of the job */
    lun_dtype dtype;
    long n;
    lun_rng stream;
    size_t count;
    job_value values[MOST_VALUES];
} job;

/* ---- names -------------------------------------------------------------------------------------------------------- */

/* The next word of a text: its length is 0 at the end. */
static const char *next_word(size_t *length, const char *at)
{
    at += strspn(at, BLANKS);
    *length = strcspn(at, BLANKS);
    return at;
}

static const job_row *find(char *out, size_t room, size_t position)
{
    size_t length;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (const char *at = next_word(&length, rows[i].names); length; at = next_word(&length, at + length))
            if (!position--) {
                snprintf(out, room, "%.*s", (int)length, at);
                return &rows[i];
            }
    return NULL;
}

bool job_name(char *out, size_t room, size_t position) { return find(out, room, position); }

bool job_known(const char *name)
{
    char each[MOST_WORD + 1];
    for (size_t i = 0; job_name(each, sizeof each, i); i++)
        if (strcmp(each, name) == 0)
            return true;
    return false;
}

/* ---- waiting ------------------------------------------------------------------------------------------------------- */

/* No garbage is collected here, and nobody interrupts. False: the call has succeeded or failed, as *status says. */
static bool goes_on(lun_status *status, lun_attempt *t, lun_error *err)
{
    lun_step step;
    do
        step = lun_attempt_next(t);
    while (step == LUN_STEP_COLLECT || step == LUN_STEP_INTERRUPTS);
    *status = step == LUN_STEP_RAISE ? t->err.status : LUN_OK;
    if (step == LUN_STEP_RAISE)
        *err = t->err;
    return step == LUN_STEP_CALL;
}

static lun_status finish(lun_device *device, lun_error *err)
{
    lun_attempt t;
    lun_status status;
    bool done = false;
    for (lun_attempt_start(&t, device); goes_on(&status, &t, err); t.more = !done)
        t.status = lun_device_finish(&done, device, LUN_SLICE, &t.err);
    return status;
}

/* ---- values -------------------------------------------------------------------------------------------------------- */

static lun_status take_steps(job *j, const char *steps, lun_error *err);

static job_value *value_of(job *j, const char *name)
{
    for (size_t i = 0; i < j->count; i++)
        if (strcmp(j->values[i].name, name) == 0)
            return &j->values[i];
    return NULL;
}

static void clear_value(job_value *value)
{
    lun_sparse_forget(&value->sparse);
    lun_array_clear(&value->array);
    for (size_t i = 0; i < COUNT(value->parts); i++)
        lun_array_clear(&value->parts[i]);
}

static void clear_values(job *j)
{
    for (size_t i = 0; i < j->count; i++)
        clear_value(&j->values[i]);
    memset(j->values, 0, sizeof j->values);
    j->count = 0;
}

/* The value of that name, which an input's steps make when it is first asked for; NULL: the word is not a name. */
static lun_status find_value(job_value **out, job *j, const char *word, lun_error *err)
{
    *out = value_of(j, word);
    for (size_t i = 0; !*out && i < COUNT(inputs); i++)
        if (strcmp(inputs[i].name, word) == 0) {
            TRY(take_steps(j, inputs[i].steps, err));
            *out = value_of(j, word);
        }
    return LUN_OK;
}

/* n, n/10, 3 or 0.5; false for what is none. */
static bool read_number(lun_number *out, const job *j, const char *word)
{
    char *end;
    if (*word == 'n' && (!word[1] || word[1] == '/')) {
        *out = lun_integer(word[1] ? j->n / atol(word + 2) : j->n);
        return true;
    }
    if (!isdigit((unsigned char)*word))
        return false;
    const double number = strtod(word, &end);
    *out = strchr(word, '.') ? lun_real(number) : lun_integer((int64_t)number);
    return !*end;
}

static lun_status read_value(lun_value *out, lun_request *r, job *j, const char *word, lun_error *err);

static lun_status read_list(lun_value *out, lun_request *r, job *j, char *words, lun_error *err)
{
    size_t count = 1, i = 0;
    for (const char *at = words; *at; at++)
        count += *at == ',';
    lun_value *items = lun_request_list(r, count);
    if (!items)
        FAIL(LUN_NO_MEMORY, "out of memory");
    out->kind = LUN_VALUE_LIST;
    out->list = (lun_list){.items = items, .count = count};
    for (char *at = words, *end; i < count; at = end + 1) {
        end = at + strcspn(at, ",");
        *end = '\0';
        TRY(read_value(&items[i++], r, j, at, err));
    }
    return LUN_OK;
}

static lun_status read_value(lun_value *out, lun_request *r, job *j, const char *word, lun_error *err)
{
    job_value *value;
    char *text = lun_request_memory(r, strlen(word) + 1);
    if (!text)
        FAIL(LUN_NO_MEMORY, "out of memory");
    strcpy(text, word);
    if (*text == '/') {
        out->kind = LUN_VALUE_LIST;
        out->list = (lun_list){.items = lun_request_list(r, 1), .count = 1};
        return out->list.items ? read_list(out->list.items, r, j, text + 1, err) : LUN_NO_MEMORY;
    }
    if (strchr(text, ','))
        return read_list(out, r, j, text, err);
    out->kind = LUN_VALUE_NUMBER;
    if (read_number(&out->number, j, text))
        return LUN_OK;
    TRY(find_value(&value, j, text, err));
    if (value && value->is_sparse) {
        out->kind = LUN_VALUE_SPARSE, out->sparse = &value->sparse;
    } else if (value) {
        out->kind = LUN_VALUE_ARRAY, out->array = &value->array;
    } else {
        out->kind = LUN_VALUE_TEXT, out->text = text;
        if (strcmp(text, "D") == 0 || (strcmp(text, "O") == 0 && !lun_device_info_get(j->device)->fp64))
            out->text = lun_dtype_name(j->dtype);
        else if (strcmp(text, "O") == 0)
            out->text = lun_dtype_name(j->dtype == LUN_f32 ? LUN_f64 : LUN_f32);
    }
    return LUN_OK;
}

/* ---- steps --------------------------------------------------------------------------------------------------------- */

/* Copies the next word; $ is the job's name. False at the end of the step. */
static bool read_word(char *out, const char **at, const job *j)
{
    size_t length;
    const char *word = next_word(&length, *at);
    length = smaller(length, strcspn(word, ";"));
    *at = word + length;
    if (length == 1 && *word == '$')
        snprintf(out, MOST_WORD + 1, "%s", j->name);
    else
        snprintf(out, MOST_WORD + 1, "%.*s", (int)length, word);
    return length > 0;
}

/* Whose operation it is shows in its first argument. */
static const lun_operation *find_operation(const char *name, const lun_value *first)
{
    static const lun_owner others[] = {LUN_OF_MODULE, LUN_OF_DEVICE, LUN_OF_STREAM};
    const lun_operation *row = NULL;
    if (first->kind == LUN_VALUE_ARRAY)
        row = lun_operation_find(LUN_OF_ARRAY, name);
    else if (first->kind == LUN_VALUE_SPARSE)
        row = lun_operation_find(LUN_OF_SPARSE, name);
    for (size_t i = 0; !row && i < COUNT(others); i++)
        row = lun_operation_find(others[i], name);
    return row ? row : lun_operation_find(LUN_OF_ARRAY, name); /* of a number and an array */
}

/* Reads what is behind the operation's name, and binds the request. `r` is one of an operation without a row until then. */
static lun_status read_request(lun_request *r, job *j, const char *name, const char *at, lun_error *err)
{
    char word[MOST_WORD + 1];
    const char *behind = at;
    lun_value first = {0}, value = {0};
    TRY(read_word(word, &behind, j) ? read_value(&first, r, j, word, err) : LUN_OK);
    const lun_operation *row = find_operation(name, &first);
    if (!row || !lun_operation_is_called(row))
        FAIL(LUN_MISUSE, "there is no operation %s", name);
    lun_request_clear(r);
    lun_request_init(r, row, j->manner);
    r->device = j->device;
    r->stream = row->owner == LUN_OF_STREAM ? &j->stream : NULL;
    size_t i = row->owner == LUN_OF_ARRAY || row->owner == LUN_OF_SPARSE ? 0 : 1; /* the owner's own place */
    while (read_word(word, &at, j)) {
        char *equals = strchr(word, '=');
        memset(&value, 0, sizeof value);
        TRY(read_value(&value, r, j, equals ? equals + 1 : word, err));
        if (equals) {
            *equals = '\0';
            TRY(lun_request_option(r, word, &value, err));
        } else if (i <= LUN_ARGUMENTS) {
            const lun_operand *operand = row->arguments + (i ? i - 1 : 0);
            value.list.spread =
                value.kind == LUN_VALUE_LIST && i && operand->name && operand->spread && !operand->shares;
            r->arguments[i++] = value;
        }
    }
    return lun_request_bind(r, err);
}

/* Runs a request that is bound; the first result goes to *kept. */
static lun_status run_request(job_value *kept, lun_request *r, lun_error *err)
{
    const size_t count = r->result_count ? r->result_count : 1;
    lun_array **outs = lun_request_memory(r, count * sizeof(lun_array *)), *rest = calloc(count, sizeof *rest);
    lun_status status = LUN_OK;
    lun_attempt t;
    if (!outs || !rest)
        FAIL_DONE(LUN_NO_MEMORY, "out of memory");
    kept->is_sparse = r->sparse;
    for (size_t i = 0; i < count; i++) {
        const lun_result *result = !r->views && i < r->result_count ? &r->results[i] : NULL;
        if (result && result->given)
            outs[i] = result->given;
        else if (result && result->numbers > 0 && !r->sparse)
            outs[i] = NULL;
        else
            outs[i] = r->sparse ? &kept->parts[i] : i ? &rest[i] : &kept->array;
    }
    for (lun_request_attempt(&t, r); goes_on(&status, &t, err); r->wish = LUN_WISH_NOTHING)
        t.status = lun_request_run(&t.more, r, outs, &t.err);
    if (r->sparse)
        kept->sparse = (lun_sparse){&kept->parts[0], &kept->parts[1], &kept->parts[2],
                                    r->matrix.rows,  r->matrix.width, {NULL, NULL}};
done:
    for (size_t i = 0; rest && i < count; i++)
        lun_array_clear(&rest[i]);
    free(rest);
    return status;
}

/* Takes one step, which ends at a ; or at the end of the text. */
static lun_status take_step(job *j, const char *step, lun_error *err)
{
    char name[MOST_WORD + 1], word[MOST_WORD + 1];
    job_value unnamed = {0}, *kept = &unnamed;
    lun_request r = {0};
    const char *at = step, *behind;
    if (!read_word(name, &at, j))
        return LUN_OK;
    behind = at;
    *word = '\0';
    const bool keeps = read_word(word, &behind, j) && strcmp(word, "=") == 0;
    if (keeps) {
        at = behind;
        snprintf(unnamed.name, sizeof unnamed.name, "%s", name);
        read_word(name, &at, j);
    }
    lun_status status = read_request(&r, j, name, at, err);
    if (status == LUN_OK && keeps) {
        if (j->count == MOST_VALUES)
            status = fail(err, LUN_MISUSE, "a job keeps %d values at most", MOST_VALUES);
        else
            *(kept = &j->values[j->count++]) = unnamed;
    }
    if (status == LUN_OK)
        status = run_request(kept, &r, err);
    if (kept == &unnamed)
        clear_value(&unnamed);
    lun_request_clear(&r);
    return status;
}

static lun_status take_steps(job *j, const char *steps, lun_error *err)
{
    for (const char *at = steps; *at; at += *at == ';') {
        TRY(take_step(j, at, err));
        at += strcspn(at, ";");
    }
    return LUN_OK;
}

lun_status job_run(lun_device *device, const lun_manner *manner, size_t position, lun_dtype dtype, lun_error *err)
{
    char name[MOST_WORD + 1];
    size_t length;
    const job_row *row = find(name, sizeof name, position);
    FREED job *j = calloc(1, sizeof *j);
    if (!row || !j)
        FAIL(LUN_NO_MEMORY, "out of memory");
    *j = (job){.device = device, .manner = manner, .name = name, .dtype = dtype, .stream = {.seed = 1}};
    for (const char *at = next_word(&length, row->sizes); length; at = next_word(&length, at + length)) {
        j->n = atol(at);
        const lun_status status = take_steps(j, row->steps, err);
        clear_values(j);
        TRY(status);
    }
    return finish(device, err);
}
