# Pi by 10^7 random points.
import numpy as np
rng = np.random.default_rng(1)
x, y = rng.random(10**7, np.float32), rng.random(10**7, np.float32)
print(4 * (x * x + y * y <= 1).mean())
