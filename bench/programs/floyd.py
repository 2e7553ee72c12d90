# The shortest ways between 512 nodes, by Floyd and Warshall, and one min-plus product.
import numpy as np
n = 512
d = np.random.default_rng(1).random((n, n), np.float32)
one = d.copy()
for k in range(n):
    np.minimum(d, d[:, k, None] + d[k], out=d)
two = np.full((n, n), np.inf, np.float32)
for k in range(n):
    np.minimum(two, one[:, k, None] + one[k], out=two)
print(d.mean(), two.mean())
