"""numexpr as a peer: elementwise expressions, with as many threads as the machine has cores."""
import worker

try:
    import numexpr as ne
    import numpy as np
except ImportError as problem:
    worker.missing(problem)

EXPRESSIONS = {"map_add": "a + b", "map_exp": "exp(a)", "map_fused": "a * b + sin(b)", "map_where": "where(m, a, b)"}
HEAT = "c + k * (n + s + w + e - 4 * c)"


def prepare(_, operation, dtype, numbers):
    if operation not in EXPRESSIONS and operation != "map_heat":
        raise worker.Refused("no such expression")
    a, b = worker.array(dtype, numbers), worker.array(dtype, numbers, worker.SECOND)
    out = np.zeros_like(a)
    if operation == "map_heat":
        names = {"c": a[1:-1, 1:-1], "n": a[:-2, 1:-1], "s": a[2:, 1:-1], "w": a[1:-1, :-2], "e": a[1:-1, 2:],
                 "k": np.float32(0.1)}
        inner = out[1:-1, 1:-1]
        return worker.Job(lambda: ne.evaluate(HEAT, names, out=inner, casting="unsafe"), lambda: out.reshape(-1))
    names = {"a": a, "b": b, "m": a < b}
    return worker.Job(lambda: ne.evaluate(EXPRESSIONS[operation], names, out=out), lambda: out.reshape(-1))


worker.serve(f"numexpr {ne.__version__}, {ne.nthreads} threads", prepare)
