#!/usr/bin/env python3
"""Measures `reelay` on the traces of `cargo bench -p rvcheck-spec --bench formulas`, row for row, and with `--ours` that benchmark
beside it in the same run.

`reelay` monitors the past, so a response is said by its violation: an acquisition that nothing asked for, or a request
although one is pending. Several objects are data that the formula binds, as in `reelay`'s own examples. Times are those of the
`update` calls alone, on one core, the best of three runs; the calls from Python are a part of them, so that `reelay` used as
a C++ library is faster.
"""

import argparse
import re
import subprocess
import time

import reelay

# A request while one is pending: requested before, and not acquired since.
PROPOSITIONAL = "({k: request} and pre ((not {k: acquire}) since {k: request}))"
ONE_KEY = "forall[l]. ({k: acquire, l: *l} implies once {k: request, l: *l})"
TWO_KEYS = "forall[t, l]. ({k: acquire, t: *t, l: *l} implies once {k: request, t: *t, l: *l})"
# One order at some time, and the other one now.
SWAPPED = "exists[t, u]. ({k: join, t: *t, u: *u} and once {k: join, t: *u, u: *t})"


def response(events, keys):
    """Requests and acquisitions of so many locks in turn."""
    for at in range(events):
        kind = "request" if at // keys % 2 == 0 else "acquire"
        lock = at % keys + 1
        yield {"k": kind, "l": str(lock), "t": str(lock % 7 + 1)}


def pairs(events, keys):
    """Pairs of so many keys, always the smaller one first."""
    state = 1
    for _ in range(events):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        one = (state >> 33) % keys
        other = (one + 1 + (state >> 13) % (keys - 1)) % keys
        yield {"k": "join", "t": str(min(one, other) + 1), "u": str(max(one, other) + 1)}


def ours():
    """By row, the events a second that the benchmark prints, or nothing for a row that it does not have."""
    found = {}
    for rows in ("propositional", "one key", "key pair", "swapped"):
        command = ["cargo", "bench", "-q", "-p", "rvcheck-spec", "--bench", "formulas", "--", rows]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        for line in printed.splitlines():
            row = re.match(r"(.*?) +([0-9.]+) M/s", line)
            if row:
                found[row[1]] = float(row[2]) * 1e6
    return found


def measure(name, pattern, trace, beside):
    trace = list(trace)
    best = None
    for _ in range(3):
        monitor = reelay.discrete_timed_monitor(pattern=pattern, condense=False)
        start = time.perf_counter()
        for event in trace:
            monitor.update(event)
        taken = time.perf_counter() - start
        best = taken if best is None else min(best, taken)
    rate = len(trace) / best
    ratio = f" | rvcheck {beside[name]:>12,.0f} | ratio {beside[name] / rate:6.1f}" if name in beside else ""
    print(f"{name:24} {len(trace):>9} events | reelay {rate:>10,.0f} events/s{ratio}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--ours", action="store_true", help="run our benchmark too, and print it beside")
    arguments = parser.parse_args()
    events, beside = arguments.events, ours() if arguments.ours else {}
    measure("propositional response", PROPOSITIONAL, response(events, 1), beside)
    for name, pattern in (("one key", ONE_KEY), ("key pair", TWO_KEYS)):
        for keys in (100, 1_000, 100_000):
            measure(f"{name}, {keys}", pattern, response(max(events, 2 * keys), keys), beside)
    for keys in (10, 100):
        measure(f"swapped keys, {keys}", SWAPPED, pairs(events, keys), beside)


if __name__ == "__main__":
    main()
