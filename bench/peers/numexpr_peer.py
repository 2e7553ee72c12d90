"""numexpr as a peer: elementwise expressions, with as many threads as the machine has cores."""
import worker

try:
    import formulas
    import numexpr as ne
    import numpy as np
except ImportError as problem:
    worker.missing(problem)

EXPRESSIONS = {"map_add": "a + b", "map_exp": "exp(a)", "map_fused": "a * b + sin(b)", "map_where": "where(m, a, b)"}
HEAT = "c + k * (n + s + w + e - 4 * c)"


# Numbers are given as f32: those in a text are doubles, and the whole would be computed in f64.
def normal_cdf(d):
    return (f"where({d} > zero, one - {{tail}}, {{tail}})").format(
        tail=f"(scale * exp(minus_half * ({d}) * ({d})) * {{k}} * (t1 + {{k}} * (t2 + {{k}} * (t3 + {{k}} * (t4 + {{k}} * t5)))))"
        .format(k=f"(one / (one + bend * abs({d})))"))


D1 = "((log(s / k) + drift * t) / (vol * sqrt(t)))"
PRICE = f"s * {normal_cdf(D1)} - k * exp(minus_rate * t) * {normal_cdf(f'({D1} - vol * sqrt(t))')}"


def options(count):
    s, k, t = formulas.contracts(count)
    numbers = {"zero": 0, "one": 1, "minus_half": -0.5, "scale": (2 * np.pi) ** -0.5, "bend": formulas.BEND,
               "vol": formulas.VOLATILITY, "drift": formulas.RATE + 0.5 * formulas.VOLATILITY ** 2,
               "minus_rate": -formulas.RATE, **{f"t{i + 1}": term for i, term in enumerate(formulas.TERMS)}}
    names = {"s": s, "k": k, "t": t, **{name: np.float32(number) for name, number in numbers.items()}}
    out = np.zeros_like(s)
    return worker.Job(lambda: ne.evaluate(PRICE, names, out=out), lambda: out)


def mandelbrot(side, steps):
    cx, cy = formulas.plane(side)
    x, y, n, spare = (np.zeros((side, side), np.float32) for _ in range(4))
    numbers = {"four": np.float32(4), "two": np.float32(2), "one": np.float32(1), "zero": np.float32(0)}

    def call():
        a, b = x, spare
        for array in (a, y, n):
            array.fill(0)
        for _ in range(steps):
            names = {"x": a, "y": y, "n": n, "cx": cx, "cy": cy, **numbers}
            ne.evaluate("n + where(x * x + y * y <= four, one, zero)", names, out=n)
            ne.evaluate("x * x - y * y + cx", names, out=b)
            ne.evaluate("two * x * y + cy", names, out=y)
            a, b = b, a
    return worker.Job(call, lambda: n.reshape(-1))


def prepare(_, operation, dtype, numbers):
    if operation == "formula_options":
        return options(*numbers)
    if operation == "formula_mandelbrot":
        return mandelbrot(*numbers)
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
