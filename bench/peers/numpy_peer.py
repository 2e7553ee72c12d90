"""NumPy as a peer: reduce, transpose, copy, matmul, random numbers, sort."""
import worker

try:
    import numpy as np
except ImportError as problem:
    worker.missing(problem)


def flat(array):
    return np.ascontiguousarray(array).reshape(-1)


def reduction(operation, dtype, numbers):
    axis, shape = numbers[0], numbers[1:]
    x = worker.array(dtype, shape)
    method = getattr(x, operation)
    where = {"axis": axis - 1 if axis else None}
    if dtype == "f16" and operation == "sum":
        where["dtype"] = np.float32
    last = [method(**where)]
    if axis:
        where["out"] = last[0]

    def call():
        last[0] = method(**where)
    return worker.Job(call, lambda: flat(last[0]))


def running(_, dtype, numbers):
    axis, shape = numbers[0], numbers[1:]
    x = worker.array(dtype, shape)
    out = np.cumsum(x, axis=axis - 1)
    return worker.Job(lambda: np.cumsum(x, axis=axis - 1, out=out), lambda: flat(out))


def transposition(_, dtype, numbers):
    axes = len(numbers) // 2
    x = worker.array(dtype, numbers[axes:])
    view = x.transpose([axis - 1 for axis in numbers[:axes]])
    out = np.empty(view.shape, view.dtype)
    return worker.Job(lambda: np.copyto(out, view), lambda: flat(out))


def copy(_, dtype, numbers):
    x = worker.array(dtype, numbers)
    out = np.zeros_like(x)
    return worker.Job(lambda: np.copyto(out, x), lambda: flat(out))


def fill(_, dtype, numbers):
    out = worker.array(dtype, numbers)
    return worker.Job(lambda: out.fill(1), lambda: out)


def product(_, dtype, numbers):
    batch, m, n, k, ta, tb = numbers
    if dtype == "f16" or dtype in worker.INTEGERS:
        raise worker.Refused("slow by design")
    a = worker.array(dtype, (batch, k, m) if ta else (batch, m, k))
    b = worker.array(dtype, (batch, n, k) if tb else (batch, k, n), worker.SECOND)
    a, b = (a.transpose(0, 2, 1) if ta else a), (b.transpose(0, 2, 1) if tb else b)
    if batch == 1:
        a, b = a[0], b[0]
    out = np.empty((m, n) if batch == 1 else (batch, m, n), a.dtype)
    return worker.Job(lambda: np.matmul(a, b, out=out), lambda: flat(out))


def sorting(operation, dtype, numbers):
    x = worker.array(dtype, numbers)
    last = [None]

    def call():
        last[0] = getattr(np, operation)(x, axis=-1)
    return worker.Job(call, lambda: flat(last[0]))


def random(operation, dtype, numbers):
    generator = np.random.default_rng(1)
    out = np.zeros(numbers, worker.numpy_dtype(dtype))
    if operation == "dice":
        last = [out]

        def call():
            last[0] = generator.integers(1, 7, numbers, out.dtype)
        return worker.Job(call, lambda: last[0])
    draw = generator.random if operation == "uniform" else generator.standard_normal
    return worker.Job(lambda: draw(out=out, dtype=out.dtype), lambda: out)


def operands(dtype, numbers):
    return worker.array(dtype, numbers), worker.array(dtype, numbers, worker.SECOND)


def heat(a, out):
    c = a[1:-1, 1:-1]
    out[1:-1, 1:-1] = c + np.float32(0.1) * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] - 4 * c)


def elementwise(operation, dtype, numbers):
    a, b = operands(dtype, numbers)
    out = np.zeros_like(a)
    wide = np.repeat(a, 2, axis=-1) if operation == "map_strided" else None
    call = {
        "map_add": lambda: np.add(a, b, out=out), "map_exp": lambda: np.exp(a, out=out),
        "map_fused": lambda: np.add(a * b, np.sin(b), out=out),
        "map_where": lambda mask=a < b: np.copyto(out, np.where(mask, a, b)),
        "map_row": lambda: np.add(a, b[0], out=out), "map_column": lambda: np.add(a, b[:, :1], out=out),
        "map_transposed": lambda: np.add(a, b.T, out=out), "map_heat": lambda: heat(a, out),
        "map_strided": lambda: np.add(wide[:, ::2], 1, out=out),
    }[operation]
    return worker.Job(call, lambda: flat(out))


def folded(operation, dtype, numbers):
    axis, shape = numbers[0] - 1 if numbers[0] else None, numbers[1:]
    a = worker.array(dtype, shape)
    b = a.copy() if operation == "fold_dot" else None
    call = {
        "fold_argmax": lambda: np.argmax(a, axis=axis), "fold_var": lambda: np.var(a, axis=axis),
        "fold_norm": lambda: np.linalg.norm(a), "fold_dot": lambda: np.dot(a, b),
        "fold_meanvar": lambda: (np.mean(a), np.var(a)),
    }[operation]
    return worker.Job(call, lambda: flat(np.asarray(call(), np.float32)))


OPERATIONS = {"sum": reduction, "min": reduction, "max": reduction, "transpose": transposition, "copy": copy, "cumsum": running,
              "fill": fill, "matmul": product, "uniform": random, "normal": random, "dice": random,
              "sort": sorting, "argsort": sorting}


def prepare(_, operation, dtype, numbers):
    if operation.startswith("map_"):
        return elementwise(operation, dtype, numbers)
    if operation.startswith("fold_"):
        return folded(operation, dtype, numbers)
    base = operation.removeprefix("call")
    if base not in OPERATIONS:
        raise worker.Refused("no such operation")
    return OPERATIONS[base](base, dtype, numbers)


worker.serve(f"NumPy {np.__version__}", prepare)
