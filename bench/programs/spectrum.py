# The spectrum of 2^20 samples of two tones in noise.
import numpy as np
n = 1 << 20
t = np.arange(n, dtype=np.float32) / n
rng = np.random.default_rng(1)
x = np.sin(2 * np.pi * 1000 * t) + 0.5 * np.sin(2 * np.pi * 2500 * t) + rng.standard_normal(n, np.float32)
power = np.abs(np.fft.rfft(x * np.hanning(n))) ** 2
print(power.max() ** 0.5 / n, power.argmax())
