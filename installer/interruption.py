"""Signals that end a program: the first one has everything undone, and no second one disturbs that."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
_is_held = False
_has_come = False


def catch() -> None:
    """Let the end of a terminal or a kill be a KeyboardInterrupt, as Ctrl-C is."""
    _handle_with(_arrive)


def ignore() -> None:
    """Go on to the end from here, whatever comes: half of the work would be worse than all of it."""
    _handle_with(signal.SIG_IGN)


@contextmanager
def hold() -> Iterator[None]:
    """Let a signal wait until this is over: a step and the entry of its undoing belong together."""
    global _is_held  # noqa: PLW0603  signals belong to the whole process
    _is_held = True
    try:
        yield
    finally:
        _is_held = False
    if _has_come:
        raise KeyboardInterrupt


def _arrive(_number: int, _frame: FrameType | None) -> None:
    global _has_come  # noqa: PLW0603  see above
    _has_come = True
    ignore()
    if not _is_held:
        raise KeyboardInterrupt


def _handle_with(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    for name in _NAMES:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores it for us
            signal.signal(number, handler)
