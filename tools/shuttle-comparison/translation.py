"""From the text of one of shuttle's tests to the same test without what it does not need, with other imports.

Only the items that a wanted test uses are kept, so that nothing else has to compile.
"""

import re

# What the crate `compat` has in the place of shuttle's.
OWN = {"check", "check_dfs", "check_random", "check_pct", "Runner"}

ITEM = re.compile(
    r"(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|const\s+|unsafe\s+)*"
    r"(?:fn|struct|enum|union|trait|type|static|const|mod|macro_rules!)\s+(\w+)"
)


def skipped(text, at):
    """Behind the comment, text or character that begins here; the same place if none does."""
    for pattern in (r"//[^\n]*", r'r#*"', r'"(?:\\.|[^"\\])*"', r"'(?:\\.|[^'\\])'"):
        found = re.compile(pattern, re.S).match(text, at)
        if not found:
            continue
        if found[0].startswith("r"):
            end = '"' + "#" * (len(found[0]) - 2)
            return text.index(end, found.end()) + len(end)
        return found.end()
    return at


def items(text):
    """The top-level items of a file, each with its attributes and comments."""
    depth, start, at = 0, 0, 0
    while at < len(text):
        behind = skipped(text, at)
        if behind != at:
            at = behind
            continue
        letter = text[at]
        depth += letter in "{[("
        depth -= letter in ")]}"
        at += 1
        is_attribute = letter == "]" and re.match(r"\s*(?://[^\n]*\s*)*#", text[start:at])
        if depth == 0 and (letter == ";" or letter == "}") and not is_attribute:
            # A list of imports goes on to its semicolon.
            if letter == "}" and re.match(r"\s*(?:pub\s+)?use\b", without_remarks(text[start:at])):
                continue
            yield text[start:at]
            start = at


def without_remarks(item):
    """An item without its comments and attributes."""
    item = re.sub(r"^\s*//[^\n]*$", "", item, flags=re.M)
    return re.sub(r"^\s*#!?\[[^\n]*\]\s*$", "", item, flags=re.M).strip()


def flat(tree, before=""):
    """The paths of a tree of imports."""
    tree = tree.strip()
    if "{" in tree:
        head, rest = tree.split("{", 1)
        inner, depth, part = rest[: rest.rindex("}")], 0, ""
        for letter in inner + ",":
            depth += (letter == "{") - (letter == "}")
            if letter == "," and depth == 0:
                if part.strip():
                    yield from flat(part, before + head.strip())
                part = ""
            else:
                part += letter
    else:
        yield before + tree


def translated(text, tests, imported):
    """The text with only these tests, and with `imported(path)` for each path of an import; `None` leaves it out."""
    imports, others, wanted = [], [], []
    for item in items(text):
        bare = without_remarks(item)
        if found := re.match(r"(?:pub\s+)?use\s+(.*);$", bare, re.S):
            imports.extend(flat(re.sub(r"\s+", " ", found[1])))
        elif re.search(r"#\[(?:test_log::)?test\]", item):
            if (named := ITEM.search(bare)) and named[1] in tests:
                wanted.append(re.sub(r"^(async\s+)?fn ", r"pub \1fn ", bare))
        elif bare:
            others.append(item.strip())
    kept = list(wanted)
    while True:
        used = set(re.findall(r"\w+", "\n".join(kept)))
        more = [it for it in others if it not in kept and names(it) & used]
        if not more:
            break
        kept.extend(more)
    used = set(re.findall(r"\w+", "\n".join(kept)))
    lines = []
    for path in imports:
        name = re.split(r"::| as ", path)[-1].strip()
        # Traits may be used without being named.
        if name in used or name in ("_", "*", "Rng") or name.endswith("Ext"):
            if (new := imported(path)) is not None:
                lines.append(f"use {new};")
    body = "\n\n".join(it for it in others + wanted if it in kept)
    for name in OWN:
        body = re.sub(rf"\bshuttle::{name}\b", f"compat::{name}", body)
    body = re.sub(r"\bshuttle::(?=\w)", lambda _: imported("shuttle::") or "shuttle::", body)
    body = body.replace("Default::default());\n    runner", "());\n    runner")
    return "#![allow(unused, clippy::all)]\n" + "\n".join(lines) + "\n\n" + body + "\n"


def names(item):
    """What an item is used by: its name, or that of the type that it is about."""
    item = without_remarks(item)
    if found := re.match(r"(?:unsafe\s+)?impl\b", item):
        return {about(item[found.end() :].split("{")[0])}
    found = ITEM.match(item)
    return {found[1]} if found else set()


def about(head):
    """The type that an `impl` with this head is about."""
    head = head.split(" for ")[-1] if " for " in head else re.sub(r"^\s*<(?:[^<>]|<[^<>]*>)*>", "", head)
    found = re.search(r"\w+", head)
    return found[0] if found else ""
