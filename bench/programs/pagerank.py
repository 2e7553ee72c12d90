# PageRank: 10^5 pages, 10^6 links, 30 rounds.
import numpy as np
n, rng = 100000, np.random.default_rng(1)
start, to = rng.integers(0, n, 10**6), rng.integers(0, n, 10**6)
given = np.maximum(np.bincount(start, minlength=n), 1).astype(np.float32)
rank = np.full(n, 1 / n, np.float32)
for _ in range(30):
    rank = 0.85 * np.bincount(to, (rank / given)[start], n) + 0.15 / n
print(rank.sum(), rank.max() * n)
