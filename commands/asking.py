"""Helpers of the commands that query the history: option values, and store errors as one line."""

import argparse
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from commands.command import CommandError
from history.store import store
from shared import paths

_UNITS = {"h": 3_600, "d": 86_400, "w": 604_800}


def add_since(parser: argparse.ArgumentParser) -> None:
    """Add --since, parsed into epoch seconds; 0 without it."""
    help_text = "only what happened since then: 36h, 7d, 2w, or 2026-03-01"
    parser.add_argument("--since", type=since, default=0, metavar="WHEN", help=help_text)


@contextmanager
def store_problems(root: str) -> Iterator[None]:
    """Turn an error of `root`'s store into a CommandError that names the file."""
    path = paths.history_store(root)
    try:
        yield
    except store.StoreError as problem:
        raise CommandError(str(problem)) from None
    except (sqlite3.Error, UnicodeDecodeError) as problem:
        # Text that isn't UTF-8 is damage, too.
        is_damage = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF == sqlite3.SQLITE_CORRUPT
        raise CommandError(f"{path} cannot be used: {problem}{f'; {store.RENEWAL}' if is_damage else ''}") from None
    except (ArithmeticError, LookupError, TypeError, ValueError) as problem:
        reason = f"{type(problem).__name__}: {problem}"
        raise CommandError(f"{path} holds rows that Tidegauge did not write ({reason}); {store.RENEWAL}") from None


def since(text: str) -> int:
    """Epoch seconds of `36h`, `7d` or `2w` ago, or of a local date such as 2026-03-01. Raises ArgumentTypeError."""
    number, unit = text[:-1], text[-1:]
    if unit in _UNITS and number.isdecimal() and len(number) < 6:
        return int(time.time()) - int(number) * _UNITS[unit]
    try:
        return int(datetime.fromisoformat(text).timestamp())
    except (ValueError, OverflowError):
        wrong = f"{text!r} isn't a period such as 36h, 7d or 2w, or a date such as 2026-03-01"
        raise argparse.ArgumentTypeError(wrong) from None


def tokens(text: str) -> int:
    """Parse `200000`, `200_000`, `200k` or `1M` into tokens. Raises ArgumentTypeError."""
    factor = {"k": 1_000, "m": 1_000_000}.get(text[-1:].lower(), 1)
    digits = (text[:-1] if factor > 1 else text).replace("_", "")
    if digits.isdecimal() and len(digits) < 9 and 0 < int(digits) * factor < 10**8:
        return int(digits) * factor
    raise argparse.ArgumentTypeError(f"expected 1 to 99,999,999 tokens, such as 200k, not {text!r}")
