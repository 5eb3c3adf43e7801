"""A check that a command runs, and which other checks it covers."""

import os
import re

import msgspec

from monitor.activity.checks.programs import EVERYTHING, INCLUDES, LINTERS, TESTS, WHOLE

_ALTERNATIVES = re.compile(r"[|\s\"'()^$]+(?:or\s+)?")
SCRIPT = "script"
"""The `tool` of a project's own script."""


class CheckRun(msgspec.Struct, frozen=True, array_like=True):
    command: str
    """The text as typed, without redirections and filters, in a `(cd …)` if it ran elsewhere; secrets are masked."""
    tool: str
    """The program, however it is started: `pytest`, `go test`, `script`."""
    targets: tuple[str, ...] = ()
    """Paths or packages, none for everything; for a script, its runner and name first."""
    narrowed: tuple[str, ...] = ()
    """Options that select a part of the targets, such as `-k slow`."""
    settings: tuple[str, ...] = ()
    """Options that make it a different check, such as `-tags e2e`."""
    is_status_known: bool = True
    """Whether the command's exit code is this check's."""
    is_output_hidden: bool = False
    """Whether the end of its output may be missing."""
    is_changing: bool = False
    """Whether it changes files, as `--fix` does."""
    directory: str = ""
    """The directory in which it ran, absolute if that is known."""

    def covers(self, other: "CheckRun") -> bool:
        """Whether `other` would pass if this check passed: this is the same check or a wider one."""
        is_known = os.path.isabs(self.directory) and os.path.isabs(other.directory)
        is_above = not self.targets and other.directory.startswith(f"{self.directory}/")
        if is_known and self.directory != other.directory and not is_above:
            return False
        if self.tool == SCRIPT and other.tool == SCRIPT:
            return _covers_script(self.targets, other.targets) and self._selects(other)
        if self.tool == SCRIPT:
            return not self.narrowed and _holds(self.targets, other)
        is_included = self.tool == other.tool or other.tool in INCLUDES.get(self.tool, ())
        is_compiled = (self.tool, other.tool) == ("go test", "go build")  # whichever tests are selected
        if not is_included or self.settings != other.settings or not (is_compiled or self._selects(other)):
            return False
        return not self.targets or (bool(other.targets) and all(_is_within(one, self.targets) for one in other.targets))

    def _selects(self, other: "CheckRun") -> bool:
        """Whether this run's options select everything that the other's do, as `-run A` does for `-run AB`."""
        if not self.narrowed or self.narrowed == other.narrowed:
            return True
        if len(self.narrowed) != 1 or len(other.narrowed) != 1:
            return False
        option, _, value = self.narrowed[0].partition(" ")
        other_option, _, other_value = other.narrowed[0].partition(" ")
        parts, other_parts = [part for part in _ALTERNATIVES.split(value) if part], _ALTERNATIVES.split(other_value)
        if not parts or option != other_option or {"and", "not"} & {*parts, *other_parts}:
            return False  # the words don't show what `and` and `not` select
        return all(any(_matches(part, other_part) for part in parts) for other_part in other_parts)


def _matches(pattern: str, text: str) -> bool:
    """Whether `text` contains the words that `.*` joins in `pattern`, in order."""
    at = 0
    for word in pattern.split(".*"):
        at = text.find(word, at) + len(word)
        if at < len(word):
            return False
    return True


def _holds(script: tuple[str, ...], other: CheckRun) -> bool:
    """Whether a project's script of tests, of linters or of everything includes `other`."""
    if len(script) > 1:
        return False
    name, _, kind = script[0].partition(":")[2].partition(":")
    if name in EVERYTHING:
        return True
    program = other.tool.partition(" ")[0]
    is_test = program in TESTS or other.tool.endswith(" test") or other.tool in INCLUDES["go test"]
    if name not in {"test", "tests"} or not is_test:
        return name == "lint" and program in LINTERS and kind in {"", *WHOLE}
    return kind in WHOLE or all(kind and kind in setting for setting in other.settings)


def _is_within(target: str, targets: tuple[str, ...]) -> bool:
    for wide in targets:
        root = wide.removesuffix("...").rstrip("/")
        is_tree = wide.endswith("...") or "." not in os.path.basename(root)
        if wide == target or target.startswith((f"{root}::", f"{root}/")) or (is_tree and target == root):
            return True
    return False


def _covers_script(wide: tuple[str, ...], narrow: tuple[str, ...]) -> bool:
    """Whether a project's script covers another: `test:ci` covers `test`, and `check` covers all."""
    runner, _, script = wide[0].partition(":")
    other_runner, _, other = narrow[0].partition(":")
    if runner != other_runner or (len(wide) > 1 and wide[1:] != narrow[1:]):
        return False
    if script == other or script in EVERYTHING:
        return True
    name, _, kind = script.partition(":")
    other_name, _, other_kind = other.partition(":")
    return name == other_name and (kind in WHOLE or {kind, other_kind} == {"", "fix"})
