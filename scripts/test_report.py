"""What scripts/test-report does in the browser: reports of bundled and made-up tables.

Usage: test_report.py PROGRAM FOLDER
"""

import csv
import io
import os
import subprocess
import sys
import time
import xml.etree.ElementTree
from pathlib import Path

from playwright.sync_api import sync_playwright

WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}
LARGEST = 3_000_000
SLOWEST = 60.0


def reports(program: str, folder: Path) -> list[Path]:
    """Reports to open, each made in under a minute and small enough to send by mail."""
    folder.mkdir(parents=True, exist_ok=True)
    odd = folder / "odd.csv"
    odd.write_text(
        'id,"<b>bold</b>",kind,constant,class\n'
        + "".join(f'r{i},{i % 7}.5,{"xyz"[i % 3]},1,{"<i>a</i>" if i % 2 else "b & c"}\n' for i in range(40))
    )
    real = folder / "real.csv"
    subprocess.run([program, "simulate", "lin-inc", "-o", str(real)], check=True)
    tables = ["@iris", "@wine", "@house-votes-84", str(odd), str(real)]
    pages = []
    for table in tables:
        page = folder / f"{Path(table).stem.lstrip('@')}.html"
        begun = time.monotonic()
        subprocess.run([program, "report", table, "-q", "-o", str(page)], check=True)
        seconds = time.monotonic() - begun
        size = page.stat().st_size
        print(f"{table}: {seconds:.1f} s, {size / 1000:.0f} kB")
        assert seconds < SLOWEST, f"{table} took {seconds:.0f} s"
        assert size < LARGEST, f"{table} is {size} bytes"
        pages.append(page)
    return pages


def column(table, at: int) -> list[str]:
    cells = table.locator(f"tbody tr:not([hidden]) td:nth-child({at})")
    return cells.evaluate_all("cells => cells.map(c => c.dataset.v ?? c.textContent)")


def check_tables(page) -> None:
    for holder in page.locator(".table").all():
        table = holder.locator("table")
        heads = table.locator("thead th button")
        rows = table.locator("tbody tr").count()
        for at in range(min(heads.count(), 4)):
            seen = []
            for _ in range(2):
                heads.nth(at).click()
                seen.append(table.locator("thead th").nth(at).get_attribute("aria-sort"))
                values = [value for value in column(table, at + 1) if value]
                try:
                    values = [float(value) for value in values]
                except ValueError:
                    continue
                falling = seen[-1] == "descending"
                assert values == sorted(values, reverse=falling), (holder.get_attribute("data-name"), values)
            assert sorted(seen) == ["ascending", "descending"], seen
        search = holder.locator("input[type=search]")
        word = column(table, 1)[0]
        search.fill(word)
        kept = column(table, 1)
        texts = table.locator("tbody tr:not([hidden])").all_inner_texts()
        assert kept and all(word.lower() in text.lower() for text in texts), (word, texts)
        search.fill("no row holds this")
        assert not column(table, 1)
        search.fill("")
        assert table.locator("tbody tr:not([hidden])").count() == rows
        with page.expect_download() as saved:
            holder.locator(".csv").click()
        lines = list(csv.reader(io.StringIO(Path(saved.value.path()).read_text())))
        assert len(lines) == rows + 1 and len(lines[0]) == heads.count(), lines[0]


def check_figures(page) -> None:
    figures = page.locator("figure")
    assert figures.count() >= 2
    for figure in figures.all():
        svg = figure.locator("svg")
        assert svg.get_attribute("role") == "img"
        for kind in ["title", "desc"]:
            assert svg.locator(f":scope > {kind}").text_content().strip()
        with page.expect_download() as saved:
            figure.locator("button.svg").click()
        xml.etree.ElementTree.parse(saved.value.path())
    page.locator("figure svg > *:has(> title)").first.hover(force=True)
    assert page.locator("#tip").is_visible() and page.locator("#tip").inner_text()


def check_theme(page) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(ground)
    page.locator("#theme").click()
    assert page.evaluate(ground) != before
    ink = page.locator("figure .f-text").first.evaluate("one => getComputedStyle(one).fill")
    page.locator("#theme").click()
    assert page.evaluate(ground) == before
    assert page.locator("figure .f-text").first.evaluate("one => getComputedStyle(one).fill") != ink


def check_neighbours(page) -> None:
    found = page.locator("#neighbours .found")
    if not found.count():
        return
    first = found.inner_text()
    page.locator("#row").fill("7")
    assert "Row 7 is" in found.inner_text() and found.inner_text() != first
    page.locator("#row").fill("99999999")
    assert "not among" in found.inner_text()
    page.locator("#row").fill("0")


def check_page(page, path: Path, width: str) -> None:
    said = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url) if request.url.startswith("http") else None)
    page.goto(path.as_uri())
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), "wider than the screen"
    page.screenshot(path=path.with_suffix(f".{width}.png"), full_page=True)
    check_theme(page)
    if width == "desktop":
        check_tables(page)
        check_figures(page)
        page.locator("#theme").click()
        page.screenshot(path=path.with_suffix(f".{width}.dark.png"), full_page=True)
        page.locator("#theme").click()
        pdf = page.pdf(format="A4")
        assert pdf.startswith(b"%PDF") and len(pdf) > 10_000
    check_neighbours(page)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement !== document.body")
    assert not said, said


def main() -> None:
    program, folder = sys.argv[1], Path(sys.argv[2])
    pages = reports(program, folder)
    with sync_playwright() as playwright:
        chosen = os.environ.get("CHROMIUM") or None
        browser = playwright.chromium.launch(executable_path=chosen)
        for path in pages:
            for width, (w, h) in WIDTHS.items():
                page = browser.new_page(viewport={"width": w, "height": h})
                check_page(page, path, width)
                page.close()
                print(f"{path.name} at {width}: well")
        browser.close()
    print(f"All reports work; their pictures are in {folder}.")


if __name__ == "__main__":
    main()
