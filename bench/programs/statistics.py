# Statistics of 10^7 numbers.
import numpy as np
x = np.random.default_rng(1).standard_normal(10**7, np.float32)
mean, std, least, most = x.mean(), x.std(), x.min(), x.max()
counts, _ = np.histogram(x, 100, (-4, 4))
z = (x - mean) / std
print(mean, std, least, most, np.median(x), np.quantile(x, 0.9), counts.max(), (z ** 3).mean(), (z ** 4).mean() - 3)
