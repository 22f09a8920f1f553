#!/usr/bin/env python3
"""Checks a built book: each link to a file of the book leads to one, and each anchor to a heading."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name in ("id", "name") and value:
                self.anchors.add(value)


book = Path(sys.argv[1]).resolve()
pages = {path: Page(path.read_text()) for path in sorted(book.rglob("*.html")) if path.name not in ("404.html", "toc.html")}
faults, count = [], 0
for path, page in pages.items():
    for link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        count += 1
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        target = target / "index.html" if target.is_dir() else target
        is_heading = not parts.fragment or target not in pages or unquote(parts.fragment) in pages[target].anchors
        if not target.is_file() or not is_heading:
            faults.append(f"{path.relative_to(book)}: {link}")
print("\n".join(sorted(set(faults)) + [f"{count} links in {len(pages)} pages, {len(set(faults))} broken"]))
sys.exit(bool(faults))
