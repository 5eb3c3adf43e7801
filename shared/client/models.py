"""The catalogue of models: the window that the client gives each, and where it compacts by itself.

Measured on the clients 2.1.197 and 2.1.330 (docs/client.md, "Windows and compaction points"). It is used only if
neither the person nor the client says more, and a model that isn't in it is unknown, not guessed.
"""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

STANDARD = 200_000
LONG = 1_000_000
EARLIER_CLIENT, LATER_CLIENT = (2, 1, 197), (2, 1, 330)
"""The measured versions. It is unknown which version between them introduced a difference."""


class ModelFamily(msgspec.Struct, frozen=True):
    """The client's behaviour with the models of one family. Sizes are in tokens."""

    window: int
    """The window without `[1m]`, with which 200,000 tokens become 1,000,000 (the beta)."""
    standard_compact_window: int | None = None
    """The window that the client compacts for by itself in one of 200,000; None: it waits until the API refuses."""
    long_compact_window: int | None = None
    """The window that it compacts for in a larger one: the family's own, or one of 1,000,000 tokens."""
    is_certain: bool = True
    """Whether this is true for the client's version, wherever it sends its requests."""
    is_by_address: bool = False
    """Whether the window has only 200,000 tokens if the client's requests go to another address than Anthropic's."""

    def compact_window(self, window: int) -> int | None:
        """The window that the client compacts for by itself in one of `window` tokens."""
        return self.standard_compact_window if window <= STANDARD else self.long_compact_window


_WAITING = ModelFamily(STANDARD)
_COMPACTED = ModelFamily(STANDARD, STANDARD)
_LONG = ModelFamily(LONG, STANDARD, LONG)
# The client 2.1.197 gives these 1,000,000 tokens at Anthropic's own address and 200,000 at others.
_BY_ADDRESS = ModelFamily(LONG, is_certain=False, is_by_address=True)
_COMPACTED_BY_ADDRESS = ModelFamily(LONG, STANDARD, 967_000, is_certain=False, is_by_address=True)

_FAMILIES: tuple[tuple[str, ModelFamily, ModelFamily], ...] = (
    # names after `claude-`, a `*` for any ending; from LATER_CLIENT on; up to EARLIER_CLIENT
    ("opus-4-6 sonnet-4-6", _COMPACTED, _COMPACTED),
    ("opus-4-5 sonnet-4-5 haiku-4-5 sonnet-4 sonnet-4-0 3-*", _WAITING, _WAITING),
    ("opus-4 opus-4-0 opus-4-1", _WAITING, _WAITING),  # not measured: their neighbours' row
    ("opus-4-7 opus-4-8 fable-5* mythos-*", _LONG, _BY_ADDRESS),
    ("sonnet-5 sonnet-5-5", _LONG, _COMPACTED_BY_ADDRESS),
    ("opus-5 opus-5-5 haiku-5-5", _LONG, _WAITING),
)
_MOST_CACHED = 64
"""Ids: a process sees few of them, each many times."""
_UNKNOWN = (ModelFamily(LONG, STANDARD, LONG, is_certain=False), msgspec.structs.replace(_WAITING, is_certain=False))


@lru_cache(_MOST_CACHED)
def family_of(model: str, client: str) -> ModelFamily | None:
    """The family of `model` in a client of version `client` (such as 2.1.330); None if it isn't catalogued."""
    name = bare_id(model)
    for names, later, earlier in _FAMILIES:
        for ending in names.split():
            own = f"claude-{ending}"
            if name == own or (own.endswith("*") and name.startswith(own[:-1])):
                return _family_in_version(later, earlier, client)
    return None


def uncatalogued(model: str, client: str) -> ModelFamily:
    """The assumed family of an uncatalogued model of known window; never certain, as the client may know it."""
    result = _family_in_version(*_UNKNOWN, client)
    return msgspec.structs.replace(result, long_compact_window=None) if is_marked_long(model) else result


@lru_cache(_MOST_CACHED)
def bare_id(model: str) -> str:
    """The model's own id: `claude-sonnet-4-5` for `us.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]`."""
    name = model.lower().partition("[")[0].rpartition("/")[2]
    name = name[max(0, name.find("claude")) :].partition("@")[0].partition(":")[0].replace(".", "-").strip()
    parts = name.split("-")
    while len(parts) > 1 and _is_edition(parts[-1]):
        parts.pop()
    return "-".join(parts)


def is_same(one: str, other: str) -> bool:
    """Whether two ids name the same model, with `[1m]` or without."""
    return bare_id(one) == bare_id(other)


def is_another(chosen: str, model: str, client: str) -> bool:
    """Whether `chosen` is certainly another model than `model`: both are catalogued, unlike a gateway's names."""
    return not is_same(chosen, model) and bool(family_of(chosen, client) and family_of(model, client))


def names(request: str, model: str) -> bool:
    """Whether `request`, an id or an alias such as `opus`, means `model`; an empty `model` may be any."""
    alias, name = bare_id(request), bare_id(model)
    return not name or alias == name or f"-{alias}-" in f"{name}-"


def is_marked_long(model: str) -> bool:
    """Whether a model id asks for the window of 1M tokens: `claude-opus-4-6[1m]`."""
    return "[1m]" in model.lower()


def base_model(model: str) -> str:
    """The model id as in transcripts, without `[1m]`."""
    at = model.lower().find("[1m]")
    return model if at < 0 else model[:at]


def size_for(model: str, sizes: Mapping[str, int]) -> int | None:
    """The size of `model` in `sizes`, under this very id or another form of it."""
    if model in sizes:
        return sizes[model]
    return next((size for name, size in sizes.items() if model and is_same(name, model)), None)


def _is_edition(part: str) -> bool:
    """Whether a part of an id is a date, `latest`, or a provider's version such as `v1`."""
    is_date = len(part) == 8 and part.isdecimal()
    return is_date or part == "latest" or (part[:1] == "v" and part[1:].isdecimal())


def _family_in_version(later: ModelFamily, earlier: ModelFamily, client: str) -> ModelFamily:
    """The family in the version `client`; a difference between the measured versions is uncertain between them."""
    version = version_of(client)
    if version is not None and version < EARLIER_CLIENT:
        # Not measured, but in the real sessions of such clients each model was compacted, at 155,000 or 167,000.
        return msgspec.structs.replace(earlier, standard_compact_window=STANDARD, is_certain=False)
    if version == EARLIER_CLIENT:
        return earlier
    is_measured = version is not None and version >= LATER_CLIENT
    return later if is_measured or later == earlier else msgspec.structs.replace(later, is_certain=False)


def version_of(client: str) -> tuple[int, ...] | None:
    """The numbers of a client's version, such as (2, 1, 330); None for anything else."""
    parts = client.partition("-")[0].split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() and len(part) < 9 for part in parts) else None
