"""The client's environment variables that bear on the window. Its hooks and its status line inherit them."""

from collections.abc import Mapping

MODEL = "ANTHROPIC_MODEL"
DISABLE_LONG = "CLAUDE_CODE_DISABLE_1M_CONTEXT"
MOST_TOKENS = "CLAUDE_CODE_MAX_CONTEXT_TOKENS"
"""The window of a model that isn't Anthropic's."""
MOST_OUTPUT = "CLAUDE_CODE_MAX_OUTPUT_TOKENS"
BEDROCK = "CLAUDE_CODE_USE_BEDROCK"
COMPACT_WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
COMPACT_PERCENT = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
COMPACTION_OFF = ("DISABLE_AUTO_COMPACT", "DISABLE_COMPACT")

_ON = frozenset({"1", "true", "yes", "on"})
_MOST_DIGITS = 9


def is_on(environ: Mapping[str, str], name: str) -> bool:
    """Whether a switch is on, as the client reads it."""
    return environ.get(name, "").lower() in _ON


def number(environ: Mapping[str, str], name: str) -> int | None:
    """The whole number above 0 that a variable holds, else None."""
    text = environ.get(name, "")
    return int(text) or None if text.isdecimal() and len(text) <= _MOST_DIGITS else None
