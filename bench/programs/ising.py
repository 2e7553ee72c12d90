# Ising's model on a torus of 1024 x 1024: 20 sweeps of both colours.
import numpy as np
n = 1024
def flip(s, r, colour):
    field = np.roll(s, 1, 0) + np.roll(s, -1, 0) + np.roll(s, 1, 1) + np.roll(s, -1, 1)
    return np.where((r < np.exp(np.float32(-0.8) * s * field)) & colour, -s, s)
i = np.arange(n)
black = (i[:, None] + i) % 2 == 0
s, rng = np.ones((n, n), np.float32), np.random.default_rng(1)
for _ in range(20):
    s = flip(s, rng.random((n, n), np.float32), black)
    s = flip(s, rng.random((n, n), np.float32), ~black)
print(s.mean())
