"""What commands that ask the history share: from when on, and one line for what is wrong with the store."""

import argparse
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager

from commands.command import CommandError
from history.questions.answer.question import since_of
from history.store import store
from shared import paths

_RENEWAL = "move it away and run `tidegauge history sync`"


def add_since(parser: argparse.ArgumentParser) -> None:
    """The option --since: epoch seconds, None without it."""
    help_text = "only what happened since then: 36h, 7d, 2w, or 2026-03-01"
    parser.add_argument("--since", type=_since, metavar="WHEN", help=help_text)


@contextmanager
def store_problems(root: str) -> Iterator[None]:
    """Turn what is wrong with the store of `root` into a CommandError that names the file."""
    try:
        yield
    except store.StoreError as problem:
        raise CommandError(str(problem)) from None
    except (sqlite3.Error, UnicodeDecodeError) as problem:
        text = f"{paths.history_store(root)} cannot be used: {problem}"
        raise CommandError(f"{text}; {_RENEWAL}" if _is_damage(problem) else text) from None
    except (ArithmeticError, LookupError, TypeError, ValueError) as problem:
        text = (
            f"{paths.history_store(root)} has rows that Tidegauge doesn't write ({type(problem).__name__}: {problem})"
        )
        raise CommandError(f"{text}; {_RENEWAL}") from None


def _is_damage(problem: Exception) -> bool:
    """Whether the store's file has other bytes than SQLite wrote; a text that is no UTF-8 has, too."""
    return getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF == sqlite3.SQLITE_CORRUPT


def _since(text: str) -> int:
    try:
        return since_of(text, time.time())
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None
