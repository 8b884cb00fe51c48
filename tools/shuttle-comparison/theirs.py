"""A test under shuttle."""

import subprocess

from tried import Tried


def build(folder, target):
    """Builds the program that runs them, optimised; its executable."""
    words = ["cargo", "build", "--quiet", "--release", "--target-dir", str(target)]
    subprocess.run(words, cwd=folder, check=True)
    return target / "release/shuttle-tests"


def explore(executable, test, way, seeds, schedules):
    """What comes of a test for each seed, by shuttle's `random` or `pct`."""
    words = [str(executable), test, way, str(seeds), str(schedules)]
    run = subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    found = []
    # The tests print, too.
    for line in run.stdout.splitlines():
        parts = line.split()
        if len(parts) == 3 and parts[1] in ("true", "false"):
            count, has_failed, seconds = int(parts[0]), parts[1] == "true", float(parts[2])
            found.append(Tried(count, float(seconds)) if has_failed else Tried())
    return found
