"""The configuration: one typed record whose defaults are its documentation."""

from typing import Annotated, Literal

import msgspec

from shared.level import Ladder

Positive = Annotated[int, msgspec.Meta(ge=1, le=2_000_000)]
Line = tuple[str, ...]


class Window(msgspec.Struct, frozen=True):
    """The context window."""

    size: Positive | None = None
    """Tokens; overrides what the client and the transcript say. Unset: found out."""


class Hooks(msgspec.Struct, frozen=True):
    """What the agent is told, part by part."""

    context_warnings: bool = True
    """Whether WARNING, CRITICAL and EXHAUSTED are told after tool uses."""
    ceiling_guard: bool = True
    """Whether loading agents and skills above the ceiling is warned about."""
    subagent_budget: bool = True
    """Whether a subagent is told how much room its caller has for the answer, from WARNING on."""
    read_guard: bool = False
    """Whether reads of ignored directories are blocked."""


class Ceiling(msgspec.Struct, frozen=True):
    """The ceiling guard: above it, agents and skills are not loaded unasked."""

    percentage: Annotated[int, msgspec.Meta(ge=1, le=100)] = 40
    """Percent of the window, rounded down, at which it begins."""
    max_tokens: Positive | None = None
    """Tokens at which it begins, whatever the percentage."""
    strict: bool = False
    """Whether it blocks; unset, it warns."""
    warn_on_default_window: bool = False
    """Whether it only warns, also when strict, while the window's size is assumed and not known."""


class SubagentBudget(msgspec.Struct, frozen=True):
    """What a subagent is told of its caller's window."""

    min_level: Literal["WARNING", "CRITICAL", "EXHAUSTED"] = "WARNING"
    """The caller's level from which on it is told."""


class ReadGuard(msgspec.Struct, frozen=True):
    """The read guard, which `hooks.read_guard` switches on."""

    ignore: Line = (
        "node_modules/", "bower_components/", "__pycache__/", ".venv/", "venv/", ".tox/",
        "dist/", "build/", "target/", ".next/", ".nuxt/",
    )  # fmt: skip
    """What is not read, in gitignore's language; a project's .tidegaugeignore adds to it, or takes back with `!`."""


class Messages(msgspec.Struct, frozen=True):
    """How the agent is told."""

    style: Literal["directive", "advisory"] = "directive"
    """`directive` asks for the steps; `advisory` states the facts and leaves the decision to the user's wishes."""
    summary_file: Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=r"^[\w][\w./ -]*\Z")] = (
        "PROJECT-SUMMARY.md"
    )
    """The file in which the agent is asked to save its state."""


class StatusLine(msgspec.Struct, frozen=True):
    """What the person sees."""

    lines: tuple[Line, ...] = (
        (
            "model", "directory", "context", "forecast", "compaction", "limits",
            "cache", "cost", "changes", "duration", "pr", "worktree", "agent",
        ),
    )  # fmt: skip
    """The segments of each line, in order."""
    hide: Line = ()
    """Segments that are switched off, wherever they stand in `lines`."""
    theme: str = "tide"
    """tide, ember or plain."""
    color: Literal["auto", "truecolor", "256", "16", "none"] = "auto"
    """`auto` follows NO_COLOR, TERM and COLORTERM."""
    ascii: bool = False
    """Whether only ASCII characters are drawn."""
    wrapped: Literal["alone", "above", "below"] = "alone"
    """A wrapped status line is shown alone, or ours stands above or below it."""
    wrapped_timeout: Annotated[float, msgspec.Meta(gt=0, le=30)] = 2.0
    """Seconds that a wrapped status line may take."""


class Bridge(msgspec.Struct, frozen=True):
    """The file between the status line and the monitor."""

    directory: str | None = None
    """Where it lies; unset: in our private directory. The system's temporary directory suits other readers."""


class Config(msgspec.Struct, frozen=True):
    """Every setting, with its default."""

    window: Window = Window()
    levels: Ladder = Ladder()
    hooks: Hooks = Hooks()
    messages: Messages = Messages()
    ceiling: Ceiling = Ceiling()
    subagent_budget: SubagentBudget = SubagentBudget()
    read_guard: ReadGuard = ReadGuard()
    statusline: StatusLine = StatusLine()
    bridge: Bridge = Bridge()
