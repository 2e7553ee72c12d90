"""NumPy as a peer: reduce, transpose, copy, matmul, random numbers, sort."""
import os

import worker

try:
    import formulas
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


def transform(operation, dtype, numbers):
    """fft, rfft or fftn of NumPy, SciPy, FFTW (planned for half a second) or MKL, with all the threads that the peer has."""
    method, library = operation.split("_")
    x = worker.array(dtype, numbers)
    if method != "rfft":
        x = (x + 1j * worker.array(dtype, numbers, worker.SECOND)).astype("c8" if dtype == "f32" else "c16")
    threads = len(os.sched_getaffinity(0))
    try:
        if library == "numpy":
            run = getattr(np.fft, method)
        elif library == "scipy":
            import scipy.fft
            run = lambda x: getattr(scipy.fft, method)(x, workers=threads)
        elif library == "mkl":
            import mkl_fft
            run = getattr(mkl_fft, method)
        else:
            import pyfftw
            made = x.shape[:-1] + (x.shape[-1] // 2 + 1,) if method == "rfft" else x.shape
            source = pyfftw.empty_aligned(x.shape, x.dtype)
            out = pyfftw.empty_aligned(made, np.result_type(x.dtype, "c8"))
            plan = pyfftw.FFTW(source, out, axes=range(x.ndim) if method == "fftn" else (-1,), threads=threads,
                               flags=("FFTW_MEASURE",), planning_timelimit=0.5)
            source[...] = x  # planning writes there
            run = plan
    except ImportError as problem:
        raise worker.Refused(str(problem))
    last = [None]

    def call():
        last[0] = run() if library == "fftw" else run(x)
    return worker.Job(call, lambda: flat(last[0]))


def matrices(dtype, numbers):
    """A symmetric, positive definite matrix, or a batch of them, and right sides, as ours have them."""
    batch, n, sides = numbers
    a = worker.array(dtype, (batch, n, n) if batch else (n, n))
    a = a + np.swapaxes(a, -1, -2) + np.eye(n, dtype=a.dtype) * a.dtype.type(n)
    return a, worker.array(dtype, (batch, n, 1) if batch else (n, sides), worker.SECOND)


def linear(operation, dtype, numbers):
    """SciPy's LAPACK for one matrix, NumPy's for batches; inputs are kept, as ours are."""
    try:
        import scipy.linalg as sl
    except ImportError as problem:
        raise worker.Refused(str(problem))
    a, b = matrices(dtype, numbers)
    call = {
        "cholesky": lambda: sl.cholesky(a, lower=True, check_finite=False),
        "lu": lambda: sl.lu_factor(a, check_finite=False),
        "solve": lambda: np.linalg.solve(a, b), "inv": lambda: np.linalg.inv(a),
        "qr": lambda: sl.qr(a, mode="economic", check_finite=False),
    }[operation.split("_")[1]]
    return worker.Job(call, lambda: np.zeros(1))


def selection(operation, dtype, numbers):
    x = worker.array(dtype, numbers)
    call = {
        "median": lambda: np.median(x, axis=-1), "topk": lambda: np.argpartition(x, -100, axis=-1)[..., -100:],
        "histogram": lambda: np.histogram(x, 100, (-1, 1))[0],
    }[operation]
    return worker.Job(call, lambda: flat(np.asarray(call(), np.float32)))


def random(operation, dtype, numbers):
    generator = np.random.default_rng(1)
    out = np.zeros(numbers, worker.numpy_dtype(dtype))
    if operation == "dice":
        last = [out]

        def call():
            last[0] = generator.integers(1, 7, numbers, out.dtype)
        return worker.Job(call, lambda: last[0])
    if operation in ("poisson", "binomial"):
        last = [out]

        def counts():
            last[0] = generator.poisson(30, numbers) if operation == "poisson" else generator.binomial(100, 0.4, numbers)
        return worker.Job(counts, lambda: last[0])
    draw = {"uniform": generator.random, "normal": generator.standard_normal,
            "exponential": generator.standard_exponential}[operation]
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


def of_complex(operation, dtype, numbers):
    part = "f32" if dtype == "c64" else "f64"
    a, b = operands(part, numbers)
    z, w = a + 1j * b, b + 1j * a
    out = {"abs": a, "matmul": z @ w if len(numbers) == 2 else z}.get(operation.removeprefix("complex_"), z).copy()
    last = [out]

    def total():
        last[0] = np.sum(z, keepdims=True)
    call = {
        "complex_add": lambda: np.add(z, w, out=out), "complex_mul": lambda: np.multiply(z, w, out=out),
        "complex_div": lambda: np.divide(z, w, out=out), "complex_abs": lambda: np.abs(z, out=out),
        "complex_exp": lambda: np.exp(z, out=out), "complex_sum": total,
        "complex_matmul": lambda: np.matmul(z, w, out=out),
    }[operation]
    return worker.Job(call, lambda: flat(last[0]))


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


def small(operation, dtype, numbers):
    """Calls of small arrays whose results are dropped, or read at one place."""
    if operation == "small_product":
        a, b = operands(dtype, numbers * 2)
        c = np.empty_like(a)
        return worker.Job(lambda: float(np.matmul(a, b, out=c)[0, 0]), lambda: flat(c))
    a, b = operands(dtype, numbers)
    out, last = np.zeros_like(a), [a]

    def slope(y):
        return 3 * y * (1 - y)

    def step(y, h=0.01):
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        k4 = slope(y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def go_on():
        last[0] = step(last[0])
    call, result = {
        "small_add": (lambda: a + b, lambda: a + b), "small_fused": (lambda: a * b + 1, lambda: a * b + 1),
        "small_add_get": (lambda: float(np.add(a, b, out=out)[0]), lambda: out),
        "small_rk4": (go_on, lambda: step(a)), "small_rk4_fused": (go_on, lambda: step(a)),
    }[operation]
    return worker.Job(call, lambda: flat(result()))


def normal_cdf(d):
    k = 1 / (1 + np.float32(formulas.BEND) * np.abs(d))
    total = np.float32(formulas.TERMS[4])
    for term in formulas.TERMS[3::-1]:
        total = np.float32(term) + k * total
    tail = np.float32((2 * np.pi) ** -0.5) * np.exp(np.float32(-0.5) * d * d) * k * total
    return np.where(d > 0, 1 - tail, tail)


def options(_, dtype, numbers):
    s, k, t = formulas.contracts(*numbers)
    out = np.zeros_like(s)

    def call():
        spread = np.float32(formulas.VOLATILITY) * np.sqrt(t)
        d1 = (np.log(s / k) + np.float32(formulas.RATE + 0.5 * formulas.VOLATILITY ** 2) * t) / spread
        np.subtract(s * normal_cdf(d1), k * np.exp(np.float32(-formulas.RATE) * t) * normal_cdf(d1 - spread), out=out)
    return worker.Job(call, lambda: out)


def mandelbrot(_, dtype, numbers):
    side, steps = numbers
    cx, cy = formulas.plane(side)
    last = [None]

    def call():
        x, y, n = (np.zeros((side, side), np.float32) for _ in range(3))
        with np.errstate(all="ignore"):
            for _ in range(steps):
                x2, y2 = x * x, y * y
                n += x2 + y2 <= 4
                y = 2 * x * y + cy
                x = x2 - y2 + cx
        last[0] = n
    return worker.Job(call, lambda: flat(last[0]))


def entries(pattern, n):
    """Rows and columns, from 0, as bench/operations/sparse.lua has them."""
    each = {"band": 9, "random": 16, "power": 8}[pattern]
    e = np.arange(1, each * n + 1, dtype=np.int64)
    far = e * 2654435761 % 4294967296 % n
    if pattern == "band":
        return (e - 1) // 9, np.clip((e - 1) // 9 + (e - 1) % 9 - 4, 0, n - 1)
    if pattern == "random":
        return (e - 1) // 16, far
    return np.concatenate([(e - 1) // 128 * 16, np.zeros(n, np.int64)]), np.concatenate([far, np.arange(n)])


def sparse(operation, dtype, numbers):
    """SciPy's sparse matrices; conjugate gradients with as many threads as NumPy has."""
    try:
        import scipy.sparse as sp
        from scipy.sparse.linalg import cg
    except ImportError as problem:
        raise worker.Refused(str(problem))
    number, n = worker.numpy_dtype(dtype), numbers[0]

    def triplets(pattern, size):
        rows, cols = entries(pattern, size)
        return (np.arange(1, len(rows) + 1) % 8 + 1).astype(number), (rows, cols)

    def poisson(side):
        line = sp.diags([np.full(side - 1, -1.0), np.full(side, 2.0), np.full(side - 1, -1.0)], (-1, 0, 1))
        return (sp.kron(line, sp.eye(side)) + sp.kron(sp.eye(side), line)).tocsr().astype(number)
    word = operation.removeprefix("sparse_")
    if word.startswith("spmv_"):
        a, x = sp.coo_matrix(triplets(word[5:], n), (n, n)).tocsr(), (np.arange(1, n + 1) % 16).astype(number)
        return worker.Job(lambda: a @ x, lambda: np.zeros(1))
    if word == "build":
        given = triplets("random", n // 16)
        return worker.Job(lambda: sp.coo_matrix(given, (n // 16, n // 16)).tocsr(), lambda: np.zeros(1))
    if word == "square":
        a = poisson(n)
        return worker.Job(lambda: a @ a, lambda: np.zeros(1))
    if word == "pagerank":
        _, (rows, cols) = triplets("random", 1000000 // 16)
        a = sp.coo_matrix((np.full(len(rows), 0.1, number), ((rows + 1) * 8 % n, (cols + 1) * 8 % n)), (n, n)).tocsr()
        x = [np.full(n, 1 / n, number)]

        def step():
            x[0] = 0.85 * (a @ x[0]) + 0.15 / n
        return worker.Job(step, lambda: np.zeros(1))
    a, b = poisson(n), np.ones(n * n, number)
    return worker.Job(lambda: cg(a, b, rtol=1e-8), lambda: np.zeros(1))


OPERATIONS = {"formula_options": options, "formula_mandelbrot": mandelbrot, "sum": reduction, "min": reduction, "max": reduction, "transpose": transposition, "copy": copy, "cumsum": running,
              "fill": fill, "matmul": product, "uniform": random, "normal": random, "dice": random,
              "exponential": random, "poisson": random, "binomial": random, "median": selection, "topk": selection,
              "histogram": selection,
              "sort": sorting, "argsort": sorting}
OPERATIONS.update({"linalg_" + method: linear for method in ("cholesky", "lu", "solve", "inv", "qr")})
OPERATIONS.update({method + "_" + library: transform for method in ("fft", "rfft", "fftn")
                   for library in ("numpy", "scipy", "fftw", "mkl")})


def prepare(_, operation, dtype, numbers):
    if operation.startswith("map_"):
        return elementwise(operation, dtype, numbers)
    if operation.startswith("small_"):
        return small(operation, dtype, numbers)
    if operation.startswith("complex_"):
        return of_complex(operation, dtype, numbers)
    if operation.startswith("fold_"):
        return folded(operation, dtype, numbers)
    if operation.startswith("sparse_"):
        return sparse(operation, dtype, numbers)
    base = operation.removeprefix("call")
    if base not in OPERATIONS:
        raise worker.Refused("no such operation")
    return OPERATIONS[base](base, dtype, numbers)


worker.serve(f"NumPy {np.__version__}", prepare)
