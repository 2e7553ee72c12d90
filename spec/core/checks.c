/* Core without Lua, as a host in C would use it: prints one line for each step; spec/base/core_spec.lua reads them. */
#include "steps.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static lun_number integer(int64_t value) { return (lun_number){.is_integer = true, .integer = value}; }
static lun_number real(double value) { return (lun_number){.real = value}; }

/* A new f32 array with those elements. */
static void make(lun_array *out, lun_device *device, int ndim, const size_t *shape, const float *data)
{
    lun_staging *staging;
    MUST(lun_array_create(out, device, LUN_f32, ndim, shape, &err));
    MUST(lun_staging_create(&staging, device, lun_array_bytes(out), &err));
    memcpy(staging->data, data, staging->bytes);
    MUST(lun_array_write(out, staging, NULL, &err));
    lun_staging_release(staging); /* the transfer holds it */
}

/* Host memory that is too long or too short for an array. */
static void wrong_lengths(lun_device *device, const lun_array *array)
{
    lun_staging *staging;
    MUST(lun_staging_create(&staging, device, 3, &err));
    refused(lun_array_write(array, staging, NULL, &err));
    refused(lun_array_read_async(staging, array, NULL, &err));
    lun_staging_release(staging);
}

/* Two bodies for one step, in the parts that a host lets interrupts in between. */
static void gravity(lun_device *device)
{
    lun_array pos = {0}, vel = {0}, energy = {0};
    lun_nbody *run;
    bool more;
    const lun_gravity_options options = {.dt = 0.5, .G = 1, .steps = 1, .softening = 0};
    make(&pos, device, 2, (size_t[]){2, 4}, (float[]){0, 0, 0, 0, 2, 0, 0, 4});
    make(&vel, device, 2, (size_t[]){2, 4}, (float[8]){0});
    MUST(lun_nbody_start(&run, &pos, &vel, &options, NULL, &err));
    refused(lun_nbody_finish(run, NULL, &err));
    do
        MUST(lun_nbody_advance(&more, run, &err));
    while (more);
    MUST(lun_nbody_finish(run, NULL, &err));
    lun_nbody_free(run);
    float data[8];
    MUST(lun_array_read(data, &pos, NULL, &err));
    printf("moved %.3f and %.3f\n", (double)data[0], (double)data[4] - 2);
    MUST(lun_array_create(&energy, device, LUN_f32, 1, (size_t[]){3}, &err));
    refused(lun_energy(&energy, &pos, &vel, &options, NULL, &err));
    lun_array_clear(&pos);
    lun_array_clear(&vel);
    lun_array_clear(&energy);
}

static void operations(lun_device *device)
{
    lun_array a = {0}, b = {0}, c = {0}, view = {0}, sum = {0};
    lun_reduction over_rows = {.op = LUN_REDUCE_sum, .axis = {true}};
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    make(&a, device, 2, (size_t[]){2, 3}, (float[]){1, 2, 3, 4, 5, 6});
    MUST(lun_array_create(&b, device, LUN_f32, 2, (size_t[]){3, 2}, &err));
    MUST(lun_transpose(&b, &a, (int[]){1, 0}, NULL, &err));
    print("transpose", &b);
    MUST(lun_matmul_result(&ndim, shape, &a, &b, &err));
    MUST(lun_array_create(&c, device, LUN_f32, ndim, shape, &err));
    MUST(lun_matmul(&c, &a, &b, integer(1), integer(0), NULL, &err));
    print("matmul", &c);
    MUST(lun_reduce_result(&dtype, &ndim, shape, &a, &over_rows, false, &err));
    MUST(lun_array_create(&sum, device, dtype, ndim, shape, &err));
    MUST(lun_reduce(&sum, &a, &over_rows, NULL, &err));
    print("sum", &sum);
    const lun_slice slices[] = {{.from = 1, .step = 1, .count = 1, .drop = true}, {.from = 2, .step = -1, .count = 3}};
    printf("shared: %d", lun_array_is_shared(&a));
    MUST(lun_array_slice(&view, &a, slices, &err));
    printf(", with a view %d and %d", lun_array_is_shared(&a), lun_array_is_shared(&view));
    lun_array_clear(&a); /* the view keeps the memory */
    printf(", alone again %d, cleared %d\n", lun_array_is_shared(&view), lun_array_is_shared(&a));
    print("slice", &view);
    MUST(lun_array_fill(&view, real(0.5), NULL, &err));
    print("fill", &view);
    refused(lun_matmul(&c, &c, &b, integer(1), integer(0), NULL, &err));
    refused(lun_array_fill(&a, integer(1), NULL, &err));
    refused(lun_array_read(NULL, &a, NULL, &err));
    refused(lun_transpose(&c, &b, (int[]){1, 1}, NULL, &err));
    wrong_lengths(device, &c);
    lun_array_clear(&b);
    lun_array_clear(&b);
    lun_array_clear(&c);
    lun_array_clear(&view);
    lun_array_clear(&sum);
}

static void events(lun_device *device)
{
    lun_array a = {0};
    lun_event event = {0};
    lun_profile profile;
    lun_mapping mapping;
    bool done;
    size_t position;
    MUST(lun_array_create(&a, device, LUN_i32, 1, (size_t[]){1000}, &err));
    MUST(lun_array_sequence(&a, integer(5), integer(2), &(lun_call){.event = &event}, &err));
    MUST(lun_event_wait_any(&position, (const lun_event *[]){&event}, 1, -1, &err));
    MUST(lun_event_wait(&done, &event, 0, &err));
    MUST(lun_event_profile(&profile, &event, &err));
    printf("event %s: %s, position %zu, %s\n", event.op, done ? "done" : "not done", position,
           profile.started <= profile.ended ? "in order" : "out of order");
    MUST(lun_mapping_open(&mapping, &a, LUN_READ, &err));
    refused(lun_array_fill(&a, integer(1), NULL, &err));
    printf("mapped: %d\n", *(int32_t *)lun_mapping_element(&mapping, 999));
    MUST(lun_mapping_close(&mapping, &err));
    lun_event_clear(&event);
    lun_event_clear(&event);
    lun_array_clear(&a);
}

/* A queue's place is taken while somebody holds it; an operation on a released one is refused. */
static void queues(lun_device *device)
{
    lun_queue *all[16], *another;
    lun_array a = {0};
    lun_event event = {0};
    bool done;
    MUST(lun_array_create(&a, device, LUN_i32, 1, (size_t[]){3}, &err));
    for (int i = 0; i < 16; i++)
        MUST(lun_queue_create(&all[i], device, true, &err));
    refused(lun_queue_create(&another, device, true, &err));
    MUST(lun_array_fill(&a, integer(7), &(lun_call){.queue = all[3]}, &err));
    MUST(lun_event_of_queue(&event, all[3], &err));
    MUST(lun_event_wait(&done, &event, -1, &err));
    MUST(lun_queue_finish(&done, all[3], -1, &err));
    printf("queue: %s of %s, %d in flight\n", done ? "done" : "not done", event.op, (int)lun_queue_pending(all[3]));
    lun_event_clear(&event);
    for (int i = 0; i < 16; i++)
        lun_queue_release(all[i]);
    refused(lun_array_fill(&a, integer(1), &(lun_call){.queue = all[3]}, &err));
    MUST(lun_queue_create(&another, device, true, &err));
    lun_queue_release(another);
    lun_array_clear(&a);
}

/* A kernel of the host's own; it lives on when its program is released. */
static lun_kernel *kernel(lun_device *device)
{
    static const char text[] = "kernel void saxpy(float a, global const float *x, global float *y)\n"
                               "{ size_t i = get_global_id(0); y[i] += a * x[i] + BIAS; }";
    lun_program *program;
    lun_kernel *kernel;
    lun_array x = {0}, y = {0};
    const lun_define bias = {.name = "BIAS", .number = real(100)};
    const lun_source source = {.text = text, .length = sizeof text - 1, .defines = &bias, .define_count = 1};
    const lun_range range = {.dims = 1, .global = {3}};
    lun_argument args[3] = {{.array = NULL}, {.array = &x}, {.array = &y}};
    make(&x, device, 1, (size_t[]){3}, (float[]){1, 2, 3});
    make(&y, device, 1, (size_t[]){3}, (float[]){0, 0, 0});
    MUST(lun_program_create(&program, device, &source, &err));
    refused(lun_kernel_create(&kernel, program, "axpy", &err));
    MUST(lun_kernel_create(&kernel, program, "saxpy", &err));
    lun_program_release(program);
    MUST(lun_argument_set(&args[0], kernel, 0, (lun_number[]){real(2)}, &err));
    MUST(lun_kernel_run(kernel, &range, args, NULL, &err));
    print("saxpy", &y);
    args[1].array = NULL;
    refused(lun_kernel_run(kernel, &range, args, NULL, &err));
    lun_array_clear(&x);
    lun_array_clear(&y);
    return kernel;
}

static void refused_to_child(lun_status status)
{
    printf("child refused (%d): %s\n", status, strstr(err.message, "forked") ? "it was forked" : err.message);
}

/* A forked child may not touch OpenCL: it is told so instead of hanging. What it clears stays as it is for its parent,
 * whose watching of events goes on. */
static void fork_child(lun_device *device, lun_kernel *kernel)
{
    lun_array a = {0}, b = {0};
    lun_staging *staging;
    lun_event nothing = {0}, first = {0}, second = {0};
    int descriptor;
    MUST(lun_array_create(&b, device, LUN_f32, 1, (size_t[]){1 << 22}, &err));
    MUST(lun_array_fill(&b, integer(1), &(lun_call){.event = &first}, &err));
    MUST(lun_array_fill(&b, integer(2), &(lun_call){.event = &second}, &err));
    MUST(lun_event_descriptor(&descriptor, &first, &err));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        refused_to_child(lun_array_create(&a, device, LUN_f32, 1, (size_t[]){3}, &err));
        refused_to_child(lun_event_descriptor(&descriptor, &second, &err));
        refused_to_child(lun_staging_create(&staging, device, 3, &err));
        printf("child's event: %s\n", lun_event_status(&second) == LUN_EVENT_FAILED ? "failed" : "not failed");
        lun_device_trim(device);
        lun_event_clear(&first);
        lun_event_clear(&second);
        lun_array_clear(&b);
        lun_kernel_release(kernel);
        lun_device_release(device);
        fflush(stdout);
        exit(0);
    }
    waitpid(child, NULL, 0);
    lun_kernel_release(kernel);
    bool readable = poll(&(struct pollfd){.fd = descriptor, .events = POLLIN}, 1, -1) == 1;
    printf("descriptor: %s\n", readable && lun_event_status(&first) == LUN_COMPLETE ? "readable" : "not readable");
    MUST(lun_event_descriptor(&descriptor, &nothing, &err));
    printf("of nothing: %d\n", poll(&(struct pollfd){.fd = descriptor, .events = POLLIN}, 1, 0));
    lun_event_clear(&nothing);
    lun_event_clear(&first);
    lun_event_clear(&second);
    lun_array_clear(&b);
}

/* Elements by mask, with counts that are and are not its own; and views whose elements are at several positions. */
static void choosing(lun_device *device)
{
    lun_array a = {0}, mask = {0}, counts = {0}, few = {0}, out = {0}, index = {0};
    const lun_values one = {.number = lun_integer(1)};
    make(&a, device, 1, (size_t[]){3}, (float[]){7, 8, 9});
    MUST(lun_array_create(&mask, device, LUN_u8, 1, (size_t[]){3}, &err));
    MUST(lun_array_fill(&mask, lun_integer(1), NULL, &err));
    MUST(lun_array_create(&index, device, LUN_i32, 1, (size_t[]){3}, &err));
    MUST(lun_array_fill(&index, lun_integer(2), NULL, &err));
    MUST(lun_array_create(&few, device, LUN_i64, 1, (size_t[]){1}, &err));
    MUST(lun_array_create(&counts, device, LUN_i64, 1, (size_t[]){lun_mask_counts(&mask)}, &err));
    MUST(lun_array_create(&out, device, LUN_f32, 1, (size_t[]){3}, &err));
    refused(lun_mask_count(&few, &mask, NULL, &err));
    MUST(lun_mask_count(&counts, &mask, NULL, &err));
    refused(lun_mask(&out, &a, &mask, &few, NULL, &err));
    refused(lun_nonzero(&out, &mask, &counts, NULL, &err));
    MUST(lun_mask(&out, &a, &mask, &counts, NULL, &err));
    print("mask", &out);
    out.stride[0] = 0;
    refused(lun_mask(&out, &a, &mask, &counts, NULL, &err));
    refused(lun_take(&out, &a, &index, LUN_FLATTENED, NULL, &err));
    refused(lun_put(&out, &index, &one, NULL, &err));
    refused(lun_mask_put(&out, &mask, &one, NULL, &err));
    lun_array *const all[] = {&a, &mask, &counts, &few, &out, &index};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        lun_array_clear(all[i]);
}

/* A device without double precision, for want of a real one. */
static void without_f64(lun_device *device)
{
    lun_array a = {0};
    lun_device_info *info = (lun_device_info *)lun_device_info_get(device);
    bool fp64 = info->fp64;
    info->fp64 = false;
    strcpy(info->name, "a device");
    refused(lun_array_create(&a, device, LUN_f64, 1, (size_t[]){3}, &err));
    printf("cleared: %s\n", lun_array_is_live(&a) ? "no" : "yes");
    info->fp64 = fp64;
}

/* Tensors that no array holds; strides that go backwards; and one without strides. */
static void tensors(void)
{
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    float elements[] = {1, 2, 3, 4, 5, 6}, copy[6];
    int64_t sizes[LUN_MAX_AXES + 1] = {2, 3}, strides[] = {-3, 1};
    lun_dlpack t = {.data = elements, .device_type = 1, .ndim = 2, .code = 2, .bits = 32, .lanes = 1, .shape = sizes};
    refused(lun_dlpack_layout(&dtype, &ndim, shape, NULL, &err));
    refused(lun_dlpack_layout(&dtype, &ndim, shape, (lun_dlpack *)((char *)&t + 1), &err));
    for (int i = 0; i < 5; i++) {
        lun_dlpack bad = t;
        i == 0   ? bad.ndim = -1
        : i == 1 ? bad.ndim = LUN_MAX_AXES + 1
        : i == 2 ? bad.device_type = 2
        : i == 3 ? bad.lanes = 4
                 : (sizes[1] = -1);
        refused(lun_dlpack_layout(&dtype, &ndim, shape, &bad, &err));
    }
    sizes[1] = 3;
    MUST(lun_dlpack_layout(&dtype, &ndim, shape, &t, &err));
    lun_dlpack_copy(copy, &t);
    printf("tensor %s %zux%zu: %g %g", lun_dtype_name(dtype), shape[0], shape[1], copy[0], copy[5]);
    t.strides = strides;
    t.byte_offset = 3 * sizeof(float);
    lun_dlpack_copy(copy, &t);
    printf(", backwards %g %g %g %g\n", copy[0], copy[2], copy[3], copy[5]);
}

int main(void)
{
    lun_system *system;
    lun_device *device;
    bool done;
    MUST(lun_system_open(&system, &err));
    refused(lun_system_select(&device, system, "nosuchdevice", &err) == LUN_NO_DEVICE ? LUN_NO_DEVICE : LUN_OK);
    MUST(lun_system_select(&device, system, NULL, &err));
    lun_device_retain(device);
    lun_system_close(system); /* the device lives on */
    operations(device);
    gravity(device);
    choosing(device);
    events(device);
    queues(device);
    MUST(lun_device_finish(&done, device, -1, &err));
    fork_child(device, kernel(device));
    without_f64(device);
    tensors();
    printf("live: %llu\n", (unsigned long long)lun_device_memory(device).live);
    lun_device_release(device);
    return 0;
}
