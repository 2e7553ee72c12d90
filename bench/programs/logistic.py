# Logistic regression: 10^5 x 32, 50 steps.
import numpy as np
rng = np.random.default_rng(1)
x, truth = rng.standard_normal((10**5, 32), np.float32), rng.standard_normal(32, np.float32)
y, w = x @ truth > 0, np.zeros(32, np.float32)
for _ in range(50):
    w = w - x.T @ (1 / (1 + np.exp(-(x @ w))) - y) * np.float32(5 / len(x))
print(((x @ w > 0) == y).mean())
