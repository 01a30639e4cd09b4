"""The Python example of the README runs as written and prints what it says."""

import re
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_example_prints_what_its_comments_say(capsys):
    (example,) = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.M | re.S)
    exec(compile(example, str(README), "exec"), {"__name__": "readme"})
    expected = re.findall(r"^print\(.*\)  # (.*)$", example, re.M)
    assert len(expected) > 0
    assert capsys.readouterr().out.splitlines() == expected
