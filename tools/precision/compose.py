"""Writes the models to predict from: sensitive calls, with what one strength says of callbacks.

    python3 tools/precision/compose.py

Every property of `specs/lib/models/sensitive/tokio.toml` gets the rules of all properties of `callbacks/STRENGTH.toml`. What comes out is written to
`specs/lib/models/STRENGTH/tokio.toml`. A test of rvcheck fails where such a file is not up to date.
"""

import pathlib
import tomllib

MODELS = pathlib.Path(__file__).resolve().parents[2] / "specs/lib/models"

# The weakest first.
STRENGTHS = ["top", "lifecycle", "lifestate"]

# What rests on messages outside of callbacks. Predictions leave those out, and nothing would ever be polled.
ONLY_VALIDATED = {"starts"}


def properties(path):
    """The properties of a file."""
    return tomllib.loads(path.read_text())["property"]


def callbacks(strength):
    """The rules on callbacks, each once."""
    of_file = properties(MODELS / "callbacks" / f"{strength}.toml")
    rules = [rule for it in of_file if it["id"] not in ONLY_VALIDATED for rule in it["rules"]]
    return list(dict.fromkeys(rules))


def sensitive():
    """The properties that prohibit calls."""
    return properties(MODELS / "sensitive/tokio.toml")


def quoted(text):
    """A text as TOML writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def written(prohibiting, rules):
    """The text of a file whose properties prohibit calls, each with these rules on callbacks."""
    lines = ["schema = 1"]
    for it in prohibiting:
        lines += ["", "[[property]]"]
        lines += [f"{key} = {quoted(it[key])}" for key in ("id", "title", "level", "logic")]
        lines += ["rules = [", *(f"  {quoted(rule)}," for rule in it["rules"] + rules), "]"]
        lines += [f"message = {quoted(it['message'])}"]
    return "\n".join(lines) + "\n"


def main():
    for strength in STRENGTHS:
        head = f"# The calls of `../sensitive/tokio.toml` and `../callbacks/{strength}.toml`, as tools/precision/compose.py writes them.\n\n"
        path = MODELS / strength / "tokio.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(head + written(sensitive(), callbacks(strength)))


if __name__ == "__main__":
    main()
