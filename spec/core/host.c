/* A small host: one function calls any operation of the table by its name. It compiles as C and as C++. */
#include "lunarray.h"
#include <stdio.h>
#include <stdlib.h>

static void leave(const char *name, const lun_error *err)
{
    printf("host: %s %s\n", name, err->message);
    exit(1);
}

/* Nothing is collected here, and nothing interrupts. */
static bool goes_on(lun_attempt *t)
{
    lun_step step = lun_attempt_next(t);
    while (step == LUN_STEP_COLLECT || step == LUN_STEP_INTERRUPTS)
        step = lun_attempt_next(t);
    if (step == LUN_STEP_RAISE)
        leave("", &t->err);
    return step == LUN_STEP_CALL;
}

#define TRY(call)                                                                                                      \
    for (lun_attempt_start(&t, device); goes_on(&t);)                                                                  \
    t.status = (call)

/* out = a:name(value), or a:name{option = value} where an option is named. */
static void call(lun_array *out, const char *name, lun_array *a, const char *option, const lun_value *value)
{
    static lun_request r;
    lun_attempt t;
    lun_request_init(&r, lun_operation_find(LUN_OF_ARRAY, name), NULL);
    r.arguments[0].kind = LUN_VALUE_ARRAY, r.arguments[0].array = a;
    if (value && !option)
        r.arguments[1] = *value;
    if ((option && lun_request_option(&r, option, value, &t.err)) || lun_request_bind(&r, &t.err))
        leave(name, &t.err);
    for (lun_request_attempt(&t, &r); goes_on(&t);)
        t.status = lun_request_run(&t.more, &r, &out, &t.err);
    lun_request_clear(&r);
}

static void print(const char *title, const lun_array *a, lun_device *device)
{
    lun_attempt t;
    float data[4];
    size_t received = 0;
    TRY(lun_array_receive(&t.more, &received, data, a, NULL, &t.err));
    printf("%s:", title);
    for (size_t i = 0; i < a->size; i++)
        printf(" %g%s", data[i], i + 1 < a->size ? "" : "\n");
}

int main(int count, char **arguments)
{
    static lun_array made[5], *a = &made[4];
    static const float data[] = {2, 1, 4, 3};
    static const size_t shape[] = {2, 2};
    static const lun_slice last[] = {{1, 1, 1, true}, {0, 1, 2, false}};
    lun_value axis, other;
    lun_attempt t;
    lun_system *system;
    lun_device *device;
    size_t sent = 0;
    axis.kind = LUN_VALUE_NUMBER, axis.number = lun_integer(count > 1 ? atoi(arguments[1]) : 0);
    other.kind = LUN_VALUE_ARRAY, other.array = a;
    if (lun_system_open(&system, &t.err) || lun_system_select(&device, system, NULL, &t.err))
        return 1;
    TRY(lun_array_create(a, device, LUN_f32, 2, shape, &t.err));
    TRY(lun_array_send(&t.more, &sent, a, data, NULL, &t.err));
    call(&made[0], "sort", a, NULL, NULL), print("sort", &made[0], device);
    TRY(lun_array_slice(&made[1], a, last, &t.err));
    print("slice", &made[1], device);
    call(&made[2], "matmul", a, NULL, &other), print("matmul", &made[2], device);
    call(&made[3], "sum", &made[2], "axis", &axis), print("sum", &made[3], device);
    for (size_t i = 0; i < 5; i++)
        lun_array_clear(&made[i]);
    lun_system_close(system);
    return 0;
}
