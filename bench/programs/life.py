# Life on a torus of 1024 x 1024: 50 generations.
import numpy as np
a = (np.random.default_rng(1).random((1024, 1024)) < 0.3).astype(np.uint8)
for _ in range(50):
    n = sum(np.roll(a, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1))
    a = ((n == 3) | ((n == 4) & (a == 1))).astype(np.uint8)
print(a.mean())
