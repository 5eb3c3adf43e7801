"""The client's JSON on the status line's stdin: only the fields that are read.

The client's fields change without notice, so a field of an unexpected type costs itself alone.
"""

from typing import Annotated, Any, TypeVar, get_args

import msgspec

from shared.rate_limits import Amount, RateLimits
from shared.reading import Count

Percentage = float | Annotated[int, msgspec.Meta(ge=-(10**9), le=10**9)]
"""Kept as the client wrote it; a whole number may be longer than a float takes."""
_ERRORS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError)


class Model(msgspec.Struct, frozen=True):
    id: str | None = None
    display_name: str | None = None


class Effort(msgspec.Struct, frozen=True):
    level: str | None = None


class Workspace(msgspec.Struct, frozen=True):
    current_dir: str | None = None
    project_dir: str | None = None
    git_worktree: str | None = None


class Cost(msgspec.Struct, frozen=True):
    total_cost_usd: Amount | None = None
    total_duration_ms: Amount | None = None
    total_lines_added: Count | None = None
    total_lines_removed: Count | None = None


class CurrentUsage(msgspec.Struct, frozen=True):
    """Tokens of the newest answer; their sum is no number any more when one of them cannot be read."""

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cache_creation_input_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None


class ContextWindow(msgspec.Struct, frozen=True):
    """Without the `total_*` fields: older clients summed them over the whole session."""

    context_window_size: Count | None = None
    used_percentage: Percentage | None = None
    remaining_percentage: Percentage | None = None
    current_usage: CurrentUsage | None = None


class PromptCache(msgspec.Struct, frozen=True):
    warm: bool | None = None
    hit_ratio: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None


class PullRequest(msgspec.Struct, frozen=True):
    number: Count | None = None
    review_state: str | None = None
    kind: str | None = None
    """`mr` for a merge request."""


class Named(msgspec.Struct, frozen=True):
    """An agent, or the worktree of a `--worktree` session."""

    name: str | None = None


class Payload(msgspec.Struct, frozen=True):
    """What the client told; None for what it left out, or gave in a type that isn't understood."""

    session_id: str | None = None
    transcript_path: str | None = None
    cwd: str | None = None
    version: str | None = None
    """The client's."""
    model: Model | None = None
    effort: Effort | None = None
    workspace: Workspace | None = None
    cost: Cost | None = None
    context_window: ContextWindow | None = None
    prompt_cache: PromptCache | None = None
    rate_limits: RateLimits | None = None
    pr: PullRequest | None = None
    worktree: Named | None = None
    agent: Named | None = None


class Verbatim(msgspec.Struct, frozen=True):
    """Blocks that the bridge passes on as the client gave them."""

    rate_limits: Any = None
    prompt_cache: Any = None


Record = TypeVar("Record", bound=msgspec.Struct)


def decode(document: bytes, kind: type[Record]) -> Record:
    """`document` as a `kind`, without the fields that cannot be read; an empty one for anything but an object."""
    document = document.removeprefix(b"\xef\xbb\xbf")
    try:
        return msgspec.json.decode(document, type=kind, strict=False)
    except _ERRORS:
        return _salvaged(document, kind)


def _salvaged(document: bytes, kind: type[Record]) -> Record:
    import json  # noqa: PLC0415  takes what msgspec refuses: half an emoji in a title, which the client does write

    try:
        return _fitting(json.loads(document.decode("utf-8", "replace")), kind)
    except _ERRORS:
        return kind()


def _fitting(values: Any, kind: type[Record]) -> Record:
    """`kind` with those of its fields, at any depth, whose value in `values` is of their type."""
    if not isinstance(values, dict):
        return kind()
    found = {}
    for field in msgspec.structs.fields(kind):
        if field.name not in values:
            continue
        try:
            found[field.name] = msgspec.convert(values[field.name], field.type, strict=False)
        except _ERRORS:
            for part in get_args(field.type):
                if part is CurrentUsage or not isinstance(values[field.name], dict):
                    continue
                if isinstance(part, type) and issubclass(part, msgspec.Struct):
                    found[field.name] = _fitting(values[field.name], part)
    return kind(**found)
