"""A peer in Python as a process: the protocol of worker.h, and the arrays that every side shares."""
import sys
import time

BLOCK = 65521
SECOND = 30011
INTEGERS = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")


def missing(reason):
    """Ends the worker: this peer is not on this machine."""
    print("missing", " ".join(str(reason).split()), flush=True)
    sys.exit(0)


class Refused(Exception):
    """This peer does not do that."""


class Job:
    """What a peer prepares: call() does the work, finish() waits for it, result() gives a flat NumPy array."""

    def __init__(self, call, result, finish=lambda: None):
        self.call, self.result, self.finish = call, result, finish

    def seconds_per_call(self, calls, warm):
        if warm:
            self.call()
            self.finish()
        start = time.perf_counter()
        for _ in range(calls):
            self.call()
        self.finish()
        return (time.perf_counter() - start) / calls


def numpy_dtype(name):
    import numpy
    return numpy.dtype(name[0] + str(int(name[1:]) // 8))


def block(name, period=BLOCK):
    """The first `period` numbers of the shared sequence: floats in [0, 1), integers in 0..127."""
    import numpy
    draws, values, state = 2 if name == "f64" else 1, [], 1
    for _ in range(draws * period):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        values.append(state >> 8)
    bits = numpy.array(values, dtype=numpy.int64)
    if name == "f64":
        return (bits[0::2] << 24 | bits[1::2]) / 2.0 ** 48
    if name == "f16":
        return ((bits >> 13) / 2048).astype(numpy_dtype(name))
    if name == "f32":
        return (bits / 16777216).astype(numpy_dtype(name))
    return (bits >> 16 & 127).astype(numpy_dtype(name))


def array(name, shape, shift=0):
    """A NumPy array of the block repeated, from one of its places on."""
    import numpy
    count = 1
    for size in shape:
        count *= size
    return numpy.resize(numpy.roll(block(name), -shift), count).reshape(shape)


def serve(what, prepare):
    """Answers commands until standard input ends. prepare(peer, operation, dtype, numbers) gives a Job."""
    print("ready", what, flush=True)
    jobs = {}

    def answer(command, slot, *words):
        if command == "prepare":
            jobs.pop(slot, None)
            job = prepare(*words[:3], [int(word) for word in words[3:]])
            job.seconds_per_call(1, 0)
            jobs[slot] = job
        elif command == "run":
            return f"ok {jobs[slot].seconds_per_call(int(words[0]), int(words[1])):.9g}"
        elif command == "get":
            start, count = int(words[0]), int(words[1])
            jobs[slot].result()[start:start + count].tofile(words[2])
        else:
            jobs.pop(slot, None)
        return "ok"

    for line in sys.stdin:
        try:
            print(answer(*line.split()), flush=True)
        except Exception as problem:  # a peer's own failure must not end the benchmark
            print("no", type(problem).__name__, " ".join(str(problem).split())[:200], flush=True)
