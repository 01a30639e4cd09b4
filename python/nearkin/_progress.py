"""Progress of long work on the screen, for ``verbose=1``."""

import sys
from contextlib import contextmanager


@contextmanager
def progress(title, verbose):
    """Give a function of (done, total) that shows progress, or None when not verbose.

    A bar where tqdm is installed, else a line on stderr that is written over.
    """
    if not verbose:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield from _plain_line(title)
    else:
        with tqdm(desc=title, unit="block") as bar:

            def show(done, total):
                bar.total = total
                bar.n = done
                bar.refresh()

            yield show
            if bar.total is not None:
                show(bar.total, bar.total)


def _plain_line(title):
    shown = False

    def show(done, total):
        nonlocal shown
        shown = True
        print(f"\r{title}: {100 * done // total} %", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown:
            print(file=sys.stderr)
