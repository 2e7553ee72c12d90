# A net of two layers learns a sine: 4096 points, 64 hidden units, 100 steps.
import numpy as np
rng = np.random.default_rng(1)
x = np.linspace(-3, 3, 4096, dtype=np.float32).reshape(-1, 1)
y = np.sin(x)
w1, b1 = rng.standard_normal((1, 64), np.float32), np.zeros(64, np.float32)
w2, b2 = rng.standard_normal((64, 1), np.float32) * np.float32(0.1), np.zeros(1, np.float32)
for _ in range(100):
    h = np.tanh(x @ w1 + b1)
    e = (h @ w2 + b2 - y) * np.float32(0.02 / len(x))
    g = e @ w2.T * (1 - h * h)
    w2, b2 = w2 - h.T @ e, b2 - e.sum(axis=0)
    w1, b1 = w1 - x.T @ g, b1 - g.sum(axis=0)
print(((np.tanh(x @ w1 + b1) @ w2 + b2 - y) ** 2).mean())
