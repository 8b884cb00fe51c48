#!/usr/bin/env python3
"""Compares `cargo rvcheck replay` with a second implementation of the property language, on random files and traces.

The folder `second/` has the language's definition in Python, written from docs/language.md and sharing nothing with the tool.
Verdicts, the numbers of bindings, and of those that events speak of are compared for each property and unit.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "second"))

import cases
from language import verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool", help="the executable cargo-rvcheck")
    parser.add_argument("--files", type=int, default=100, help="files of each kind")
    parser.add_argument("--properties", type=int, default=30, help="properties in a file")
    parser.add_argument("--longest", type=int, default=14, help="events in a trace at most")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    differences = 0
    for kind in ["plain", "nested", "intervals"]:
        count, different = 0, 0
        for number in range(options.files):
            rng = random.Random(f"{options.seed} {kind} {number}")
            compared, found = compare(options, cases.file(rng, options.properties, kind), cases.trace(rng, options.longest))
            count += compared
            different += len(found)
            for line in found[:5]:
                print(f"{kind} {number}: {line}")
        print(f"{kind}: {count} verdicts, {different} differences")
        differences += different
    sys.exit(1 if differences else 0)


def compare(options, spec, trace):
    """How many verdicts were compared, and what was different."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "spec.toml").write_text(spec)
        (folder / "trace.jsonl").write_text(trace)
        command = [options.tool, "rvcheck", "replay", folder / "trace.jsonl", "--spec", folder / "spec.toml"]
        run = subprocess.run([*command, "--output", f"json={folder / 'out.json'}"], capture_output=True, text=True)
        # Nothing to check, or nothing wrong, or a violation, or a unit that was cut.
        if run.returncode not in (0, 3, 6, 10):
            return 1, [f"exit code {run.returncode}: {run.stderr}"]
        report = json.loads((folder / "out.json").read_text())
    told = {
        (row["id"], unit["test"]): (unit["verdict"], unit["bindings"], unit["exercised"])
        for row in report["properties"]
        for unit in row["units"]
    }
    expected = verdicts(spec, trace)
    found = [f"{key}: {it} here, {told.get(key)} there" for key, it in expected.items() if told.get(key) != it]
    return len(expected), found


if __name__ == "__main__":
    main()
