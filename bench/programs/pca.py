# PCA of 20000 x 256: the largest 10 components.
import numpy as np
x = np.random.default_rng(1).standard_normal((20000, 256), np.float32) * np.linspace(0.5, 2, 256, dtype=np.float32)
x = x - x.mean(axis=0)
values, vectors = np.linalg.eigh(x.T @ x / (len(x) - 1))
projected = x @ vectors[:, 246:]
print(values[246:].sum() / values.sum(), projected.var(axis=0).sum())
