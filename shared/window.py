"""The size of the context window: which source is believed, and under what name its answer travels.

There is no table of models: new ones would be wrong until an update, and the same
model runs with 200k and 1M.
"""

from collections.abc import Mapping

STANDARD = 200_000
LONG = 1_000_000
LARGEST = 2_000_000
"""Beyond this a reported size is taken for an error."""

CONFIG, BRIDGE, REQUEST, MODEL, LEARNED, TOKENS, DEFAULT = (
    "config", "bridge", "api-request", "env-1m-detection", "learned", "tokens", "default",
)  # fmt: skip

SOURCES = frozenset({CONFIG, BRIDGE, REQUEST, MODEL, LEARNED, TOKENS, DEFAULT})


def resolve(
    tokens: int,
    model: str,
    *,
    configured: int | None = None,
    reported: int | None = None,
    is_long: bool | None = None,
    learned: Mapping[str, int] | None = None,
    environ: Mapping[str, str],
) -> tuple[int, str]:
    """Size in tokens, and source, of the window in which `model` holds `tokens`: the first source that holds.

    `configured` is the person's setting, `reported` what the client told the status line in this session
    (it has reported 200k for a 1M session, so tokens that exceed it disprove it), `is_long` whether the
    transcript's newest request asked for 1M, `learned` sizes seen earlier by model id.
    """
    if configured is not None:
        return configured, CONFIG
    if reported is not None and max(tokens, 1) <= reported <= LARGEST:
        return reported, BRIDGE
    if is_long:
        return LONG, REQUEST
    if is_marked_long(model) or is_marked_long(environ.get("ANTHROPIC_MODEL", "")):
        return LONG, MODEL
    known = (learned or {}).get(model)
    if known is not None and tokens <= known:
        return known, LEARNED
    return (LONG, TOKENS) if tokens > STANDARD else (STANDARD, DEFAULT)


def is_marked_long(model: str) -> bool:
    """Whether a model id asks for the 1M window: `claude-opus-4-6[1m]`."""
    return "[1m]" in model.lower()


def base_model(model: str) -> str:
    """The model id as transcripts hold it, without `[1m]`."""
    return model[: model.lower().index("[1m]")] if is_marked_long(model) else model
