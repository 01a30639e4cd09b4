"""The Python code of the guide runs and prints what it shows."""

import doctest
import re
from pathlib import Path

import cohort
import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ["genotypes.md", "vector-index.md"]


@pytest.mark.parametrize("page", PAGES)
def test_code_of_the_page_runs(page, tmp_path, monkeypatch):
    cohort.lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    path = DOCS / page
    blocks = re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL)
    assert blocks
    code = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, str(path), 0)
    said = []
    results = doctest.DocTestRunner(verbose=False).run(code, out=said.append)
    assert results.attempted > 0 and results.failed == 0, "".join(said)
