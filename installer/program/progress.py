"""Progress on a terminal, while something takes its time."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_SECONDS = 1.0


@contextmanager
def dots() -> Iterator[None]:
    """Print a dot a second until this is over; nothing where nobody looks on."""
    if not sys.stdout.isatty():
        yield
        return
    over = threading.Event()
    printer = threading.Thread(target=_print_dots, args=(over,), daemon=True)
    printer.start()
    try:
        yield
    finally:
        over.set()
        printer.join()


def _print_dots(over: threading.Event) -> None:
    printed = False
    while not over.wait(_SECONDS):
        print(".", end="", flush=True)
        printed = True
    if printed:
        print(flush=True)
