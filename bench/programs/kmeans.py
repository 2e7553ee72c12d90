# k-means: 10^6 points in 8 dimensions, 16 centres, 5 rounds.
import numpy as np
k, x = 16, np.random.default_rng(1).random((10**6, 8), np.float32)
c = x[:k].copy()
for _ in range(5):
    near = ((c * c).sum(axis=1) - 2 * x @ c.T).argmin(axis=1)
    c = np.stack([np.bincount(near, x[:, j], k) for j in range(8)], 1).astype(np.float32)
    c /= np.bincount(near, minlength=k).reshape(k, 1)
print(c.mean())
