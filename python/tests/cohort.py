"""PLINK's files for the pages of the guide, which call them cohort."""

import shutil
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "crates" / "nearkin-read" / "tests" / "fixtures" / "plink"


def lay_out(folder):
    """Put `cohort.bed`, `cohort.bim` and `cohort.fam` into a folder."""
    for ending in ("bed", "bim", "fam"):
        shutil.copy(FIXTURES / f"wide.{ending}", folder / f"cohort.{ending}")
