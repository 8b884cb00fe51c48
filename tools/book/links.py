#!/usr/bin/env python3
"""A preprocessor of mdbook: links that lead out of `docs` become links into the repository, since the book has none of that.

mdbook calls the page of a `README.md` `index.html`, but leaves links to it as they are. So these are changed, too.
"""

import json
import posixpath
import re
import sys

LINK = re.compile(r"(?<!!)\]\((?!\w+://|#)([^)#\s]+)(#[^)\s]*)?\)")


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "supports":
        return
    context, book = json.load(sys.stdin)
    source = context["config"]["book"]["src"]
    repository = context["config"]["output"]["html"]["git-repository-url"]
    # The newer name came with mdbook 0.5.
    for item in book.get("sections") or book["items"]:
        visit(item, source, repository)
    json.dump(book, sys.stdout)


def visit(item, source, repository):
    """Changes the text of a chapter and of those below it."""
    chapter = item.get("Chapter") if isinstance(item, dict) else None
    if not chapter:
        return
    if chapter["path"]:
        folder = posixpath.dirname(posixpath.join(source, chapter["path"]))
        chapter["content"] = LINK.sub(lambda it: link(it, folder, source, repository), chapter["content"])
    for below in chapter["sub_items"]:
        visit(below, source, repository)


def link(found, folder, source, repository):
    """The link as it is, or into the repository where its target is no page or picture of the book."""
    path = posixpath.normpath(posixpath.join(folder, found[1]))
    inside = path.startswith(source + "/") and "." in posixpath.basename(path)
    if not inside:
        return f"]({repository}/blob/main/{path}{found[2] or ''})"
    if posixpath.basename(path) != "README.md":
        return found[0]
    return f"]({posixpath.join(posixpath.dirname(found[1]), 'index.md')}{found[2] or ''})"


if __name__ == "__main__":
    main()
