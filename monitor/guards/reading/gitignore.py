"""Rules in gitignore's language, as regular expressions that try nothing twice: none can keep a tool call waiting.

What follows a `*` or a `**/` is looked for from left to right and left where it is met first, in an atomic group: the
next wildcard can make up for all that lies further right. So the time is at most a path's length times the rules'.
"""

import re
from collections.abc import Iterable

from shared import effort

_LONGEST_PATH = 4_096
"""Characters; no system opens a longer one."""
_TOKEN = re.compile(
    r"(?P<directories>(?:^|(?<=/))\*\*/)|(?P<name>\*+)|\\(?P<literal>.)"
    r"|\[(?P<negated>[!^]?)(?P<members>\]?[^\]]{0,250})\]|(?P<other>.)",
    re.DOTALL,
)


class GitignoreRules:
    """Rules of which the last that matches a path, or a directory that holds it, decides."""

    def __init__(self, rules: Iterable[str]) -> None:
        """Take the rules, the last of which goes first; those that there is no time for are left out."""
        self._rules: list[tuple[str, re.Pattern[str]]] = []
        for rule in reversed([*rules]):
            if effort.is_over():
                break
            if text := _pattern(rule):
                self._rules.append((rule, re.compile(_expression(text))))

    def match(self, path: str) -> str | None:
        """The rule that `path`, relative and with slashes, falls under; None for none, or for one with `!`.

        None, too, where there is no time to try them all.
        """
        for rule, expression in self._rules:
            if effort.is_over():
                break
            if expression.match(path[:_LONGEST_PATH]):
                return None if rule.startswith("!") else rule
        return None


def _pattern(rule: str) -> str:
    """The pattern in a line of a file; empty for a comment, or a line that says nothing."""
    text = rule.rstrip()
    text = f"{text} " if text.endswith("\\") else text
    if text.startswith("#"):
        return ""
    text = text.removeprefix("!").rstrip("/")
    while text.endswith("/**") and text not in {"/**", "**/**"}:
        text = text.removesuffix("/**").rstrip("/")  # all that a directory holds: the same as the directory
        text = text if "/" in text else f"/{text}"
    return text if "/" in text or not text else f"**/{text}"


def _expression(pattern: str) -> str:
    """`pattern` as a regular expression, in which each wildcard's group ends where the next one's begins."""
    parts: list[str] = []
    directories = name = ""  # what closes the group that is open
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
    """A class by what stands between its brackets; none accepts a slash."""
    ranges = [(first or one, last or one) for first, last, one in re.findall(r"(?s)(.)-(.)|(.)", members)]
    accepted = "".join(f"{re.escape(first)}-{re.escape(last)}" for first, last in ranges if first <= last)
    return f"[^/{accepted}]" if is_negated else rf"(?!/)[{accepted}]" if accepted else "(?!)"
