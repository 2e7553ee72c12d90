"""pyfalcon as a peer: accelerations by falCON's fast multipole method, on one core. The operation is a file of bodies,
n x 4."""
from importlib import metadata

import worker

try:
    import numpy as np
    import pyfalcon
except ImportError as problem:
    worker.missing(problem)

SOFTENING = 1e-7  # nothing beside the distances; its tree wants one


def prepare(_, path, dtype, numbers):
    bodies = np.load(path).astype(np.float64)
    places, masses = np.ascontiguousarray(bodies[:, :3]), np.ascontiguousarray(bodies[:, 3])
    result = np.zeros(bodies.shape, worker.numpy_dtype(dtype))

    def call():
        result[:, :3], result[:, 3] = pyfalcon.gravity(places, masses, SOFTENING, theta=numbers[0] / 1000)
    return worker.Job(call, lambda: result.reshape(-1))


def version():
    try:
        return metadata.version("pyfalcon")
    except metadata.PackageNotFoundError:
        return "of unknown version"


worker.serve(f"pyfalcon {version()}, one core", prepare)
