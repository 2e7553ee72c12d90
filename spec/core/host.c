/* A small host with columns first, which counts from 1: its manner says so, and core does the rest. In C and in C++. */
#include "lunarray.h"
#include <stdio.h>
#include <stdlib.h>

static const lun_manner manner = { /* first 1, reversed */
    1, true, 0, "the array", "", "'%s', %s", "%s", "[]", "pairs",
    {"nothing", "a logical", "a number", "a text", "an array", "a cell", "a queue", "a device", "a text",
     "something else"},
    NULL};

static void leave(const char *name, const lun_error *err)
{
    printf("host: %s %s\n", name, err->message);
    exit(1);
}

/* Nothing is collected here, and nothing interrupts. */
static bool goes_on(lun_attempt *t)
{
    lun_step step;
    do
        step = lun_attempt_next(t);
    while (step == LUN_STEP_COLLECT || step == LUN_STEP_INTERRUPTS);
    if (step == LUN_STEP_RAISE)
        leave("", &t->err);
    return step == LUN_STEP_CALL;
}

#define TRY(call)                                                                                                      \
    for (lun_attempt_start(&t, device); goes_on(&t);)                                                                  \
    t.status = (call)

/* out = a:name(value), or a:name{option = value} where an option is named; prints it. */
static void call(lun_array *out, const char *name, lun_array *a, const char *option, const lun_value *value)
{
    static lun_request r;
    lun_attempt t;
    lun_device *device = a->device;
    char *text = NULL;
    lun_request_init(&r, lun_operation_find(LUN_OF_ARRAY, name), &manner);
    r.arguments[0].kind = LUN_VALUE_ARRAY, r.arguments[0].array = a;
    if (value && !option)
        r.arguments[1] = *value;
    if ((option && lun_request_option(&r, option, value, &t.err)) || lun_request_bind(&r, &t.err))
        leave(name, &t.err);
    for (lun_request_attempt(&t, &r); goes_on(&t);)
        t.status = lun_request_run(&t.more, &r, &out, &t.err);
    lun_request_clear(&r);
    TRY(lun_array_summary(&t.more, &text, out, &t.err));
    printf("%s: %s\n", name, text);
    free(text);
}

int main(int count, char **arguments)
{
    static lun_array made[6], *a = &made[5];
    static const float data[] = {2, 1, 4, 3, 6, 5}; /* 2 rows, 3 columns */
    static const size_t shape[] = {3, 2};
    lun_value axis, other;
    lun_attempt t;
    lun_system *system;
    lun_device *device;
    size_t sent = 0;
    axis.kind = LUN_VALUE_NUMBER, axis.number = lun_integer(count > 1 ? atoi(arguments[1]) : 1);
    other.kind = LUN_VALUE_ARRAY, other.array = &made[1];
    if (lun_system_open(&system, &t.err) || lun_system_select(&device, system, NULL, &t.err))
        return 1;
    lun_system_speak(system, &manner);
    TRY(lun_array_create(a, device, LUN_f32, 2, shape, &t.err));
    TRY(lun_array_send(&t.more, &sent, a, data, NULL, &t.err));
    call(&made[0], "sort", a, "axis", &axis);
    call(&made[1], "t", a, NULL, NULL);
    call(&made[2], "matmul", a, NULL, &other), other.array = &made[2];
    call(&made[3], "row", a, NULL, &axis);
    call(&made[4], "sum", a, "axis", &axis);
    call(&made[0], "matmul", a, NULL, &other);
    return 0;
}
