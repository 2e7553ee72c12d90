# Lorenz's system, 10^6 starts, 100 steps of Euler's method.
import numpy as np
x, y, z = np.linspace(0.9, 1.1, 10**6, dtype=np.float32), np.ones(10**6, np.float32), np.ones(10**6, np.float32)
h, s, b = np.float32(0.005), np.float32(10), np.float32(8 / 3)
for _ in range(100):
    x, y, z = x + h * (s * (y - x)), y + h * (x * (28 - z) - y), z + h * (x * y - b * z)
print(x.mean(), y.mean(), z.mean())
