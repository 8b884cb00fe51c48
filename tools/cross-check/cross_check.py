#!/usr/bin/env python3
"""Compares the verdicts of this project with those of other programs on random formulas and traces; see README.md."""

import argparse
import contextlib
import functools
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import formulas as f

ROOT = Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--formulas", type=int, default=1000, help="formulas for each program (mona: a tenth)")
    parser.add_argument("--depth", type=int, default=4, help="operators inside one another")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    build = ["cargo", "build", "--quiet", "-p", "rvcheck-spec", "--example", "verdicts",
             "--message-format", "json-render-diagnostics"]
    built = subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    program = re.findall(r'"executable":"([^"]+)"', built)[-1]
    differences = 0
    # With how many traces for each formula, and how long they are at most. All beginnings of a trace are compared. `reelay` needs
    # a tenth of a second to make a monitor, and none can be used twice.
    for name, judge, count, traces, longest in [
        ("flloat (future)", flloat, options.formulas, 3, 8),
        ("ltlf2dfa + mona (future)", functools.partial(mona, direction="future"), options.formulas // 10, 20, 8),
        ("ltlf2dfa + mona (past)", functools.partial(mona, direction="past"), options.formulas // 10, 20, 8),
        ("reelay (past)", reelay, options.formulas, 1, 20),
        ("reelay (past, timed)", reelay, options.formulas, 1, 20),
    ]:
        differences += compare(name, judge, count, traces, longest, program, options)
    sys.exit(1 if differences else 0)


def compare(name, judge, count, traces, longest, program, options):
    """`judge` takes a formula and gives a function from traces to verdicts, one for each beginning of the trace."""
    rng = f.seeded(f"{options.seed} {name}")
    past, timed = "past" in name, "timed" in name
    unary, binary = (f.UNARY_PAST, f.BINARY_PAST) if past else (f.UNARY_FUTURE, f.BINARY_FUTURE)
    cases, theirs = [], []
    try:
        for _ in range(count):
            formula = f.formula(rng, options.depth, unary, binary, timed)
            for _ in range(traces):
                trace = f.trace(rng, longest)
                cases += [(formula, trace[:length]) for length in range(1, len(trace) + 1)]
                theirs += judge(formula, trace)
    except (ImportError, FileNotFoundError) as missing:
        print(f"{name}: not compared, {missing}")
        return 0
    # A formula of the past is compared at the last position.
    at = (lambda it: f"F (!X true && ({it}))") if past else (lambda it: it)
    lines = "".join(f"{at(f.ours(formula))}\t{f.our_trace(trace)}\n" for formula, trace in cases)
    ran = subprocess.run([program], input=lines, stdout=subprocess.PIPE, text=True, check=True)
    ours = [line.split() for line in ran.stdout.splitlines()]
    assert len(ours) == len(cases) == len(theirs), f"{len(ours)} and {len(theirs)} verdicts of {len(cases)}"
    differences, networks = 0, 0
    for (formula, trace), their, (meaning, monitor, network) in zip(cases, theirs, ours):
        networks += network != "-"
        if any(it != "-" and (it == "1") != their for it in (meaning, monitor, network)):
            differences += 1
            if differences <= 5:
                print(f"  {f.ltlf(formula)} on {trace}: they say {their}, we {meaning} (meaning) {monitor} (monitor) "
                      f"{network} (network)\n    {f.ours(formula)}")
    print(f"{name}: {count} formulas, {len(cases)} cases ({sum(theirs)} true; {networks} by networks as well), "
          f"{differences} differences", flush=True)
    return differences


def flloat(formula, trace):
    parsed = flloat_parser()(f.ltlf(formula))
    true = [{it: it in position for it in f.PROPOSITIONS} for position in trace]
    return [parsed.truth(true[:length], 0) for length in range(1, len(trace) + 1)]


@functools.cache
def flloat_parser():
    from flloat.parser.ltlf import LTLfParser

    return LTLfParser()


def mona(formula, trace, direction):
    """Runs the automaton that `mona` makes."""
    first, accepting, edges = automaton(formula, direction)
    state, verdicts = first, []
    for position in trace:
        true = {it: it in position for it in f.PROPOSITIONS}
        state = next(there for label, there in edges[state] if eval(label, true))
        verdicts.append(state in accepting)
    return verdicts


@functools.lru_cache(maxsize=1)
def automaton(formula, direction):
    """The first state, the accepting states, and by state the labels with where they lead."""
    from ltlf2dfa.parser.ltlf import LTLfParser
    from ltlf2dfa.parser.ppltl import PPLTLParser

    if shutil.which("mona") is None:
        raise FileNotFoundError("there is no program `mona`")
    parser = LTLfParser if direction == "future" else PPLTLParser
    # It complains on standard output of automata without variables.
    with contextlib.redirect_stdout(io.StringIO()):
        dot = parser()(f.ltlf(formula)).to_dfa()
    accepting = set(re.findall(r"\d+", re.search(r"doublecircle\];([^\n]*)", dot).group(1)))
    first = re.search(r"init -> (\d+)", dot).group(1)
    edges = {}
    for here, there, label in re.findall(r'(\d+) -> (\d+) \[label="([^"]*)"\]', dot):
        for theirs, python in [("~", " not "), ("&", " and "), ("|", " or "), ("true", "True"), ("false", "False")]:
            label = label.replace(theirs, python)
        edges.setdefault(here, []).append((compile(label.strip(), "label", "eval"), there))

    return first, accepting, edges


def reelay(formula, trace):
    import reelay as program

    monitor = program.discrete_timed_monitor(pattern=f.reelay(formula), condense=False)
    return [monitor.update({it: it in position for it in f.PROPOSITIONS})["value"] for position in trace]


if __name__ == "__main__":
    main()
