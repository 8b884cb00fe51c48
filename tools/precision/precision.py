"""What models of three strengths prove of traces: the tables of Meier, Mover and Chang (ECOOP 2019).

    python3 tools/precision/precision.py --tool target/release/cargo-rvcheck [--truth KERNELS] FOLDER…

For each sensitive call there is a line: in how many units of the runs below the folders it is made, and in how many of them that is verifiable, which is inside a callback,
in a trace without a violation. Then, for each strength, how many of these are verified: `cargo rvcheck predict --model` says that no order of their callbacks has a violation. What else
it can say is a violation, that there are too many states, or that some call is never reached by what the model allows, which proves nothing.

With `--truth`, a folder with a folder for each package that says in `kernel.toml` whether it is `buggy` or `correct`, also which buggy ones are verified for the
calls that are wrong in them.
"""

import argparse
import collections
import json
import pathlib
import tempfile
import tomllib

from compose import BUILT_IN, STRENGTHS, callbacks, sensitive, written
from runs import SECONDS, predicted, runs, validated

# Which calls go wrong in packages whose bug is called so.
WRONG_CALLS = {
    "double-lock": ["lock-requested-by-its-holder"],
    "channel-deadlock": ["sender-waits-for-itself"],
    "lost-wakeup": ["notified-nobody"],
    "protocol": ["joined-again", "sent-to-nobody", "receiver-dropped-early"],
}


def model(libraries, strength):
    """The text of one model for several libraries."""
    return written([(it, callbacks(strength, library)) for library in libraries for it in sensitive(library)])


def answers_of(run, tool, models, states, seconds):
    """By sensitive call and unit of a run: the answer for each strength, and what the trace itself does."""
    rows = {}
    for it in validated(tool, models / "top.toml", run):
        rows[it["property"], it["trace"], it["test"]] = {"violated": bool(it.get("violations"))}
    for strength in STRENGTHS if rows else []:
        found = predicted(tool, models / f"{strength}.toml", run, states, seconds)
        for key, row in rows.items():
            here = found.get(key, {})
            # The tool proves nothing of calls that it does not reach: `unreached`.
            row[strength] = here.get("answer", "unknown")
            row["targets"] = max(row.get("targets", 0), here.get("targets", 0))
            row[f"{strength}-outside"] = here.get("outside", 0)
            row[f"{strength}-may"] = here.get("may_happen", [])
            row[f"{strength}-violation"] = here.get("violation")
    return {key: cumulative(row) for key, row in rows.items()}


def cumulative(row):
    """The answers where what a weaker model proves is proved: a stronger one has all its rules, and no other ones on the same messages."""
    proved = False
    for strength in STRENGTHS:
        proved |= row.get(strength) == "absence"
        if proved:
            row[strength] = "absence"
    return row


def percent(part, whole):
    """A share as text."""
    return f"{part:>6} {100 * part / whole:>3.0f}" if whole else f"{part:>6}   -"


def table(rows, libraries):
    """The lines of the paper's table."""
    yield f"{'sensitive call':<30}{'made':>6}{'verifiable':>12}" + "".join(f"{it + ' %':>14}" for it in STRENGTHS)
    calls = [it["id"] for library in libraries for it in sensitive(library)]
    for call in [*calls, "total"]:
        own = [row for row in rows if call in (row["call"], "total")]
        made = [row for row in own if row.get("targets")]
        verifiable = [row for row in made if not row["violated"]]
        verified = [sum(row[it] == "absence" for row in verifiable) for it in STRENGTHS]
        cells = "".join(f"{percent(it, len(verifiable)):>14}" for it in verified)
        yield f"{call:<30}{len(made):>6}{len(verifiable):>12}{cells}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--truth", type=pathlib.Path)
    parser.add_argument("--states", type=int, default=1 << 20)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long the predictions of a process may take")
    parser.add_argument("--json", type=pathlib.Path, help="write all answers to this file")
    parser.add_argument("--library", action="append", help="only the calls of this library; tokio and drop without it")
    parser.add_argument("folders", nargs="+")
    words = parser.parse_args()
    words.library = words.library or BUILT_IN
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        models = pathlib.Path(folder)
        for strength in STRENGTHS:
            (models / f"{strength}.toml").write_text(model(words.library, strength))
        for run in runs(words.folders):
            for (call, trace, test), row in answers_of(run, words.tool, models, words.states, words.seconds).items():
                rows.append({"package": run.package, "run": str(run.folder), "call": call, "trace": trace, "test": test} | row)
    if words.json:
        words.json.write_text(json.dumps(rows, indent=1))
    show(rows, words)


def show(rows, words):
    """Prints the tables."""
    print("\n".join(table(rows, words.library)))
    verifiable = [row for row in rows if row.get("targets") and not row["violated"]]
    print("\nnot verified, by strength and answer")
    for strength in STRENGTHS:
        counts = collections.Counter(row[strength] for row in verifiable)
        print(f"  {strength:<12}" + "  ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    outside = sum(row["lifestate"] == "absence" and row.get("lifestate-outside", 0) > 0 for row in verifiable)
    print(f"\nof those verified with lifestates, {outside} have messages outside of callbacks, which no prediction looks at")
    if words.truth:
        bugs(words.truth, rows)


def bugs(truth, rows):
    """Which buggy packages are verified for the calls that are wrong in them."""
    missed, found, silent = collections.Counter(), collections.Counter(), 0
    names = []
    for path in sorted(truth.glob("*/kernel.toml")):
        info = tomllib.loads(path.read_text())
        calls = WRONG_CALLS.get(info["property"])
        if info["verdict"] != "buggy" or not calls:
            continue
        own = [row for row in rows if row["package"] == path.parent.name and row["call"] in calls and row.get("targets")]
        silent += not own
        for strength in STRENGTHS:
            alarms = any(row["violated"] or row[strength] != "absence" for row in own)
            (found if alarms else missed)[strength] += bool(own)
            if own and not alarms:
                names.append(f"{strength}: {path.parent.name}")
    print("\nbuggy packages of the classes that the models cover")
    for strength in STRENGTHS:
        print(f"  {strength:<12}alarm {found[strength]}, verified though buggy {missed[strength]}, call not made in a callback {silent}")
    for name in names:
        print(f"  verified though buggy: {name}")


if __name__ == "__main__":
    main()
