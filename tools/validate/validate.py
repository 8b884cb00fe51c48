"""Has programs of others look at what rvcheck writes about the examples.

    python3 -m venv V && V/bin/pip install -r tools/validate/requirements.txt
    npm install --prefix N @microsoft/sarif-multitool@5.7.0
    V/bin/python tools/validate/validate.py --npm N [EXAMPLE…]

JSON and the lines of `--message-format json` are held against `docs/schema/` by the package jsonschema of PyPI. SARIF is held against the
standard's schema, and given to Microsoft's multitool, which knows the other rules of the standard; one file is broken on purpose to see
that they notice it. The counts of JUnit are those that junitparser finds. Prints a line for each file, and ends with 1 if one of them is not
as it should be.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema
import junitparser

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ["bank", "clean", "shop"]


def tool():
    """The executable, built if need be."""
    words = ["cargo", "build", "--quiet", "-p", "cargo-rvcheck", "--message-format", "json"]
    built = subprocess.run(words, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    executables = (json.loads(line).get("executable") for line in built.splitlines() if line.startswith("{"))
    return next(it for it in executables if it)


def validator(name):
    """What knows the schema of this name."""
    schema = json.loads((ROOT / "docs/schema" / name).read_text())
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def schema_problems(values, name):
    """What is wrong with the values by the schema."""
    known = validator(name)
    for number, value in enumerate(values, 1):
        for error in known.iter_errors(value):
            yield f"{number}: {error.json_path}: {error.message[:200]}"


def sarif_problems(path, npm):
    """What is wrong with a file by the schema of the standard, and what the multitool says of errors and warnings."""
    package = npm / "node_modules/@microsoft/sarif-multitool-linux"
    schema = json.loads((package / "sarif-2.1.0.json").read_text())
    known = jsonschema.validators.validator_for(schema)(schema)
    for error in known.iter_errors(json.loads(path.read_text())):
        yield f"{error.json_path}: {error.message[:200]}"
    # Of what the schema excludes, this program says nothing; of the other rules of the standard, it does.
    told = path.with_suffix(".validation.sarif")
    program = package / "Sarif.Multitool"
    program.chmod(0o755)
    words = [program, "validate", path, "--output", told, "--log", "ForceOverwrite"]
    words += ["--rule-kind", "Sarif;Ghas", "--level", "Error;Warning"]
    environment = dict(os.environ, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT="1")
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    if not told.exists():
        yield f"the multitool gave no answer: {(done.stdout + done.stderr).strip()[-300:]}"
        return
    for result in json.loads(told.read_text())["runs"][0].get("results", []):
        message = result["message"]
        text = message.get("text") or " ".join([message.get("id", ""), *message.get("arguments", [])])
        yield f"{result['ruleId']} {result.get('level', 'warning')}: {text[:200]}"


def notices_mistakes(path, npm):
    """Whether the two would see what is wrong: a level that there is not, and a place that ends before it begins."""
    text = path.read_text()
    changes = [(r'"level": "\w+"', '"level": "fatal"'), (r'"endLine": \d+', '"endLine": 1')]
    for pattern, wrong in changes:
        other = path.with_name("wrong.sarif")
        other.write_text(re.sub(pattern, wrong, text))
        if other.read_text() != text and not list(sarif_problems(other, npm)):
            yield f"nobody sees that {wrong} is wrong"


def junit_problems(path):
    """Whether the counts are those of the cases."""
    suites = list(junitparser.JUnitXml.fromfile(str(path)))
    for suite in suites:
        cases = list(suite)
        failed = sum(any(isinstance(it, junitparser.Failure) for it in case.result) for case in cases)
        if (suite.tests, suite.failures) != (len(cases), failed):
            yield f"{suite.name}: {suite.tests} tests and {suite.failures} failures are told, but there are {len(cases)} and {failed}"
    if not suites:
        yield "there is no suite"


def main():
    """Validates all of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npm", type=pathlib.Path, required=True, help="the folder with node_modules")
    parser.add_argument("examples", nargs="*", default=EXAMPLES)
    args = parser.parse_args()
    program, wrong = tool(), 0
    for example in args.examples:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            outputs = {form: folder / f"report.{form}" for form in ("json", "sarif", "junit")}
            words = [program, "rvcheck", "test", "--manifest-path", ROOT / "examples" / example / "Cargo.toml"]
            words += ["--no-snapshot", "--message-format", "json"]
            words += [word for form, path in outputs.items() for word in ("--output", f"{form}={path}")]
            run = subprocess.run(words, capture_output=True, text=True)
            lines = [json.loads(line) for line in run.stdout.splitlines()]
            report = json.loads(outputs["json"].read_text())
            found = {
                "json": (len(report["findings"]), schema_problems([report], "report.json")),
                "messages": (len(lines), schema_problems(lines, "messages.json")),
                "sarif": (len(report["findings"]), sarif_problems(outputs["sarif"], args.npm.resolve())),
                "junit": (len(report["properties"]), junit_problems(outputs["junit"])),
            }
            if example == args.examples[0]:
                found["broken"] = (2, notices_mistakes(outputs["sarif"], args.npm.resolve()))
            for form, (count, problems) in found.items():
                problems = list(problems)
                wrong += len(problems)
                print(f"{example:8} {form:9} {count:4} entries, {len(problems)} problems")
                for problem in problems:
                    print(f"    {problem}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
