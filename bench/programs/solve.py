# A system of 512 equations, and least squares of 4096 x 64.
import numpy as np
rng = np.random.default_rng(1)
a = rng.standard_normal((512, 512), np.float32) + 30 * np.eye(512, dtype=np.float32)
m, x = rng.standard_normal((4096, 64), np.float32), np.ones(64, np.float32)
print(np.linalg.solve(a, a.sum(axis=1)).mean(), np.linalg.lstsq(m, m @ x, rcond=None)[0].mean())
