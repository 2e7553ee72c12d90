/* CLBlast on the same OpenCL device: a peer of matmul and of plain transposition. The argument is part of the device's name.
 * prepare clblast matmul f32|f64 <batch> <m> <n> <k> <a stored transposed> <b stored transposed>
 * prepare clblast transpose f32|f64 2 1 <rows> <columns> */
#define CL_TARGET_OPENCL_VERSION 120
#include "worker.h"

#include <clblast_c.h>

static cl_context context;
static cl_command_queue queue;
static cl_mem a, b, c;
static size_t result_bytes;
static void *result;
static request shape;

static void require(cl_int status)
{
    if (status != CL_SUCCESS) {
        printf("no OpenCL error %d\n", status);
        exit(1);
    }
}

void peer_drop(void)
{
    cl_mem *buffers[] = {&a, &b, &c};
    for (int i = 0; i < 3; i++) {
        if (*buffers[i] != NULL)
            clReleaseMemObject(*buffers[i]);
        *buffers[i] = NULL;
    }
    free(result);
    result = NULL;
}

static void multiply(void)
{
    size_t m = (size_t)shape.number[1], n = (size_t)shape.number[2], k = (size_t)shape.number[3];
    CLBlastTranspose ta = shape.number[4] ? CLBlastTransposeYes : CLBlastTransposeNo;
    CLBlastTranspose tb = shape.number[5] ? CLBlastTransposeYes : CLBlastTransposeNo;
    size_t lda = shape.number[4] ? m : k, ldb = shape.number[5] ? k : n;
    if (strcmp(shape.dtype, "f32") == 0)
        require(
            CLBlastSgemm(CLBlastLayoutRowMajor, ta, tb, m, n, k, 1, a, 0, lda, b, 0, ldb, 0, c, 0, n, &queue, NULL));
    else
        require(
            CLBlastDgemm(CLBlastLayoutRowMajor, ta, tb, m, n, k, 1, a, 0, lda, b, 0, ldb, 0, c, 0, n, &queue, NULL));
}

static void transpose(void)
{
    size_t m = (size_t)shape.number[2], n = (size_t)shape.number[3];
    if (strcmp(shape.dtype, "f32") == 0)
        require(CLBlastSomatcopy(CLBlastLayoutRowMajor, CLBlastTransposeYes, m, n, 1, a, 0, n, c, 0, m, &queue, NULL));
    else
        require(CLBlastDomatcopy(CLBlastLayoutRowMajor, CLBlastTransposeYes, m, n, 1, a, 0, n, c, 0, m, &queue, NULL));
}

static void finish(void) { require(clFinish(queue)); }

/* The result is fetched once, after the first run: later ones give the same. */
static void first_run(void (*call)(void))
{
    call();
    finish();
    require(clEnqueueReadBuffer(queue, c, CL_TRUE, 0, result_bytes, result, 0, NULL, NULL));
}

static cl_mem upload(size_t count, size_t shift)
{
    cl_int status;
    void *data = block_array(shape.dtype, count, shift);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, count * dtype_bytes(shape.dtype), data, &status);
    require(status);
    free(data);
    return buffer;
}

static void make_result(size_t count)
{
    cl_int status;
    result_bytes = count * dtype_bytes(shape.dtype);
    result = zero_array(shape.dtype, count);
    c = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, result_bytes, result, &status);
    require(status);
}

const char *peer_prepare(const request *wanted, job *out)
{
    peer_drop();
    shape = *wanted;
    const long *size = shape.number;
    if (wanted->dtype[0] != 'f' || dtype_bytes(wanted->dtype) < 4)
        return "f32 and f64 only";
    if (strcmp(wanted->operation, "matmul") == 0 && size[0] == 1) {
        a = upload((size_t)(size[1] * size[3]), 0);
        b = upload((size_t)(size[3] * size[2]), SECOND_SHIFT);
        make_result((size_t)(size[1] * size[2]));
        out->call = multiply;
    } else if (strcmp(wanted->operation, "transpose") == 0 && wanted->count == 4) {
        a = upload((size_t)(size[2] * size[3]), 0);
        make_result((size_t)(size[2] * size[3]));
        out->call = transpose;
    } else {
        return "single products and 2-d transposition only";
    }
    first_run(out->call);
    out->finish = finish;
    out->result = result;
    return NULL;
}

static cl_device_id find_device(const char *wanted, char *name, size_t room)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    clGetPlatformIDs(16, platforms, &count);
    for (cl_uint i = 0; i < count && i < 16; i++) {
        cl_device_id devices[16];
        cl_uint found = 0;
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 16, devices, &found);
        for (cl_uint j = 0; j < found && j < 16; j++) {
            clGetDeviceInfo(devices[j], CL_DEVICE_NAME, room, name, NULL);
            if (strstr(name, wanted) != NULL)
                return devices[j];
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    char name[256], what[512];
    cl_int status;
    cl_device_id device = find_device(argc > 1 ? argv[1] : "", name, sizeof name);
    if (device == NULL) {
        puts("missing an OpenCL device of that name");
        return 1;
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    require(status);
    queue = clCreateCommandQueue(context, device, 0, &status);
    require(status);
    snprintf(what, sizeof what, "CLBlast on %s", name);
    return worker_serve(what);
}
