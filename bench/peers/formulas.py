"""Black and Scholes's prices and Mandelbrot's set: what the peers in Python share."""
import numpy as np
import worker

RATE, VOLATILITY = 0.1, 0.2
BEND = 0.2316419  # of Abramowitz and Stegun's 26.2.17
TERMS = (0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429)


def contracts(count):
    """Spots, strikes and years, of f32."""
    a, b, c = (worker.array("f32", (count,), k * worker.SECOND) for k in range(3))
    return 5 + 45 * a, 5 + 45 * b, np.float32(0.25) + 4 * c


def plane(side):
    """The points' parts: a row, a column."""
    return (np.linspace(-2, 0.5, side).astype(np.float32).reshape(1, side),
            np.linspace(-1.25, 1.25, side).astype(np.float32).reshape(side, 1))
