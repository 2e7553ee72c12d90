"""pyopencl.array on the same OpenCL device as a peer: reduce, copy. The argument is a part of the device's name."""
import sys
import warnings

import worker

try:
    import numpy as np
    import pyopencl as cl
    import pyopencl.array as cl_array
except ImportError as problem:
    worker.missing(problem)

warnings.simplefilter("ignore")


def find_device(name):
    for platform in cl.get_platforms():
        for device in platform.get_devices():
            if name in device.name:
                return device
    return worker.missing("no OpenCL device of that name")


DEVICE = find_device(sys.argv[1] if len(sys.argv) > 1 else "")
QUEUE = cl.CommandQueue(cl.Context([DEVICE]))


def reduction(operation, dtype, numbers):
    axis, shape = numbers[0], numbers[1:]
    if axis or dtype == "f16":
        raise worker.Refused("whole arrays only")
    x = cl_array.to_device(QUEUE, worker.array(dtype, shape))
    last = [None]
    base = operation.removeprefix("call")

    def run(wait):
        last[0] = getattr(cl_array, base)(x, queue=QUEUE)
        if wait:
            last[0].get()
    return worker.Job(lambda: run(operation != base), lambda: last[0].get().reshape(-1), QUEUE.finish)


def copy(_, dtype, numbers):
    x = cl_array.to_device(QUEUE, worker.array(dtype, numbers))
    out = cl_array.zeros_like(x)

    # Its assignment is an elementwise kernel 30 times slower on PoCL, and copy() allocates each time.
    return worker.Job(lambda: cl.enqueue_copy(QUEUE, out.data, x.data), lambda: out.get().reshape(-1), QUEUE.finish)


OPERATIONS = {"sum": reduction, "min": reduction, "max": reduction, "callsum": reduction, "copy": copy}


def prepare(_, operation, dtype, numbers):
    if operation not in OPERATIONS:
        raise worker.Refused("no such operation")
    return OPERATIONS[operation](operation, dtype, numbers)


worker.serve(f"pyopencl {cl.VERSION_TEXT}, NumPy {np.__version__}, on {DEVICE.name}", prepare)
