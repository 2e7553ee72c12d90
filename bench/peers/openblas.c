/* OpenBLAS's products, with all cores: a peer of matmul.
 * prepare openblas matmul f32|f64 <batch> <m> <n> <k> <a stored transposed> <b stored transposed> */
#include "worker.h"
#include "threads.h"

#include <cblas.h>
#include <stdatomic.h>

static request shape;
static void *a, *b, *c;
static int threads;
static atomic_long untimed, timed; /* products of a batch that nobody has taken yet */

void peer_drop(void)
{
    free(a);
    free(b);
    free(c);
    a = b = c = NULL;
}

static void product_f32(const float *x, const float *y, float *out, int m, int n, int k)
{
    int ta = (int)shape.number[4], tb = (int)shape.number[5];
    if (n == 1)
        cblas_sgemv(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, ta ? k : m, ta ? m : k, 1, x, ta ? m : k, y, 1, 0,
                    out, 1);
    else if (m == 1)
        cblas_sgemv(CblasRowMajor, tb ? CblasNoTrans : CblasTrans, tb ? n : k, tb ? k : n, 1, y, tb ? k : n, x, 1, 0,
                    out, 1);
    else
        cblas_sgemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, 1, x,
                    ta ? m : k, y, tb ? k : n, 0, out, n);
}

static void product_f64(const double *x, const double *y, double *out, int m, int n, int k)
{
    int ta = (int)shape.number[4], tb = (int)shape.number[5];
    if (n == 1)
        cblas_dgemv(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, ta ? k : m, ta ? m : k, 1, x, ta ? m : k, y, 1, 0,
                    out, 1);
    else if (m == 1)
        cblas_dgemv(CblasRowMajor, tb ? CblasNoTrans : CblasTrans, tb ? n : k, tb ? k : n, 1, y, tb ? k : n, x, 1, 0,
                    out, 1);
    else
        cblas_dgemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, 1, x,
                    ta ? m : k, y, tb ? k : n, 0, out, n);
}

static void multiply(long i)
{
    long m = shape.number[1], n = shape.number[2], k = shape.number[3];
    if (strcmp(shape.dtype, "f32") == 0)
        product_f32((float *)a + i * m * k, (float *)b + i * k * n, (float *)c + i * m * n, (int)m, (int)n, (int)k);
    else
        product_f64((double *)a + i * m * k, (double *)b + i * k * n, (double *)c + i * m * n, (int)m, (int)n, (int)k);
}

static void call(void) { multiply(0); }

static void take(atomic_long *left)
{
    for (long i = atomic_fetch_sub(left, 1); i > 0; i = atomic_fetch_sub(left, 1))
        multiply(i % shape.number[0]);
}

static void *work(void *unused)
{
    take(&untimed);
    pthread_barrier_wait(&line);
    take(&timed);
    pthread_barrier_wait(&line);
    return unused;
}

/* OpenBLAS's threads share one product, if it is large enough. In a batch as many threads take whole products. */
static double timed_batch(long calls, int warm)
{
    untimed = warm ? shape.number[0] : 0;
    timed = calls * shape.number[0];
    return timed_threads(threads, work) / (double)calls;
}

const char *peer_prepare(const request *wanted, job *out)
{
    peer_drop();
    if (strcmp(wanted->operation, "matmul") != 0 || wanted->dtype[0] != 'f' || dtype_bytes(wanted->dtype) < 4)
        return "f32 and f64 products only";
    shape = *wanted;
    size_t batch = (size_t)shape.number[0], m = (size_t)shape.number[1], n = (size_t)shape.number[2],
           k = (size_t)shape.number[3];
    a = block_array(shape.dtype, batch * m * k, 0);
    b = block_array(shape.dtype, batch * k * n, SECOND_SHIFT);
    c = zero_array(shape.dtype, batch * m * n);
    out->result = c;
    openblas_set_num_threads(batch > 1 ? 1 : threads);
    if (batch > 1) {
        out->timed = timed_batch;
    } else {
        out->call = call;
        out->quiet = 0.05; /* its threads spin for 2^26 ticks before they sleep */
    }
    return NULL;
}

int main(void)
{
    char what[256];
    threads = openblas_get_num_threads() < MAX_THREADS ? openblas_get_num_threads() : MAX_THREADS;
    snprintf(what, sizeof what, "%s, %d threads", openblas_get_config(), threads);
    return worker_serve(what);
}
