"""Writes the models to predict from: sensitive calls, with what one strength says of callbacks.

    python3 tools/precision/compose.py

Below `specs/lib/models`, every property of `sensitive/LIBRARY.toml` gets the rules of `callbacks/STRENGTH`: those of tokio and of `Drop`, and of the
library itself. What comes out is written to `STRENGTH/LIBRARY.toml`. A test of rvcheck fails where such a file is not up to date.
"""

import pathlib
import tomllib

MODELS = pathlib.Path(__file__).resolve().parents[2] / "specs/lib/models"

# The weakest first.
STRENGTHS = ["top", "lifecycle", "lifestate"]

# What is built in: all models have these rules.
BUILT_IN = ["tokio", "drop"]

LIBRARIES = [*BUILT_IN, "tower", "hyper"]

# What rests on messages outside of callbacks, which predictions leave out: nothing would ever be polled. What no call depends on.
ONLY_VALIDATED = {"starts", "blocking"}


def properties(path):
    """The properties of a file; none where there is no file."""
    return tomllib.loads(path.read_text())["property"] if path.exists() else []


def callbacks(strength, library):
    """The rules on callbacks, each once."""
    files = dict.fromkeys([*BUILT_IN, library])
    of_files = [it for file in files for it in properties(MODELS / "callbacks" / strength / f"{file}.toml")]
    rules = [rule for it in of_files if it["id"] not in ONLY_VALIDATED for rule in it["rules"]]
    return list(dict.fromkeys(rules))


def sensitive(library):
    """The properties that prohibit calls."""
    return properties(MODELS / "sensitive" / f"{library}.toml")


def quoted(text):
    """A text as TOML writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def written(prohibiting):
    """The text of a file whose properties prohibit calls, each with its rules on callbacks."""
    lines = ["schema = 1"]
    for it, rules in prohibiting:
        lines += ["", "[[property]]"]
        lines += [f"{key} = {quoted(it[key])}" for key in ("id", "title", "level", "logic")]
        lines += ["rules = [", *(f"  {quoted(rule)}," for rule in it["rules"] + rules), "]"]
        lines += [f"message = {quoted(it['message'])}"]
    return "\n".join(lines) + "\n"


def main():
    for strength in STRENGTHS:
        for library in LIBRARIES:
            head = f"# `../sensitive/{library}.toml` and `../callbacks/{strength}`, put together by tools/precision/compose.py.\n\n"
            path = MODELS / strength / f"{library}.toml"
            path.parent.mkdir(exist_ok=True)
            path.write_text(head + written([(it, callbacks(strength, library)) for it in sensitive(library)]))


if __name__ == "__main__":
    main()
