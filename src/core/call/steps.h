/* Compositions (call/compose.h) whose steps are rows of operation.def that wait. Their results are known only after
 * they have run, so such a composition is only called to run: repeatedly from its start, until none of its steps waits.
 * The results of steps are kept, so that each step runs once.
 *
 *     static lun_status rows(composing *s, lun_error *err)
 *     {
 *         lun_array *sums = NULL;
 *         STEP(&sums, s, ARRAY, "cumsum", OF(s->r->arguments[0].array));
 *         return step_give(s, 0, sums, err);
 *     }
 *     STEPPED(rows, steps_bind_one)
 *
 * The second function declares the results, whose shapes are set later. */
#pragma once

#include "call/compose.h"

/* An argument; an option of that name; or a name in an expression. */
typedef struct step_value {
    const char *name; /* NULL: an argument */
    lun_value value;
} step_value;

#define OF(an_array) ((step_value){.value = {.kind = LUN_VALUE_ARRAY, .array = (an_array)}})
#define NUMBER(a_number) ((step_value){.value = {.kind = LUN_VALUE_NUMBER, .number = (a_number)}})
#define WHOLE(integer) NUMBER(lun_integer((int64_t)(integer)))
#define TEXT(a_text) ((step_value){.value = {.kind = LUN_VALUE_TEXT, .text = (a_text)}})
#define TRUE ((step_value){.value = {.kind = LUN_VALUE_BOOLEAN, .truth = true}})
#define LIST(...)                                                                                                      \
    ((step_value){                                                                                                     \
        .value = {.kind = LUN_VALUE_LIST,                                                                              \
                  .list = {.items = (lun_value[]){__VA_ARGS__}, .count = COUNT(((lun_value[]){__VA_ARGS__}))}}})
#define DTYPE(dtype) TEXT(lun_dtype_name(dtype))
#define NAMED(called, step_value_) ((step_value){called, (step_value_).value})
#define VALUES(...) (const step_value[]){__VA_ARGS__}, COUNT(((const step_value[]){__VA_ARGS__}))

/* The results of a row; returns from the operation if the row waits or fails. */
#define STEP(outs, s, owner, row, ...) TRY(step_call(outs, s, LUN_OF_##owner, row, VALUES(__VA_ARGS__), err))
lun_status step_call(lun_array **outs, composing *s, lun_owner owner, const char *row, const step_value *values,
                     size_t count, lun_error *err);
/* The same for a row that gives a sparse matrix, which lives as long as the request. */
lun_status step_matrix(lun_sparse **out, composing *s, lun_owner owner, const char *row, const step_value *values,
                       size_t count, lun_error *err);
/* The same for a row that gives a number. */
#define STEP_NUMBER(out, s, row, ...) TRY(step_number(out, s, row, VALUES(__VA_ARGS__), err))
lun_status step_number(lun_number *out, composing *s, const char *row, const step_value *values, size_t count,
                       lun_error *err);
/* An expression of arrays and numbers, which it calls by the names of the values. */
#define STEP_MAP(out, s, dtype, text, ...) TRY(step_map(out, s, dtype, text, VALUES(__VA_ARGS__), err))
lun_status step_map(lun_array **out, composing *s, lun_dtype dtype, const char *text, const step_value *values,
                    size_t count, lun_error *err);
/* Elements of an array of one axis: a view. */
lun_status step_slice(lun_array **out, composing *s, lun_array *array, int64_t from, int64_t step, size_t count,
                      lun_error *err);
/* The array itself, if it has the dtype. */
lun_status step_cast(lun_array **out, composing *s, lun_array *array, lun_dtype dtype, lun_error *err);
/* An array with one axis, filled with a number, */
lun_status step_full(lun_array **out, composing *s, lun_dtype dtype, size_t count, lun_number value, lun_error *err);
/* or `count` whole numbers from that one on. */
lun_status step_range(lun_array **out, composing *s, lun_dtype dtype, int64_t from, int64_t step, size_t count,
                      lun_error *err);
/* An array of whole numbers in host memory, as i64; */
lun_status step_receive(int64_t **out, composing *s, lun_array *array, lun_error *err);
/* and back. The numbers live as long as the request. */
lun_status step_send(lun_array **out, composing *s, const int64_t *numbers, size_t count, lun_error *err);
/* A list of whole numbers, as an array. */
lun_status step_positions(lun_array **out, composing *s, const lun_list *list, lun_error *err);
/* An element of an array of one axis, as a whole number. */
lun_status step_element(int64_t *out, composing *s, const lun_array *array, size_t position, lun_error *err);
/* The same for an array with at most one axis, in rows with their own stages: waits, a slice at each call. */
lun_status request_receive(bool *more, int64_t *out, const lun_request *r, const lun_array *array, size_t position,
                           lun_error *err);

/* Result i is that array: a view of it. */
lun_status step_give(composing *s, size_t i, const lun_array *array, lun_error *err);
/* Declares that many results, of which nothing is known before the operation has run. */
lun_status steps_bind(lun_request *r, size_t results, lun_error *err);
lun_status steps_bind_one(lun_request *r, lun_error *err);

lun_status steps_run(bool *more, lun_request *r, lun_array *const *out, compose_word word, lun_error *err);

/* Defines <name>_functions of the operation `name`. */
#define STEPPED(name, bind)                                                                                            \
    static lun_status run_##name(bool *more, lun_request *r, lun_array *const *out, lun_error *err)                    \
    {                                                                                                                  \
        return steps_run(more, r, out, name, err);                                                                     \
    }                                                                                                                  \
    const request_functions name##_functions = {bind, run_##name};
