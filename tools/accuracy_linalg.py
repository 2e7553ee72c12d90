"""The half of tools/accuracy_linalg.lua that has NumPy and SciPy: makes matrices, and measures what came of them beside LAPACK's results."""
import os
import sys

import numpy as np
import scipy.linalg as la

DTYPES = {"f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128}
SQUARE, TALL = (10, 33, 100, 300), ((200, 30), (20000, 16))


def adjoint(x):
    return x.conj().T


def matrices(dtype):
    """Random numbers, and matrices of singular values from 1 to sixteen epsilons, geometric, by twos. For eig alone: rows and columns of
    random sizes from 2^-40 to 2^40, and Frank's."""
    rng = np.random.default_rng(5)
    kind = DTYPES[dtype]

    def random(*shape):
        x = rng.standard_normal(shape)
        return x + 1j * rng.standard_normal(shape) if np.iscomplexobj(kind(0)) else x

    for n in SQUARE:
        sizes = (16 * np.finfo(kind).eps) ** (np.arange(n) // 2 * 2 / n)
        left, right = (np.linalg.qr(random(n, n))[0] for _ in range(2))
        a, hard = random(n, n), left * sizes @ adjoint(right)
        for name, general, hermitian in (("random", a, a + adjoint(a)), ("hard", hard, left * sizes @ adjoint(left))):
            positive = (left * np.geomspace(1, 1e-3, n)) @ adjoint(left)
            yield f"square_{name}{n}", {"a": general, "s": hermitian, "p": positive, "b": random(n, 3)}
    for m, n in TALL:
        yield f"tall_random{n}", {"a": random(m, n), "b": random(m, 3)}
    for i in range(20):
        left, right = 2.0 ** rng.integers(-40, 41, (2, 10))
        yield f"extreme_sizes{i}", {"a": left[:, None] * random(10, 10) * right}
    rows, columns = np.indices((300, 300))
    yield "extreme_frank", {"a": np.where(columns >= rows - 1, 300 - np.maximum(rows, columns), 0)}


def make(folder):
    for dtype, kind in DTYPES.items():
        for name, arrays in matrices(dtype):
            for letter, x in arrays.items():
                if letter in "sp":
                    x = (x + adjoint(x)) / 2
                np.save(f"{folder}/{dtype}-{name}-{letter}.npy", np.ascontiguousarray(x.astype(kind)))


def lapack(a, s, p, b):
    """The same results by LAPACK, in the order in which tools/accuracy_linalg.lua saves them."""
    n = a.shape[1]
    if b is None:
        return {"eig": la.eig(a)}
    q, r = la.qr(a, mode="economic")
    results = {"qr": (q, r), "lstsq": (la.lstsq(a, b)[0],)}
    if s is not None:
        permutation, lower, upper = la.lu(a, p_indices=True)
        inverse = np.empty_like(permutation)
        inverse[permutation] = np.arange(n)
        u, values, v = la.svd(a)
        results |= {"solve": (la.solve(a, b),), "inv": (la.inv(a),), "lu": (lower, upper, inverse + 1),
                    "cholesky": (la.cholesky(p, lower=True),), "eigh": la.eigh(s), "eigvalsh": (la.eigvalsh(s),),
                    "svd": (u, values, adjoint(v)), "svdvals": (la.svdvals(a),), "eig": la.eig(a)}
    return results


def wide(x):
    return x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)


def exact(x):
    """Of few numbers the products are those of long double."""
    return x.astype(np.clongdouble if np.iscomplexobj(x) else np.longdouble) if x.size <= 12000 else wide(x)


def errors(word, given, results, eps):
    """Pairs of what is measured and the error in units of n eps norm."""
    a, s, p, b = (None if x is None else exact(x) for x in given)
    x = [r if r.dtype.kind == "i" else exact(r) for r in results]
    m, n = a.shape
    norm = np.linalg.norm

    def units(error, *norms):
        return float(norm(error) / (max(m, n) * eps * np.prod([norm(k) for k in norms])))

    def orthogonality(q):
        return float(norm(adjoint(q) @ q - np.eye(q.shape[1])) / (max(m, n) * eps))

    if word == "solve":
        yield "residual", units(a @ x[0] - b, a, x[0])
    elif word == "inv":
        yield "residual", units(a @ x[0] - np.eye(n), a, x[0])
    elif word == "lu":
        yield "residual", units(x[0] @ x[1] - a[x[2] - 1], a)
    elif word == "cholesky":
        yield "residual", units(x[0] @ adjoint(x[0]) - p, p)
    elif word == "qr":
        yield "residual", units(x[0] @ x[1] - a, a)
        yield "orthogonality", orthogonality(x[0])
    elif word == "lstsq":
        yield "residual of the normal equations", units(adjoint(a) @ (a @ x[0] - b), a, a, x[0])
    elif word == "eigh":
        yield "residual", units(s @ x[1] - x[1] * x[0], s)
        yield "orthogonality", orthogonality(x[1])
    elif word == "eigvalsh":
        yield "values", units(x[0] - np.linalg.eigvalsh(wide(s)), s)
    elif word == "svd":
        yield "residual", units(x[0] * x[1] @ adjoint(x[2]) - a, a)
        yield "orthogonality", max(orthogonality(x[0]), orthogonality(x[2]))
    elif word == "svdvals":
        yield "values", units(x[0] - np.linalg.svd(wide(a), compute_uv=False), a)
    elif word == "eig":
        yield "residual", units(a @ x[1] - x[1] * x[0], a)


def measure(folder):
    worst = {}

    def note(row, dtype, who, error):
        key = (row, dtype, who)
        worst[key] = max(worst.get(key, 0.0), error) if error == error else error

    for dtype, kind in DTYPES.items():
        eps = float(np.finfo(kind).eps)
        for name, _ in matrices(dtype) if os.path.exists(f"{folder}/{dtype}-square_random10-solve1.npy") else ():
            def load(letter):
                path = f"{folder}/{dtype}-{name}-{letter}.npy"
                return np.load(path) if os.path.exists(path) else None
            given = [load(letter) for letter in "aspb"]
            for word, theirs in lapack(*given).items():
                ours = [load(f"{word}{i + 1}") for i in range(len(theirs))]
                kind_of = name.split("_")[0].replace("square", "")
                kind_of += ", " if kind_of else ""
                for who, results in (("ours", ours), ("LAPACK", theirs)):
                    for what, error in errors(word, given, results, eps):
                        if what != "values" or who == "ours" or eps > 1e-10:  # else it is what is measured by
                            note(f"`{word}`: {kind_of}{what}", dtype, who, error)
    dtypes = [d for d in DTYPES if any(key[1] == d for key in worst)]
    print("| | " + " | ".join(dtypes) + " |\n|---|" + "---|" * len(dtypes))
    for row in dict.fromkeys(key[0] for key in worst):
        texts = {key[1:]: f"{error:.2g}" for key, error in worst.items() if key[0] == row}
        cells = (texts[d, "ours"] + " / " + texts.get((d, "LAPACK"), "-") for d in dtypes)
        print(f"| {row} | " + " | ".join(cells) + " |")


make(sys.argv[2]) if sys.argv[1] == "make" else measure(sys.argv[2])
