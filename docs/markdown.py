"""Markdown: tables, and blocks of text as a program prints it."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table whose cells are the texts of `rows`."""
    lines = (f"| {' | '.join(map(str, row))} |" for row in rows)
    return "\n".join([f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines, ""])


def block(text: str) -> str:
    """The lines of `text` as they are."""
    return "\n".join(["```text", *(line.rstrip() for line in text.splitlines()), "```", ""])
