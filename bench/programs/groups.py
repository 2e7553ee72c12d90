# Sums, counts and means of 10^7 numbers in 10^4 groups.
import numpy as np
rng = np.random.default_rng(1)
keys, values = rng.integers(0, 10**4, 10**7, np.int32), rng.random(10**7, np.float32)
sums, counts = np.bincount(keys, values, 10**4), np.bincount(keys, minlength=10**4)
print((sums / counts).mean(), counts.max())
