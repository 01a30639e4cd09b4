#!/usr/bin/env python3
"""Typesets the formulas of the guide: plain text in, MathML out, nothing to fetch.

Formulas stand once, as plain text, at the head of a method's source; its page repeats them as
blocks of ``text``. Readers of a terminal or of the files see those; the book shows MathML, which
browsers draw themselves.

    scripts/formulas.py            # mdBook's preprocessor: book as JSON in, and out again
    scripts/formulas.py --check    # every formula of docs/methods is typeset and is sound XML
"""

import json
import re
import sys
import xml.etree.ElementTree
from pathlib import Path
from xml.sax.saxutils import escape

BLOCK = re.compile(r"^```text\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
TOKEN = re.compile(
    r"(?P<gap>[ ]{2,})|(?P<space>[ ])|(?P<number>\d+(?:\.\d+)?)|(?P<mark>[_^])"
    r"|(?P<word>[^\W\d_ᵀ]+'?|[ᵀ₊²₀-₉]+)|(?P<sign>.)"
)
# Signs and words whose index stands below them.
LARGE = {"Σ", "Π", "max", "min", "argmax", "argmin", "mean"}
# What belongs to a formula; other words of two letters and more are prose.
NAMES = LARGE | {"exp", "log", "ln", "sign", "clip", "rank", "diff", "range", "kNN", "KNN", "PSD"}


class Line:
    """One line of a formula, read from left to right."""

    def __init__(self, text: str) -> None:
        self.tokens = [(m.lastgroup, m.group()) for m in TOKEN.finditer(text)]
        self.at = 0

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        found = self.peek()
        self.at += 1
        return found

    def row(self, until: str | None = None) -> str:
        """Everything up to `until`, or to the end."""
        parts = []
        while self.peek()[0] != "end" and self.peek()[1] != until:
            parts.append(self.item())
        if until is not None:
            self.take()
        return "<mrow>" + "".join(parts) + "</mrow>"

    def item(self) -> str:
        kind, text = self.take()
        base = self.atom(kind, text)
        scripts = {}
        while self.peek()[0] == "mark" and kind not in ("gap", "space") and self.peek()[1] not in scripts:
            mark = self.take()[1]
            scripts[mark] = self.index()
        below, above = scripts.get("_"), scripts.get("^")
        over = "munder" if text in LARGE and below and not above else None
        if over:
            return f"<munder>{base}{below}</munder>"
        if below and above:
            return f"<msubsup>{base}{below}{above}</msubsup>"
        if below:
            return f"<msub>{base}{below}</msub>"
        if above:
            return f"<msup>{base}{above}</msup>"
        return base

    def index(self) -> str:
        """What a mark lowers or raises: a group in braces, or what stands together."""
        if self.peek()[1] == "{":
            self.take()
            return self.row("}")
        kind, text = self.take()
        # Indices such as `ml` are two letters, not a word.
        parts = [f"<mi>{escape(c)}</mi>" for c in text] if kind == "word" and text not in NAMES else None
        return "<mrow>" + ("".join(parts) if parts else self.atom(kind, text)) + "</mrow>"

    def atom(self, kind: str, text: str) -> str:
        if kind == "gap":
            return f'<mspace width="{0.4 * len(text):.1f}em"/>'
        if kind == "space":
            return '<mspace width="0.2em"/>'
        if kind == "number":
            return f"<mn>{text}</mn>"
        if kind == "word":
            if text in {"Σ", "Π"}:
                return f'<mo largeop="true">{text}</mo>'
            letters = text.rstrip("'")
            if len(letters) == 1:
                return f"<mi>{escape(text)}</mi>"
            if text not in NAMES and not letters.isascii():
                # A product of single letters, as in Kα.
                return "<mrow>" + "".join(f"<mi>{escape(c)}</mi>" for c in text) + "</mrow>"
            if text in NAMES or text[1:] != text[1:].lower():
                return f'<mi mathvariant="normal">{escape(text)}</mi>'
            around = "\u00a0" if self.at < len(self.tokens) and self.peek()[0] == "space" else ""
            return f"<mtext>{escape(text)}{around}</mtext>"
        return f'<mo stretchy="false">{escape(text)}</mo>'


def typeset(block: str) -> str:
    """A block of formulas as HTML, a line each, set in as it was."""
    lines = []
    for line in block.rstrip("\n").split("\n"):
        inner = line.lstrip(" ")
        if not inner:
            lines.append('<div class="gap"></div>')
            continue
        left = (len(line) - len(inner)) * 0.5
        math = f'<math display="inline" displaystyle="true">{Line(inner).row()}</math>'
        lines.append(f'<div style="margin-left:{left:.1f}em">{math}</div>')
    return '<div class="formula">' + "".join(lines) + "</div>\n"


def typeset_page(text: str) -> str:
    return BLOCK.sub(lambda found: typeset(found.group(1)) + "\n", text)


def typeset_book(items: list) -> None:
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            if (chapter.get("path") or "").startswith("methods/"):
                chapter["content"] = typeset_page(chapter["content"])
            typeset_book(chapter["sub_items"])


def check(root: Path) -> int:
    count = 0
    for page in sorted((root / "docs" / "methods").glob("*.md")):
        for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
            html = typeset(found.group(1))
            xml.etree.ElementTree.fromstring(html.replace("&nbsp;", "\u00a0"))
            shown = re.sub(r"<[^>]*>|\s|\u00a0", "", html)
            wanted = re.sub(r"[\s_^{}]", "", escape(found.group(1)))
            if shown.replace("{", "").replace("}", "") != wanted:
                sys.exit(f"{page}: a formula lost something:\n{found.group(1)}\n{shown}\n{wanted}")
            count += 1
    return count


def main() -> None:
    words = sys.argv[1:]
    if words[:1] == ["--check"]:
        print(f"{check(Path(__file__).parents[1])} formulas are typeset")
    elif words[:1] != ["supports"]:
        _, book = json.load(sys.stdin)
        typeset_book(book.get("items", book.get("sections", [])))
        json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
