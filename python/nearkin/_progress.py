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
        yield from _bar(tqdm, title)


def _bar(tqdm, title):
    """A bar, from when there is something to show on."""
    bar = None

    def show(done, total):
        nonlocal bar
        if bar is None:
            bar = tqdm(desc=title, unit="block", total=total)
        bar.total = total
        bar.n = done
        bar.refresh()

    try:
        yield show
        if bar is not None:
            show(bar.total, bar.total)
    finally:
        if bar is not None:
            bar.close()


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
