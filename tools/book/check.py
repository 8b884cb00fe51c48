#!/usr/bin/env python3
"""Fails if a link within a book leads to no page, or to no place of one."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The places of a page, and what it refers to."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links = {"", "top"}, []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.places.add(given.get("id") or given.get("name") or "")
        self.links += [given[it] for it in ("href", "src") if given.get(it)]


def main():
    root = Path(sys.argv[1]).resolve()
    # The page for printing is all others at once, and its links are theirs.
    pages = {it: Page(it) for it in root.rglob("*.html") if it.name not in ("print.html", "404.html", "toc.html")}
    broken, links = [], 0
    for path, page in pages.items():
        for link in page.links:
            url = urlsplit(link)
            if url.scheme or url.netloc:
                continue
            links += 1
            target = (path.parent / unquote(url.path)).resolve() if url.path else path
            target = target / "index.html" if target.is_dir() else target
            is_there = target.exists() and (target not in pages or unquote(url.fragment) in pages[target].places)
            if not is_there:
                broken.append(f"{path.relative_to(root)}: {link}")
    print(f"{len(pages)} pages, {links} links, {len(broken)} of them broken")
    if broken:
        sys.exit("\n".join(broken))


if __name__ == "__main__":
    main()
