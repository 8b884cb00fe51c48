#!/usr/bin/env python3
"""Compares how soon shuttle and this project find the faults of shuttle's own tests; see README.md."""

import argparse
import tempfile
from pathlib import Path

import cases
import crates
import ours
import theirs
from pct_bound import bound
from tried import told

ROOT = Path(__file__).resolve().parents[2]
# What each side calls its ways of choosing.
THEIRS = ["random", "pct"]
OURS = ["random", "pct", "surw"]
# The first schedules of a seed are the same however many follow, and most faults need no more than these.
FEW = 10
# After so many seeds by which a test was not explored, it is given up.
PATIENCE = 5


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--schedules", type=int, default=100, help="schedules of each test for each seed, at most")
    parser.add_argument("--runs", type=int, default=2000, help="runs for each bound of PCT; 0 for none")
    parser.add_argument("--shuttle", default="0.8", help="which version")
    parser.add_argument("--only", default="", help="only tests whose name contains this")
    parser.add_argument("--by", nargs="+", choices=OURS, default=OURS, help="only these ways of choosing")
    parser.add_argument("--folder", type=Path, help="where the scratch crates are kept; a temporary folder if not given")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shuttle-comparison-") as temporary:
        folder = (options.folder or Path(temporary)).resolve()
        tool = ours.tool(ROOT)
        compare(folder, tool, options)
        if options.runs:
            bound(folder, tool, options.runs)


def compare(folder, tool, options):
    """Prints a line for each test and way: median schedules and seconds to the first failure, and the seeds that found it."""
    their_crate, our_crate = crates.make(folder, options.shuttle)
    target = folder / "target"
    program = theirs.build(their_crate, target)
    tests = [it for it in (cases.name(*it) for it in cases.CASES) if options.only in it]
    width = max(map(len, tests), default=0)
    heads = (f"{it + ': first':>14}{'s':>9}{'seeds':>9}" for it in ("shuttle", "rvcheck"))
    print(f"{'test':<{width}} {'way':<7}{'   '.join(heads)}")
    for test in tests:
        for way in options.by:
            left = "-"
            if way in THEIRS:
                left = told(theirs.explore(program, test, way, options.seeds, options.schedules))
            right = ours_for(tool, our_crate, target, test, way, options)
            print(f"{test:<{width}} {way:<7}{left:>32}   {right:>32}", flush=True)


def ours_for(tool, crate, target, test, way, options):
    """What comes of a test of ours. One that fails in the default order does so in its first run."""
    tried, reason = [], None
    for seed in range(options.seeds):
        try:
            for schedules in sorted({min(FEW, options.schedules), options.schedules}):
                found = ours.explore(tool, crate, target, test, way, seed, schedules)
                if found.schedules is not None:
                    break
            tried.append(found)
        except ours.Uncontrolled as error:
            reason = error
            if not tried and seed + 1 == PATIENCE:
                break
    return told(tried) if tried else f"not explored: {reason}"


if __name__ == "__main__":
    main()
