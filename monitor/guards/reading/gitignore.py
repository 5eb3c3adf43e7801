"""Rules in gitignore's language, as regular expressions without backtracking, so that none can delay a tool call.

The text after a `*` or a `**/` is matched at its first occurrence, in an atomic group: the next wildcard can cover
whatever lies further right. So the time is at most a path's length times the rules'.
"""

import re
from collections.abc import Iterable

from shared import effort

_LONGEST_PATH = 4_096
"""Characters; no system opens a longer path."""
_TOKEN = re.compile(
    r"(?P<directories>(?:^|(?<=/))\*\*/)|(?P<name>\*+)|\\(?P<literal>.)"
    r"|\[(?P<negated>[!^]?)(?P<members>\]?[^\]]{0,250})\]|(?P<other>.)",
    re.DOTALL,
)


class GitignoreRules:
    """Rules of which the last one that matches a path, or a directory above it, decides."""

    def __init__(self, rules: Iterable[str]) -> None:
        """Compile the rules, the last one first; rules for which there is no time are left out."""
        self._rules: list[tuple[str, re.Pattern[str]]] = []
        for rule in reversed([*rules]):
            if effort.is_over():
                break
            if text := _pattern(rule):
                self._rules.append((rule, re.compile(_expression(text))))

    def match(self, path: str) -> str | None:
        """The rule for `path`, relative with slashes; None without one, for one with `!`, or if time runs out."""
        for rule, expression in self._rules:
            if effort.is_over():
                break
            if expression.match(path[:_LONGEST_PATH]):
                return None if rule.startswith("!") else rule
        return None


def _pattern(rule: str) -> str:
    """The pattern in a line of a file; empty for a comment or an empty line."""
    text = rule.rstrip()
    text = f"{text} " if text.endswith("\\") else text
    if text.startswith("#"):
        return ""
    text = text.removeprefix("!").rstrip("/")
    while text.endswith("/**") and text not in {"/**", "**/**"}:
        text = text.removesuffix("/**").rstrip("/")  # a directory's whole contents: the same as the directory
        text = text if "/" in text else f"/{text}"
    return text if "/" in text or not text else f"**/{text}"


def _expression(pattern: str) -> str:
    """`pattern` as a regular expression, in which each wildcard's group ends where the next one's begins."""
    parts: list[str] = []
    directories = name = ""  # closes the open group
    for token in _TOKEN.finditer(pattern.removeprefix("/")):
        if token["directories"]:
            parts.append(f"{directories}(?>(?:[^/]*/)*?")
            directories = ")"
        elif token["name"]:
            parts.append(f"{name}(?>[^/]*?")
            name = ")"
        elif token[0] == "/":
            parts.append(f"/{name}")
            name = ""
        elif token["members"]:
            parts.append(_characters(token["members"], is_negated=bool(token["negated"])))
        else:
            parts.append("[^/]" if token[0] == "?" else re.escape(token["literal"] or token[0]))
    return rf"{''.join(parts)}(?:/|\Z){name}{directories}"


def _characters(members: str, *, is_negated: bool) -> str:
    """A character class from the text in its brackets; it never accepts a slash."""
    ranges = [(first or one, last or one) for first, last, one in re.findall(r"(?s)(.)-(.)|(.)", members)]
    accepted = "".join(f"{re.escape(first)}-{re.escape(last)}" for first, last in ranges if first <= last)
    return f"[^/{accepted}]" if is_negated else rf"(?!/)[{accepted}]" if accepted else "(?!)"
