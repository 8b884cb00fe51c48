"""How much of each trace the models of callbacks allow: figure 11 of Meier, Mover and Chang (ECOOP 2019), as text.

    python3 tools/precision/curve.py --tool target/release/cargo-rvcheck FOLDER…

Every run below the folders is validated. For each strength and property there is a line: how many units have a message that it speaks of, and how many of them are
valid up to at least so much of their messages. What refutes a model follows, with its trace. Ends with 1 if a model is refuted.
"""

import argparse
import collections
import pathlib

from compose import MODELS, STRENGTHS
from runs import runs, validated

SHARES = [1, 25, 50, 75, 90, 100]


def share(answer):
    """The percentage of its messages to which a unit is valid."""
    return 100 * answer["valid"] / answer["messages"] if answer.get("refused") else 100


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
    models = [("other", pathlib.Path(it)) for it in words.models or []]
    models = models or [(it, path) for it in STRENGTHS[1:] for path in sorted((MODELS / "callbacks" / it).glob("*.toml"))]
    found, refuted = runs(words.folders), []
    print(f"{'valid to at least':<33}" + "".join(f"{share:>7}%" for share in SHARES))
    print(f"{'model':<26}{'units':>7}")
    for strength in dict.fromkeys(it for it, _ in models):
        answers, units = collections.defaultdict(list), collections.defaultdict(list)
        for model in (path for it, path in models if it == strength):
            for run in found:
                for it in validated(words.tool, model, run):
                    # What is missing from a trace may permit the message.
                    if it.get("inconclusive"):
                        continue
                    answers[f"{model.stem}: {it['property']}"].append(it)
                    units[run.folder, it["trace"], it["test"]].append(it)
                    if it.get("refused"):
                        refuted.append((model, run, it))
        # A unit is valid as far as all properties allow it.
        print(line(strength, sorted(min(map(share, it)) for it in units.values())))
        for name, of_property in sorted(answers.items()):
            print(line(f"  {name}", sorted(map(share, of_property))))
    for model, run, it in refuted:
        rules = ", ".join(map(str, it.get("removed_by", [])))
        print(f"{model.parent.name}/{model.stem} {it['property']}: {run.folder} {it['test']}: {it['valid']} of {it['messages']}: {it['refused']} (rules {rules})")
    raise SystemExit(1 if refuted else 0)


if __name__ == "__main__":
    main()
