"""CUDA's libraries on the GPU as peers: cub (through CuPy), cupy, torch, cublas (through torch), a plain CUDA n-body."""
import os
from functools import partial

import worker

os.environ.setdefault("CUPY_ACCELERATORS", "cub")
try:
    import numpy as np
    import torch
    from cupy.cuda import cub
except ImportError as problem:
    worker.missing(problem)
if not torch.cuda.is_available():
    worker.missing("a CUDA device")

TORCH = {"f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "i8": torch.int8, "u8": torch.uint8,
         "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
         # torch moves them as the signed ones, which is the same work
         "u16": torch.int16, "u32": torch.int32, "u64": torch.int64}
SIGNED = {"u16": np.int16, "u32": np.int32, "u64": np.int64}
CUBLAS = ("f16", "f32", "f64")

torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
# One stream for both libraries, so that one wait is enough.
STREAM = cp.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)
STREAM.use()


def device_array(name, shape, shift=0):
    """The same numbers as worker.array, repeated on the device."""
    values = np.roll(worker.block(name), -shift)
    block = torch.from_numpy(values.view(SIGNED.get(name, values.dtype))).cuda()
    count = int(np.prod(shape, dtype=np.int64))
    out = torch.empty(count, dtype=TORCH[name], device="cuda")
    whole = count // worker.BLOCK * worker.BLOCK
    out[:whole].view(-1, worker.BLOCK).copy_(block.expand(whole // worker.BLOCK, -1))
    out[whole:] = block[:count - whole]
    return out.view(*shape)


class DeviceResult:
    """A flat result that is fetched in parts: whole ones may be gigabytes."""

    def __init__(self, tensor):
        self.tensor = tensor.reshape(-1)

    def __getitem__(self, part):
        return self.tensor[part].cpu().numpy()


def job(call, result):
    return worker.Job(call, lambda: DeviceResult(result()), torch.cuda.synchronize)


def torch_reduction(method, x, axis, wide):
    where = {"dtype": torch.float32} if wide else {}
    if not axis:
        return getattr(x, method), where
    return partial(getattr(torch, method if method == "sum" else "a" + method), x), {"dim": axis - 1, **where}


def cupy_reduction(peer, method, x, axis, wide):
    """CuPy leaves a part of its reductions to CUB's for the whole device: some dtypes, whole arrays and trailing axes."""
    y = cp.asarray(x)
    where = {"axis": axis - 1 if axis else None, **({"dtype": np.float32} if wide else {})}
    if peer == "cub" and cub.cub_reduction(y, getattr(cub, "CUPY_CUB_" + method.upper()), **where) is None:
        raise worker.Refused("CuPy does not leave this to CUB")
    return getattr(y, method), where


def reduction(peer, operation, dtype, numbers):
    axis, shape = numbers[0], numbers[1:]
    x = device_array(dtype, shape)
    method = operation.removeprefix("call")
    wait = operation != method
    wide = dtype == "f16" and method == "sum"
    if peer == "torch":
        bound, where = torch_reduction(method, x, axis, wide)
    else:
        bound, where = cupy_reduction(peer, method, x, axis, wide)
    # A result made before, but for torch's whole reductions, which take none, and for CUB's, which CuPy would copy there.
    if not wait and (axis if peer == "torch" else peer != "cub"):
        where["out"] = bound(**where)
    last = [None]

    def call():
        last[0] = bound(**where)
        if wait:
            last[0].item()
    return job(call, lambda: torch.as_tensor(last[0], device="cuda"))


def running(peer, _, dtype, numbers):
    """Running sums. CuPy leaves those of a whole row to CUB."""
    axis, shape = numbers[0], numbers[1:]
    x = device_array(dtype, shape)
    if peer == "torch":
        out = torch.cumsum(x, axis - 1)
        return job(lambda: torch.cumsum(x, axis - 1, out=out), lambda: out)
    if len(shape) != 1:
        raise worker.Refused("single rows only")
    y = cp.asarray(x)
    result = cp.cumsum(y)
    return job(lambda: cp.cumsum(y, out=result), lambda: torch.as_tensor(result, device="cuda"))


def transposition(_, __, dtype, numbers):
    axes = len(numbers) // 2
    x = device_array(dtype, numbers[axes:])
    view = x.permute(*[axis - 1 for axis in numbers[:axes]])
    out = torch.empty(view.shape, dtype=view.dtype, device="cuda")
    return job(lambda: out.copy_(view), lambda: out)


def copy(_, __, dtype, numbers):
    x = device_array(dtype, numbers)
    out = torch.zeros_like(x)
    return job(lambda: out.copy_(x), lambda: out)


def fill(_, __, dtype, numbers):
    out = torch.zeros(numbers, dtype=TORCH[dtype], device="cuda")
    return job(lambda: out.fill_(1), lambda: out)


def transfer(_, operation, dtype, numbers):
    """Between the device and pinned memory of the host."""
    there = device_array(dtype, numbers)
    here = there.cpu().pin_memory()
    if operation == "upload":
        return job(lambda: there.copy_(here, non_blocking=True), lambda: there)
    return job(lambda: here.copy_(there, non_blocking=True), lambda: here)


def cupy_product(dtype, numbers):
    """CuPy's own kernel, for dtypes that cuBLAS lacks."""
    batch, m, n, k, ta, tb = numbers
    a = cp.asarray(device_array(dtype, (k, m) if ta else (m, k)))
    b = cp.asarray(device_array(dtype, (n, k) if tb else (k, n), worker.SECOND))
    a, b = (a.T if ta else a), (b.T if tb else b)
    if batch != 1:
        raise worker.Refused("single products only")
    out = cp.matmul(a, b)
    return job(lambda: cp.matmul(a, b, out=out), lambda: torch.as_tensor(out, device="cuda"))


def product(peer, _, dtype, numbers):
    if peer == "cupy":
        return cupy_product(dtype, numbers)
    if dtype not in CUBLAS:
        raise worker.Refused("not in cuBLAS")
    batch, m, n, k, ta, tb = numbers
    a = device_array(dtype, (batch, k, m) if ta else (batch, m, k))
    b = device_array(dtype, (batch, n, k) if tb else (batch, k, n), worker.SECOND)
    a, b = (a.transpose(1, 2) if ta else a), (b.transpose(1, 2) if tb else b)
    out = torch.empty(batch, m, n, dtype=TORCH[dtype], device="cuda")
    multiply, x, y, z = torch.bmm, a, b, out
    if batch == 1:
        multiply, x, y, z = torch.mm, a[0], b[0], out[0]
    if batch == 1 and n == 1:
        multiply, y, z = torch.mv, y[:, 0], z[:, 0]
    return job(lambda: multiply(x, y, out=z), lambda: out)


# Each group of threads keeps a tile of bodies in shared memory, which all its threads go through together.
NBODY = r"""
#define GROUP 256
extern "C" __global__ void __launch_bounds__(GROUP)
accelerations(const VEC *__restrict__ body, VEC *__restrict__ out, long count, REAL softening2)
{
    __shared__ VEC tile[GROUP];
    long mine = (long)blockIdx.x * GROUP + threadIdx.x;
    VEC at = mine < count ? body[mine] : VEC();
    REAL x = 0, y = 0, z = 0;
    for (long first = 0; first < count; first += GROUP) {
        long other = first + threadIdx.x;
        tile[threadIdx.x] = other < count ? body[other] : VEC();
        __syncthreads();
#pragma unroll 16
        for (int j = 0; j < GROUP; j++) {
            REAL dx = tile[j].x - at.x, dy = tile[j].y - at.y, dz = tile[j].z - at.z;
            REAL inverse = RSQRT(dx * dx + (dy * dy + (dz * dz + softening2)));
            REAL pull = tile[j].w * inverse * (inverse * inverse);
            x += dx * pull;
            y += dy * pull;
            z += dz * pull;
        }
        __syncthreads();
    }
    if (mine < count) {
        VEC a;
        a.x = x; a.y = y; a.z = z; a.w = 0;
        out[mine] = a;
    }
}
"""


def nbody(_, __, dtype, numbers):
    """One evaluation of all accelerations a call: numbers are bodies and the softening's reciprocal."""
    count, softening = numbers[0], 1 / numbers[1]
    real = {"f32": "float", "f64": "double"}.get(dtype)
    if not real:
        raise worker.Refused("f32 and f64 only")
    options = (f"-DREAL={real}", f"-DVEC={real}4", f"-DRSQRT={'rsqrtf' if dtype == 'f32' else 'rsqrt'}")
    kernel = cp.RawKernel(NBODY, "accelerations", options=options + ("-use_fast_math",))
    body = cp.asarray(worker.block(dtype, 4 * count).reshape(count, 4))
    body[:, 3] /= count
    out = cp.empty_like(body)
    arguments = (body, out, np.int64(count), body.dtype.type(softening ** 2))
    return job(lambda: kernel(((count + 255) // 256,), (256,), arguments), lambda: torch.as_tensor(out, device="cuda"))


def transform(_, operation, dtype, numbers):
    """cuFFT as a plan of CuPy's, into a given output: torch's `out` would add a whole copy."""
    from cupyx.scipy.fft import get_fft_plan
    method = operation.split("_")[0]
    x = cp.asarray(worker.array(dtype, numbers))
    wide = cp.complex64 if dtype == "f32" else cp.complex128
    if method != "rfft":
        x = (x + 1j * cp.asarray(worker.array(dtype, numbers, worker.SECOND))).astype(wide)
    shape = numbers[:-1] + (numbers[-1] // 2 + 1,) if method == "rfft" else numbers
    out = cp.empty(shape, wide)
    plan = get_fft_plan(x, axes=None if method == "fftn" else -1, value_type="R2C" if method == "rfft" else "C2C")
    return job(lambda: plan.fft(x, out, cp.cuda.cufft.CUFFT_FORWARD), lambda: torch.as_tensor(out, device="cuda"))


def linear(_, operation, dtype, numbers):
    """torch's, which are cuSOLVER's and MAGMA's."""
    batch, n, sides = numbers
    a = device_array(dtype, (batch, n, n) if batch else (n, n))
    a = a + a.mT + torch.eye(n, dtype=a.dtype, device="cuda") * n
    b = device_array(dtype, (batch, n, 1) if batch else (n, sides))
    call = {
        "cholesky": lambda: torch.linalg.cholesky(a), "lu": lambda: torch.linalg.lu_factor(a),
        "solve": lambda: torch.linalg.solve(a, b), "inv": lambda: torch.linalg.inv(a), "qr": lambda: torch.linalg.qr(a),
    }[operation.split("_")[1]]
    return job(call, lambda: torch.zeros(1, device="cuda"))


def sorting(_, operation, dtype, numbers):
    """Stable, as ours is; torch makes values and positions together in either case."""
    x = device_array(dtype, numbers)
    last = [None]

    def call():
        last[0] = torch.sort(x, dim=-1, stable=True)
    return job(call, lambda: last[0][0 if operation == "sort" else 1])


def heat(u):
    c = u[1:-1, 1:-1]
    return c + 0.1 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * c)


def eager(operation, a, b, out, wide):
    """torch, one kernel after the other."""
    mask = a < b if operation == "map_where" else None
    inner = out[1:-1, 1:-1] if operation == "map_heat" else None
    return {
        "map_add": lambda: torch.add(a, b, out=out), "map_exp": lambda: torch.exp(a, out=out),
        "map_fused": lambda: torch.add(a * b, torch.sin(b), out=out),
        "map_where": lambda: torch.where(mask, a, b, out=out),
        "map_row": lambda: torch.add(a, b[0], out=out), "map_column": lambda: torch.add(a, b[:, :1], out=out),
        "map_transposed": lambda: torch.add(a, b.t(), out=out), "map_strided": lambda: torch.add(wide, 1, out=out),
        "map_heat": lambda: inner.copy_(heat(a)),
    }[operation]


def compiled(operation, a, b, out):
    """torch.compile, where an expression has several steps."""
    if operation == "map_fused":
        return torch.compile(lambda x, y, z: z.copy_(x * y + torch.sin(y))), (a, b, out)
    if operation == "map_heat":
        return torch.compile(lambda x, z: z[1:-1, 1:-1].copy_(heat(x))), (a, out)
    raise worker.Refused("one step")


CUPY = {"map_add": ("float32 a, float32 b", "out = a + b"), "map_exp": ("float32 a, float32 b", "out = exp(a)"),
        "map_fused": ("float32 a, float32 b", "out = a * b + sin(b)")}


def elementwise(peer, operation, dtype, numbers):
    a, b = device_array(dtype, numbers), device_array(dtype, numbers, worker.SECOND)
    out = torch.zeros_like(a)
    wide = torch.repeat_interleave(a, 2, dim=-1)[:, ::2] if operation == "map_strided" else None
    if peer == "torch":
        call = eager(operation, a, b, out, wide)
    elif peer == "compiled":
        function, arguments = compiled(operation, a, b, out)
        call = partial(function, *arguments)
    elif operation in CUPY:
        kernel = cp.ElementwiseKernel(CUPY[operation][0], "float32 out", CUPY[operation][1], "peer")
        call = partial(kernel, cp.asarray(a), cp.asarray(b), cp.asarray(out))
    else:
        raise worker.Refused("no such expression")
    return job(call, lambda: out)


def folded(peer, operation, dtype, numbers):
    axis, shape = numbers[0] - 1 if numbers[0] else None, numbers[1:]
    a = device_array(dtype, shape)
    x, library = (a, torch) if peer == "torch" else (cp.asarray(a), cp)
    y = x + 0 if operation == "fold_dot" else None
    where = {} if axis is None else {("dim" if peer == "torch" else "axis"): axis}
    biased = {"correction": 0} if peer == "torch" else {}
    call = {
        "fold_argmax": lambda: library.argmax(x, **where), "fold_var": lambda: library.var(x, **where, **biased),
        "fold_norm": lambda: library.linalg.norm(x), "fold_dot": lambda: library.dot(x, y),
        "fold_meanvar": lambda: torch.var_mean(x) if peer == "torch" else (x.mean(), x.var()),
    }[operation]
    return job(call, lambda: torch.zeros(1, device="cuda"))


OPERATIONS = {"sum": reduction, "min": reduction, "max": reduction, "callsum": reduction, "callmin": reduction,
              "callmax": reduction, "transpose": transposition, "copy": copy, "cumsum": running, "fill": fill, "upload": transfer,
              "download": transfer, "matmul": product, "nbody": nbody, "sort": sorting,
              "argsort": sorting, "fft_cupy": transform, "rfft_cupy": transform, "fftn_cupy": transform}
OPERATIONS.update({"linalg_" + method: linear for method in ("cholesky", "lu", "solve", "inv", "qr")})


def prepare(peer, operation, dtype, numbers):
    torch.cuda.empty_cache()
    if operation.startswith("map_"):
        return elementwise(peer, operation, dtype, numbers)
    if operation.startswith("fold_"):
        return folded(peer, operation, dtype, numbers)
    if operation not in OPERATIONS:
        raise worker.Refused("no such operation")
    return OPERATIONS[operation](peer, operation, dtype, numbers)


worker.serve(f"{torch.cuda.get_device_name(0)}: CuPy {cp.__version__}, PyTorch {torch.__version__}, "
             f"CUDA {torch.version.cuda}", prepare)
