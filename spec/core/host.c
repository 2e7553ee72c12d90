/* The smallest host: makes a matrix, multiplies it by itself, sums the product. It compiles as C and as C++. */
#include "lunarray.h"

#include <stdio.h>
#include <stdlib.h>

/* Nothing is collected here, and nothing interrupts. */
static bool goes_on(lun_attempt *t)
{
    for (;;) {
        lun_step step = lun_attempt_next(t);
        if (step == LUN_STEP_RAISE) {
            printf("host: %s\n", t->err.message);
            exit(1);
        }
        if (step == LUN_STEP_CALL || step == LUN_STEP_DONE)
            return step == LUN_STEP_CALL;
    }
}

#define TRY(call)                                                                                                      \
    for (lun_attempt_enqueue(&t, device, NULL); goes_on(&t);)                                                          \
    t.status = (call)

int main(int count, char **arguments)
{
    static lun_array a, b;
    static const float data[] = {1, 2, 3, 4};
    const size_t shape[] = {2, 2}, wrong[] = {4};
    static lun_reduction whole;
    lun_attempt t;
    lun_system *system;
    lun_device *device;
    lun_numbers *pending = NULL;
    lun_number sum;
    size_t sent = 0;
    whole.op = LUN_REDUCE_sum, whole.axis[0] = whole.axis[1] = true;
    if (lun_system_open(&system, &t.err) || lun_system_select(&device, system, NULL, &t.err))
        return 1;
    TRY(lun_array_create(&a, device, LUN_f32, 2, shape, &t.err));
    TRY(lun_array_create(&b, device, LUN_f32, count > 1 ? 1 : 2, arguments[1] ? wrong : shape, &t.err));
    TRY(lun_array_send(&t.more, &sent, &a, data, NULL, &t.err));
    TRY(lun_matmul(&b, &a, &a, lun_integer(1), lun_integer(0), NULL, &t.err));
    TRY(lun_reduce_numbers(&t.more, &sum, &pending, &b, &whole, &whole.op, 1, NULL, &t.err));
    printf("sum: %g\n", sum.real);
    lun_array_clear(&a);
    lun_array_clear(&b);
    lun_system_close(system);
    return 0;
}
