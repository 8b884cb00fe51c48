#!/usr/bin/env python3
"""Runs the steps of action.yml on this machine, as GitHub would, and says how they end.

    python3 tools/action/run.py --working-directory examples/clean
    python3 tools/action/run.py --working-directory examples/bank --expect 10 --tool target/release/cargo-rvcheck

Steps that use other actions, for caches and uploads, are named and left out. With `--tool`, so is the one that builds rvcheck.
Needs PyYAML.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def main():
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, given in action["inputs"].items():
        parser.add_argument(f"--{name}", default=given["default"], help=given["description"])
    parser.add_argument("--repository", type=Path, default=ROOT, help="the checkout that the action runs in")
    parser.add_argument("--tool", type=Path, help="a tool that is built already")
    parser.add_argument("--expect", type=int, default=0, help="the exit code of the step that runs the tests")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rvcheck-action-") as temporary:
        values = {
            "github.action_path": str(ROOT),
            "github.workspace": str(options.repository.resolve()),
            "runner.temp": temporary,
            **{f"inputs.{name}": getattr(options, name.replace("-", "_")) for name in action["inputs"]},
        }
        code = run(action["runs"]["steps"], values, options)
    if code != options.expect:
        sys.exit(f"the steps ended with {code}, and not with {options.expect}")
    sarif = options.repository / options.sarif
    if not sarif.is_file():
        sys.exit(f"{sarif} was not written")
    sarif.unlink()


def run(steps, values, options):
    """Runs what can be run here. Returns the code of the first step that fails, as the job would have it."""
    temporary = Path(values["runner.temp"])
    for step in steps:
        if "uses" in step:
            print(f"-- {step['name']}: left out, {step['uses']}", flush=True)
            continue
        if options.tool and "cargo install" in step["run"]:
            print(f"-- {step['name']}: left out, {options.tool.name} is given", flush=True)
            (temporary / "rvcheck/bin").mkdir(parents=True)
            shutil.copy2(options.tool, temporary / "rvcheck/bin/cargo-rvcheck")
            continue
        print(f"-- {step['name']}", flush=True)
        given = {name: fill(text, values) for name, text in step.get("env", {}).items()}
        folder = options.repository / fill(step.get("working-directory", "."), values)
        environment = {**os.environ, "GITHUB_ACTIONS": "true", "RUNNER_TEMP": str(temporary), **given}
        # How GitHub starts a step whose shell is `bash`.
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", fill(step["run"], values)]
        code = subprocess.run(command, cwd=folder, env=environment, check=False).returncode
        if code:
            return code
    return 0


def fill(text, values):
    """The text with the values of its expressions. One that is none of these is a mistake in the action or a gap in this script."""
    return EXPRESSION.sub(lambda it: values[it[1]], text)


if __name__ == "__main__":
    main()
