"""Signals that end a program: the first one undoes everything, and no second one disturbs that.

It may come between any two steps, so what undoes a step is registered before it, and does nothing where there is
nothing to undo yet.
"""

import signal
from collections.abc import Callable
from types import FrameType

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP


def catch() -> None:
    """Turn a closed terminal or a kill into a KeyboardInterrupt, like Ctrl-C."""
    _handle_with(_interrupt)


def ignore() -> None:
    """Ignore these signals from here on: half of the work would be worse than all of it."""
    _handle_with(signal.SIG_IGN)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    ignore()
    raise KeyboardInterrupt


def _handle_with(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    for name in _NAMES:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores it for us
            signal.signal(number, handler)
