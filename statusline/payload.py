"""The fields of the client's JSON on stdin that are read; one of an unexpected type is ignored: clients change."""

from typing import Annotated, Any

import msgspec

from shared.client.rate_limits import Amount, RateLimits
from shared.files.lenient import Count, LenientRecord

Percentage = float | Annotated[int, msgspec.Meta(ge=-(10**9), le=10**9)]
"""A number as the client wrote it; an integer may be too large for a float."""


class Model(LenientRecord):
    id: str | None = None
    display_name: str | None = None


class Effort(LenientRecord):
    level: str | None = None


class Workspace(LenientRecord):
    current_dir: str | None = None
    project_dir: str | None = None
    git_worktree: str | None = None


class Cost(LenientRecord):
    total_cost_usd: Amount | None = None
    total_duration_ms: Amount | None = None
    total_lines_added: Count | None = None
    total_lines_removed: Count | None = None


class CurrentUsage(msgspec.Struct, frozen=True):
    """Tokens of the newest answer, valid as a whole or not at all: a sum without one part would be wrong."""

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cache_creation_input_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None


class ContextWindow(LenientRecord):
    """The window's fields, without `total_*`, which older clients summed over the whole session."""

    context_window_size: Count | None = None
    used_percentage: Percentage | None = None
    remaining_percentage: Percentage | None = None
    current_usage: CurrentUsage | None = None


class PromptCache(LenientRecord):
    warm: bool | None = None
    hit_ratio: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None


class PullRequest(LenientRecord):
    number: Count | None = None
    review_state: str | None = None
    kind: str | None = None
    """`mr` for a merge request."""


class NamedPart(LenientRecord):
    """An agent, or the worktree of a `--worktree` session."""

    name: str | None = None


class Payload(LenientRecord):
    """The client's payload; a field is None if it is missing or of an unexpected type."""

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
    worktree: NamedPart | None = None
    agent: NamedPart | None = None


class Verbatim(LenientRecord):
    """Blocks that the bridge passes on unchanged."""

    rate_limits: Any = None
    prompt_cache: Any = None
