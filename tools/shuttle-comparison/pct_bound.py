"""Whether PCT finds faults as often as its authors have proved: in at least 1 of n * k^(d-1) runs.

n is the number of threads, k that of the decisions, and d the depth of the fault: how many orders of two operations it takes.
"""

import math
import os
import re
import shutil
import subprocess
from pathlib import Path

FIXTURE = Path(__file__).parent / "depths"


def bound(folder, tool, runs):
    """Prints the frequency that was observed, and the bound, for faults of three depths."""
    crate, target = folder / "depths", folder / "target"
    shutil.copytree(FIXTURE, crate, dirs_exist_ok=True)
    words = [str(tool), "rvcheck", "test", "--no-run", "--target-dir", str(target)]
    subprocess.run(words, cwd=crate, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found = (target / "rvcheck").glob("build-*/debug/deps/depths-*")
    executable = max((it for it in found if os.access(it, os.X_OK) and not it.suffix), key=lambda it: it.stat().st_mtime)
    print(f"\n{'PCT':<10}{'n':>4}{'k':>5}{'found':>9}{'of':>7}{'observed':>11}{'bound':>9}{'x':>7}{'holds':>8}")
    for depth in (1, 2, 3):
        holds_in(crate, executable, depth, runs)


def holds_in(crate, executable, depth, runs):
    test = f"depth_{depth}"
    _, outcome = run(crate, executable, test, "default", 0)
    n = len(re.findall(r"^participant ", outcome, re.M))
    k = int(re.search(r"^decisions (\d+)", outcome, re.M)[1])
    found = sum(not run(crate, executable, test, f"pct {depth} {k}", seed)[0] for seed in range(runs))
    observed, least = found / runs, 1 / (n * k ** (depth - 1))
    # Less than the bound by more than chance explains, with 99 % certainty.
    holds = observed + 2.33 * math.sqrt(least * (1 - least) / runs) >= least
    print(f"{'d = ' + str(depth):<10}{n:>4}{k:>5}{found:>9}{runs:>7}{observed:>11.4f}{least:>9.4f}"
          f"{observed / least:>7.1f}{'yes' if holds else 'NO':>8}", flush=True)


def run(crate, executable, test, way, seed):
    """Runs a test once under control; whether it passes, and its outcome."""
    plan, outcome, trace = (crate / it for it in ("plan.txt", "outcome.txt", "trace.rvt"))
    plan.write_text(f"rvcheck-schedule 2\nseed {seed}\nby {way}\nlimit 100000\n")
    for old in (outcome, trace):
        old.unlink(missing_ok=True)
    control = f"trace={trace}\nlibtest=1\natomics=1\nexplore={plan}\nexplored={outcome}\n"
    environment = {**os.environ, "RVCHECK_RUN": control}
    ended = subprocess.run([str(executable), test, "--exact"], cwd=crate, env=environment, check=False,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return ended.returncode == 0, outcome.read_text()
