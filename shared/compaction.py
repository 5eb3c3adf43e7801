"""Where the client compacts by itself: an estimate, made only where there is evidence.

Whether a client compacts depends on the model in ways that cannot be computed (client-facts.md), so the
evidence is an automatic compaction that was seen, or the client's own settings.
"""

import os
from collections.abc import Mapping

import msgspec

from shared import files
from shared.learned import Learned

_SUMMARY_TOKENS = 20_000
_BUFFER_TOKENS = 33_000
"""Measured with the settings below: it compacts at the window less 33,000, or at the given percentage of
the window less 20,000, whichever comes first."""
_OFF = frozenset({"1", "true", "yes", "on"})
WINDOW_VARIABLE, PERCENT_VARIABLE = "CLAUDE_CODE_AUTO_COMPACT_WINDOW", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"


class _ClientSettings(msgspec.Struct):
    autoCompactEnabled: bool | None = None
    autoCompactWindow: int | None = None


def expected_at(
    model: str, window: int, learned: Learned, environ: Mapping[str, str], client_directory: str
) -> int | None:
    """Tokens at which the client is expected to compact; None without evidence."""
    if any(environ.get(name, "").lower() in _OFF for name in ("DISABLE_AUTO_COMPACT", "DISABLE_COMPACT")):
        return None
    settings = _client_settings(os.path.join(client_directory, "settings.json"))
    limit = _number(environ.get(WINDOW_VARIABLE)) or settings.autoCompactWindow
    found = _from_settings(window, limit, _number(environ.get(PERCENT_VARIABLE)))
    seen = learned.compactions.get(key(model, window, environ))
    if found is None:
        found = seen
    if found is None or settings.autoCompactEnabled is False or _is_switched_off(client_directory, environ):
        return None
    return found


def key(model: str, window: int, environ: Mapping[str, str]) -> str:
    """Under what an observed compaction is remembered: what it depended on."""
    return f"{model}|{window}|{environ.get(WINDOW_VARIABLE, '')}|{environ.get(PERCENT_VARIABLE, '')}"


def _from_settings(window: int, limit: int | None, percent: int | None) -> int | None:
    if limit is None and percent is None:
        return None
    within = min(window, limit or window)
    at = within - _BUFFER_TOKENS
    if percent is not None and percent <= 100:
        at = min(at, (within - _SUMMARY_TOKENS) * percent // 100)
    return at if at > 0 else None


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() and int(text) > 0 else None


def _client_settings(path: str) -> _ClientSettings:
    document = files.read_or_none(os.path.realpath(path))
    try:
        return msgspec.json.decode(document or b"{}", type=_ClientSettings)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return _ClientSettings()


def _is_switched_off(client_directory: str, environ: Mapping[str, str]) -> bool:
    """Whether the client's state file says so. It grows to megabytes, so it is searched and not decoded."""
    home = client_directory if environ.get("CLAUDE_CONFIG_DIR") else os.path.dirname(client_directory)
    state = files.read_or_none(os.path.join(home, ".claude.json"), 64 << 20) or b""
    _, found, after = state.partition(b'"autoCompactEnabled"')
    return bool(found) and after[:16].lstrip(b" :\t\r\n").startswith(b"false")
