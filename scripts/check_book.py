#!/usr/bin/env python3
"""Links and anchors of a built book lead somewhere within it. Usage: check_book.py FOLDER"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links of a page and the names that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.names.add(value)
            if (tag, name) in {("a", "href"), ("link", "href"), ("img", "src"), ("script", "src")} and value:
                self.links.append(value)


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    checked, lost = 0, []
    for path, page in pages.items():
        # print.html repeats all pages in one, and 404.html is shown under any address.
        if path.name in {"print.html", "404.html", "toc.html"}:
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            known = target in pages and (not anchor or anchor in pages[target].names)
            if not (known or (target.is_file() and not anchor)):
                lost.append(f"{path.relative_to(folder)}: {link}")
            checked += 1
    if lost or not checked:
        sys.exit("links that lead nowhere:\n" + "\n".join(lost))
    print(f"{len(pages)} pages, {checked} links, all lead somewhere")


if __name__ == "__main__":
    main()
