# Mandelbrot's set on 1024 x 1024 points: 50 steps.
import numpy as np
cx, cy = np.meshgrid(np.linspace(-2, 0.5, 1024, dtype=np.float32), np.linspace(-1.25, 1.25, 1024, dtype=np.float32))
x, y, count = np.zeros_like(cx), np.zeros_like(cx), np.zeros_like(cx)
for _ in range(50):
    u, v = x * x - y * y + cx, 2 * x * y + cy
    inside = u * u + v * v <= 4
    x, y = np.where(inside, u, 2), np.where(inside, v, 2)
    count += inside
print(count.mean())
