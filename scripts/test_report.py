"""What scripts/test-report does in the browser: reports of bundled and made-up tables and matrices.

Usage: test_report.py PROGRAM FOLDER
"""

import csv
import io
import os
import random
import subprocess
import sys
import time
import xml.etree.ElementTree
from pathlib import Path

from playwright.sync_api import sync_playwright

WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}
LARGEST = 3_000_000
# A busy machine may be given more.
SLOWEST = float(os.environ.get("SLOWEST", "60"))
# Larger than what some sections look at.
SAMPLED = {"large", "house-votes-84", "balance-scale", "epistasis"}


def similarities(folder: Path) -> list[str]:
    """Words that name similarities of three classes: asymmetric, some negative, one sample alone."""
    size, alone = 90, 89
    draw = random.Random(1)

    def similarity(i: int, j: int) -> float:
        if i == j:
            return 9.0
        if alone in (i, j):
            return -6.0
        return round((4.0 if i % 3 == j % 3 else 0.0) + draw.gauss(0.0, 1.5), 2)

    matrix, labels = folder / "similar.csv", folder / "labels.txt"
    matrix.write_text(
        "".join(",".join(str(similarity(i, j)) for j in range(size)) + "\n" for i in range(size))
    )
    labels.write_text("".join(["<i>a</i>", "b & c", "d"][i % 3] + "\n" for i in range(size)))
    return ["--similarity", str(matrix), "--labels", str(labels)]


def reports(program: str, folder: Path) -> list[Path]:
    """Reports to open, each made in under a minute and small enough to send by mail."""
    folder.mkdir(parents=True, exist_ok=True)
    odd = folder / "odd.csv"
    odd.write_text(
        'id,"<b>bold</b>",kind,constant,class\n'
        + "".join(f'r{i},{i % 7}.5,{["x", "y", "=1+1"][i % 3]},1,{"<i>a</i>" if i % 2 else "b & c"}\n' for i in range(40))
    )
    real = folder / "real.csv"
    subprocess.run([program, "simulate", "lin-inc", "-o", str(real)], check=True)
    large = folder / "large.csv"
    words = ["simulate", "xor", "--rows", "4000", "--irrelevant", "58", "-o", str(large)]
    subprocess.run([program, *words], check=True)
    bundled = ["@iris", "@wine", "@house-votes-84", "@balance-scale", "@epistasis"]
    subjects = [[table] for table in [*bundled, str(odd), str(real), str(large)]]
    subjects.append(similarities(folder))
    pages = []
    for subject in subjects:
        name = Path(subject[-1]).stem.lstrip("@").replace("labels", "similar")
        page = folder / f"{name}.html"
        begun = time.monotonic()
        subprocess.run([program, "report", *subject, "-q", "-o", str(page)], check=True)
        seconds = time.monotonic() - begun
        size = page.stat().st_size
        print(f"{name}: {seconds:.1f} s, {size / 1000:.0f} kB", flush=True)
        assert seconds < SLOWEST, f"{name} took {seconds:.0f} s"
        assert size < LARGEST, f"{name} is {size} bytes"
        assert ("so that it takes seconds" in page.read_text()) == (name in SAMPLED), name
        pages.append(page)
    return pages


def saved_by(page, button) -> Path:
    """What a button saves. Chromium drops the eleventh file within a second, so not too fast."""
    page.wait_for_timeout(150)
    with page.expect_download() as saved:
        button.click()
    return Path(saved.value.path())


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
        lines = list(csv.reader(io.StringIO(saved_by(page, holder.locator(".csv")).read_text())))
        assert len(lines) == rows + 1 and len(lines[0]) == heads.count(), lines[0]
        # No cell is a formula to a spreadsheet; the table of odd names has one.
        cells = [cell for line in lines for cell in line]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))], cells


def check_figures(page) -> None:
    figures = page.locator("figure")
    assert figures.count() >= 2
    for figure in figures.all():
        svg = figure.locator("svg")
        assert svg.get_attribute("role") == "img"
        for kind in ["title", "desc"]:
            assert svg.locator(f":scope > {kind}").text_content().strip()
        xml.etree.ElementTree.parse(saved_by(page, figure.locator("button.svg")))
    page.locator("figure svg rect:has(title)").first.hover()
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
    kept = "JSON.parse(document.getElementById('neighbour-data').textContent).rows[5].number"
    other = page.evaluate(kept)
    page.locator("#row").fill(str(other))
    assert f"Row {other} has" in found.inner_text() and found.inner_text() != first
    page.locator("#row").fill("99999999")
    assert "not among" in found.inner_text()
    page.locator("#row").fill("0")


def check_keyboard(page) -> None:
    """Everything that is clicked can be reached and used by keys."""
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    ground = "getComputedStyle(document.body).backgroundColor"
    page.locator("#theme").focus()
    before = page.evaluate(ground)
    page.keyboard.press("Enter")
    assert page.evaluate(ground) != before
    page.keyboard.press("Enter")
    head = page.locator(".table thead th").first
    head.locator("button").focus()
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") in ("ascending", "descending")
    # Nothing that takes the focus is without a name.
    unnamed = page.locator("button, a, input").evaluate_all(
        "all => all.filter(e => !(e.textContent.trim() || e.ariaLabel || e.labels?.length)).length"
    )
    assert unnamed == 0, unnamed


def check_print(page) -> None:
    """On paper: no tools, all rows of a table, black on white."""
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert not page.locator(".tools").first.is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    cut = page.locator(".scroll").evaluate_all("all => all.filter(e => e.scrollHeight > e.clientHeight + 1).length")
    assert cut == 0, f"{cut} tables are cut on paper"
    pdf = page.pdf(format="A4")
    assert pdf.startswith(b"%PDF") and len(pdf) > 10_000
    page.emulate_media(media="screen")


def check_page(page, path: Path, width: str) -> None:
    said = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url) if request.url.startswith("http") else None)
    page.goto(path.as_uri())
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), "wider than the screen"
    check_keyboard(page)
    page.reload()
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    page.screenshot(path=path.with_suffix(f".{width}.png"), full_page=True)
    check_theme(page)
    if width == "desktop":
        check_tables(page)
        check_figures(page)
        page.locator("#theme").click()
        page.screenshot(path=path.with_suffix(f".{width}.dark.png"), full_page=True)
        page.locator("#theme").click()
        check_print(page)
    check_neighbours(page)
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
