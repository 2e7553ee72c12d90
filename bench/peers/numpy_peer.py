"""NumPy as a peer: reduce, transpose, copy, matmul, sort."""
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


OPERATIONS = {"sum": reduction, "min": reduction, "max": reduction, "transpose": transposition, "copy": copy,
              "fill": fill, "matmul": product, "sort": sorting, "argsort": sorting}


def prepare(_, operation, dtype, numbers):
    base = operation.removeprefix("call")
    if base not in OPERATIONS:
        raise worker.Refused("no such operation")
    return OPERATIONS[base](base, dtype, numbers)


worker.serve(f"NumPy {np.__version__}", prepare)
