# Lattice Boltzmann, D2Q9 on a torus of 256 x 1024: 50 steps.
import numpy as np
W = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4, np.float32)
E = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
f = W[:, None, None] * (1 + np.float32(0.1) * np.random.default_rng(1).random((256, 1024), np.float32))
for _ in range(50):
    f = [np.roll(g, e, (0, 1)) for g, e in zip(f, E)]
    rho = sum(f)
    ux = sum(e[0] * g for g, e in zip(f, E)) / rho
    uy = sum(e[1] * g for g, e in zip(f, E)) / rho
    for i, e in enumerate(E):
        c = e[0] * ux + e[1] * uy
        f[i] = f[i] - (f[i] - W[i] * rho * (1 + 3 * c + np.float32(4.5) * c * c - np.float32(1.5) * (ux * ux + uy * uy)))
print(f[0].mean(), f[1].std())
