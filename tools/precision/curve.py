"""How much of each trace the models of callbacks allow: figure 11 of Meier, Mover and Chang (ECOOP 2019), as text.

    python3 tools/precision/curve.py --tool target/release/cargo-rvcheck FOLDER…

Every run below the folders is validated. For each strength and property there is a line: how many units have a message that it speaks of, and how many of them are
valid up to at least so much of their messages. What refutes a model follows, with its trace. Ends with 1 if a model is refuted.
"""

import argparse
import collections

from compose import MODELS, STRENGTHS
from runs import runs, validated

SHARES = [1, 25, 50, 75, 90, 100]


def shares(answers):
    """The percentages of their messages to which units are valid."""
    return sorted(100.0 * it["valid"] / max(it["messages"], 1) if it.get("refused") else 100.0 for it in answers)


def line(name, found):
    """How many of the units are valid to each share."""
    counts = [sum(it >= share for it in found) for share in SHARES]
    return f"{name:<26}{len(found):>7}" + "".join(f"{it:>8}" for it in counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--models", nargs="*", help="other property files than those of the repository")
    parser.add_argument("folders", nargs="+")
    words = parser.parse_args()
    models = words.models or [MODELS / "callbacks" / f"{it}.toml" for it in STRENGTHS[1:]]
    refuted = []
    print(f"{'valid to at least':<33}" + "".join(f"{share:>7}%" for share in SHARES))
    print(f"{'model':<26}{'units':>7}")
    for model in models:
        answers, units = collections.defaultdict(list), collections.defaultdict(list)
        for run in runs(words.folders):
            for it in validated(words.tool, model, run):
                answers[it["property"]].append(it)
                units[run.package, it["trace"], it["test"]].append(it)
                if it.get("refused"):
                    refuted.append((model, run, it))
        # A unit is valid as far as all properties allow it.
        whole = [min(group, key=lambda it: it["valid"] / max(it["messages"], 1) if it.get("refused") else 1) for group in units.values()]
        name = getattr(model, "stem", str(model))
        print(line(name, shares(whole)))
        for property, found in sorted(answers.items()):
            print(line(f"  {property}", shares(found)))
    for model, run, it in refuted:
        rules = ", ".join(map(str, it.get("removed_by", [])))
        print(f"{getattr(model, 'stem', model)} {it['property']}: {run.folder} {it['test']}: {it['valid']} of {it['messages']}: {it['refused']} (rules {rules})")
    raise SystemExit(1 if refuted else 0)


if __name__ == "__main__":
    main()
