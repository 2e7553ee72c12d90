/* Rows that other hosts than Lua call. Reads of each: its name, the dtypes of a and b, a count, and so many operands a and b;
 * "cast_<dtype>" casts a, rounded, "cuts_<dtype>" as Lua's cast. Prints the results' dtype, and the results. */
#include "lunarray.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lun_device *device;

static bool goes_on(lun_attempt *t)
{
    const lun_step step = lun_attempt_next(t);
    if (step == LUN_STEP_RAISE) {
        printf("refused: %s\n", t->err.message);
        exit(1);
    }
    return step != LUN_STEP_DONE;
}

#define TRY(call)                                                                                                      \
    for (lun_attempt_start(&t, device); goes_on(&t);)                                                                  \
    t.status = (call)
#define ENQUEUE(call)                                                                                                  \
    for (lun_attempt_enqueue(&t, device, NULL); goes_on(&t);)                                                          \
    t.status = (call)

/* Each dtype by the C type of its elements. */
#define TYPES(X)                                                                                                       \
    X(i8, int8_t) X(u8, uint8_t) X(i32, int32_t) X(u32, uint32_t) X(i64, int64_t) X(u64, uint64_t) X(f32, float)       \
        X(f64, double)

static void read_number(void *out, lun_dtype dtype, const char *text)
{
#define READ(name, type)                                                                                               \
    if (dtype == LUN_##name)                                                                                           \
        *(type *)out = lun_dtype_has(dtype, LUN_WHOLE)                                                                 \
                           ? (type)(dtype == LUN_u64 ? (int64_t)strtoull(text, NULL, 10) : strtoll(text, NULL, 10))    \
                           : (type)strtod(text, NULL);
    TYPES(READ)
}

static void print_number(const void *at, lun_dtype dtype)
{
#define PRINT(name, type)                                                                                              \
    if (dtype == LUN_##name)                                                                                           \
        lun_dtype_has(dtype, LUN_WHOLE) ? dtype == LUN_u64 ? printf("%" PRIu64 "\n", (uint64_t)*(const type *)at)      \
                                                           : printf("%" PRId64 "\n", (int64_t)*(const type *)at)       \
                                        : printf("%.17g\n", (double)*(const type *)at);
    TYPES(PRINT)
}

static void computed(const char *name, const lun_dtype *dtypes, size_t count)
{
    lun_array operands[2] = {{0}}, out = {0}, *outs[] = {&out};
    lun_attempt t;
    lun_node nodes[3] = {{.kind = LUN_NODE_ARRAY}, {.kind = LUN_NODE_ARRAY, .args = {1}}, {.args = {0, 1}}};
    const unsigned result = 2;
    const lun_array *arrays[] = {&operands[0], &operands[1]};
    lun_expression e = {.name = "map", .nodes = nodes, .node_count = 3, .results = &result, .result_count = 1,
                        .arrays = arrays, .array_count = 2};
    char *data[2], text[64];
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    for (int i = 0; i < 2; i++) {
        data[i] = calloc(count, 8);
        TRY(lun_array_create(&operands[i], device, dtypes[i], 1, &count, &t.err));
    }
    for (size_t i = 0; i < 2 * count && scanf("%63s", text) == 1; i++)
        read_number(data[i % 2] + i / 2 * lun_dtype_bytes(dtypes[i % 2]), dtypes[i % 2], text);
    for (int i = 0; i < 2; i++) {
        size_t sent = 0;
        ENQUEUE(lun_array_send(&t.more, &sent, &operands[i], data[i], NULL, &t.err));
    }
    nodes[2].rounds = !strncmp(name, "cast_", 5);
    nodes[2].kind = nodes[2].rounds || !strncmp(name, "cuts_", 5) ? LUN_NODE_CAST : LUN_NODE_OP;
    if (nodes[2].kind == LUN_NODE_OP)
        TRY(lun_map_find(&nodes[2].op, name, &t.err));
    else
        TRY(lun_dtype_find(&nodes[2].dtype, name + 5, &t.err));
    TRY(lun_map_result(&dtype, &ndim, shape, &e, &t.err));
    TRY(lun_array_create(&out, device, dtype, ndim, shape, &t.err));
    ENQUEUE(lun_map((const lun_array *const *)outs, &e, NULL, &t.err));
    TRY(lun_array_read(data[0], &out, NULL, &t.err));
    printf("%s\n", lun_dtype_name(dtype));
    for (size_t i = 0; i < count; i++)
        print_number(data[0] + i * lun_dtype_bytes(dtype), dtype);
    lun_array_clear(&out), lun_array_clear(&operands[0]), lun_array_clear(&operands[1]);
    free(data[0]), free(data[1]);
}

int main(void)
{
    lun_system *system;
    lun_attempt t;
    lun_dtype dtypes[2];
    char name[32], kinds[2][8];
    size_t count;
    if (lun_system_open(&system, &t.err) || lun_system_select(&device, system, NULL, &t.err))
        return 1;
    while (scanf("%31s %7s %7s %zu", name, kinds[0], kinds[1], &count) == 4) {
        for (int i = 0; i < 2; i++)
            TRY(lun_dtype_find(&dtypes[i], kinds[i], &t.err));
        computed(name, dtypes, count);
    }
    lun_system_close(system);
    return 0;
}
