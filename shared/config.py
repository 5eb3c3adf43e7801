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


class Messages(msgspec.Struct, frozen=True):
    """How the agent is told."""

    style: Literal["directive", "advisory"] = "directive"
    """`directive` asks for the steps; `advisory` states the facts and leaves the decision to the user's wishes."""
    summary_file: Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=r"^[\w][\w./ -]*$")] = (
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
    statusline: StatusLine = StatusLine()
    bridge: Bridge = Bridge()
