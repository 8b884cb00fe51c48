"""A test under `cargo rvcheck explore`."""

import json
import os
import subprocess

from tried import Tried


def tool(root):
    """Builds the tool, unless `RVCHECK_TOOL` names one; its executable."""
    if given := os.environ.get("RVCHECK_TOOL"):
        return given
    words = ["cargo", "build", "--quiet", "--release", "-p", "cargo-rvcheck", "--message-format", "json-render-diagnostics"]
    text = subprocess.run(words, cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout
    built = (json.loads(line) for line in text.splitlines())
    return next(it["executable"] for it in built if it.get("executable") and it["target"]["name"] == "cargo-rvcheck")


# What the tool says of a test that has nothing left to be found.
IN_DEFAULT_ORDER = "fails when its tasks run in the default order"


class Uncontrolled(Exception):
    """The test cannot be explored, for this reason."""


def explore(tool, folder, target, test, way, seed, schedules):
    """What comes of a test with this seed."""
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    words = [str(tool), "rvcheck", "explore", "--count-only", "--schedules", str(schedules), "--seed", str(seed),
             "--jobs", "1", "--confirm-budget", "0", "--target-dir", str(target), "--output", f"json={report}"]
    words += [] if way == "mixed" else ["--by", way]
    run = subprocess.run([*words, "--", "--exact", test], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if not report.exists():
        raise RuntimeError(run.stdout)
    explored = json.loads(report.read_text()).get("exploration")
    if not explored or not explored["tests"]:
        raise Uncontrolled("it fails plainly")
    found = explored["tests"][0]
    if found["control"] != "controlled":
        reason = "; ".join(found.get("reasons", [])) or found["control"]
        raise Uncontrolled("fails in the default order" if IN_DEFAULT_ORDER in reason else reason)
    first = found.get("first_failing")
    if first is None:
        return Tried()
    # By one worker, each run takes as long as another.
    return Tried(first, first * explored["seconds"] / max(found["runs"] + 1, 1))
