# An Asian option: 10^5 paths of 64 steps.
import numpy as np
paths, steps, dt = 100000, 64, 1 / 64
z = np.random.default_rng(1).standard_normal((paths, steps), np.float32)
prices = 100 * np.exp(np.cumsum(z * np.float32(0.2 * dt ** 0.5) + np.float32((0.05 - 0.02) * dt), axis=1))
print(np.exp(-0.05) * np.maximum(prices.mean(axis=1) - 100, 0).mean())
