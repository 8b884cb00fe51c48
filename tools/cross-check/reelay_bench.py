#!/usr/bin/env python3
"""Measures `reelay` on the traces of `cargo bench -p rvcheck-spec`, to be read beside its figures.

`reelay` monitors the past, so a response is said by its violation: an acquisition that nothing asked for, or a request
although one is pending. Several objects are data that the formula binds, as in `reelay`'s own examples. Times are those of the
`update` calls alone, on one core, the best of three runs; the calls from Python are a part of them, so that `reelay` used as
a C++ library is faster.
"""

import argparse
import time

import reelay

# A request while one is pending: requested before, and not acquired since.
PROPOSITIONAL = "({k: request} and pre ((not {k: acquire}) since {k: request}))"
ONE_KEY = "forall[l]. ({k: acquire, l: *l} implies once {k: request, l: *l})"
TWO_KEYS = "forall[t, l]. ({k: acquire, t: *t, l: *l} implies once {k: request, t: *t, l: *l})"
# Held in one order at some time, and in the other one now.
REVERSAL = ("exists[a, b]. ({k: nest, a: *a, b: *b} and once {k: nest, a: *b, b: *a})")


def response(events, keys):
    """Requests and acquisitions of so many locks in turn."""
    for at in range(events):
        kind = "request" if at // keys % 2 == 0 else "acquire"
        lock = at % keys + 1
        yield {"k": kind, "l": str(lock), "t": str(lock % 7 + 1)}


def nests(events, locks):
    """Locks taken inside each other, always the smaller one first."""
    for at in range(events):
        first = at % (locks - 1) + 1
        yield {"k": "nest", "a": str(first), "b": str(first + 1 + at // locks % (locks - first))}


def measure(name, pattern, trace):
    trace = list(trace)
    best = None
    for _ in range(3):
        monitor = reelay.discrete_timed_monitor(pattern=pattern, condense=False)
        start = time.perf_counter()
        for event in trace:
            monitor.update(event)
        taken = time.perf_counter() - start
        best = taken if best is None else min(best, taken)
    print(f"{name:30} {len(trace):>9} events {len(trace) / best:>12,.0f} events/s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=200_000)
    events = parser.parse_args().events
    measure("propositional response", PROPOSITIONAL, response(events, 1))
    for keys in (100, 1_000):
        measure(f"one key, {keys} live", ONE_KEY, response(events, keys))
    for keys in (100, 1_000):
        measure(f"two parameters, {keys} live", TWO_KEYS, response(events, keys))
    for locks in (10, 100):
        measure(f"lock reversal, {locks} locks", REVERSAL, nests(events, locks))


if __name__ == "__main__":
    main()
