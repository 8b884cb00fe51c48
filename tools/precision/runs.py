"""Runs of `cargo rvcheck test`, and what `validate` and `predict --model` say of them."""

import json
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass

# What takes longer than this is left unknown, unless somebody says otherwise.
SECONDS = 60


@dataclass(frozen=True)
class Run:
    """A folder `target/rvcheck/runs/N`, and what it is of."""

    folder: pathlib.Path
    package: str


def runs(folders):
    """The last run of each package below these folders."""
    last = {}
    for folder in folders:
        for recorded in sorted(pathlib.Path(folder).glob("**/rvcheck/runs/*/recorded.json")):
            number = int(recorded.parent.name)
            package = pathlib.Path(json.loads(recorded.read_text())["workspace_root"]).name
            key = (recorded.parents[1], package)
            if number > last.get(key, (0, None))[0]:
                last[key] = (number, Run(recorded.parent, package))
    return sorted((it for _, it in last.values()), key=lambda it: it.package)


def report(tool, words, seconds=None):
    """What a command writes as JSON; `None` where it takes too long. That it cannot run is an error."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.json"
        command = [tool, "rvcheck", *map(str, words), "--output", f"json={path}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        if not path.exists():
            raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-3000:]}")
        return json.loads(path.read_text())


def validated(tool, model, run):
    """For each property and unit of the run: what `validate` says."""
    return report(tool, ["validate", model, run.folder]).get("validations", [])


def predicted(tool, model, run, states, seconds):
    """By property and unit: what `predict` says. Each process has so many seconds, and nothing is said of one that takes longer."""
    found = {}
    for trace in sorted(run.folder.glob("*.rvt")):
        answer = report(tool, ["predict", "--states", states, "--model", model, trace], seconds) or {}
        found |= {(it["property"], it["trace"], it["test"]): it for it in answer.get("rearrangements", [])}
    return found
