"""pytreegrav as a peer: accelerations by a tree, on all cores. The operation is a file of bodies, n x 4."""
from importlib import metadata

import worker

try:
    import numba
    import numpy as np
    import pytreegrav
except ImportError as problem:
    worker.missing(problem)


def prepare(_, path, dtype, numbers):
    bodies = np.load(path).astype(np.float64)
    places, masses = np.ascontiguousarray(bodies[:, :3]), np.ascontiguousarray(bodies[:, 3])
    result = np.zeros(bodies.shape, worker.numpy_dtype(dtype))

    def call():
        result[:, :3] = pytreegrav.Accel(places, masses, method="tree", theta=numbers[0] / 1000, parallel=True)
    return worker.Job(call, lambda: result.reshape(-1))


worker.serve(f"pytreegrav {metadata.version('pytreegrav')}, {numba.get_num_threads()} threads", prepare)
