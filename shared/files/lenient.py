"""A decoder for JSON that a strict one may refuse, as the client writes it: half an emoji, a byte order mark."""

import functools
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar, get_args

import msgspec

LARGEST_COUNT = 10**12
Count = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_COUNT)]
"""A number of tokens or bytes in a document, bounded: a float can't hold 400 digits, nor a file offset 20."""
_MOST_HALVES = 100_000
"""The most half characters that are repaired in a document: a text that was cut has one or two."""
Record = TypeVar("Record")
Default = TypeVar("Default")


class LenientRecord(msgspec.Struct):
    """A record whose fields fail one by one: each has a default, which replaces a value of another type."""


Lenient = TypeVar("Lenient", bound=LenientRecord)


def decode(document: bytes, kind: type[Record]) -> Record:
    r"""Decode `document` as a `kind`. Raises msgspec.MsgspecError, also if it is nested too deeply or isn't UTF-8.

    JavaScript may cut text between the two surrogates of a character above U+FFFF and escape the half that is
    left (`\ud83d`), which is read as U+FFFD.
    """
    document = document.removeprefix(b"\xef\xbb\xbf")
    try:
        # msgspec's own parser takes 13 µs for `1e308`, and a file may be full of those.
        return msgspec.json.Decoder(kind, float_hook=float).decode(document)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as problem:
        import re  # noqa: PLC0415  only for a document that was refused

        repaired = re.sub(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}", rb"\\ufffd", document, count=_MOST_HALVES)
        if repaired == document:
            raise msgspec.DecodeError(str(problem)) from None
    try:
        return msgspec.json.Decoder(kind, float_hook=float).decode(repaired)
    except (RecursionError, UnicodeDecodeError) as problem:
        raise msgspec.DecodeError(str(problem)) from None


def encode(value: Any) -> bytes:
    """`value` as JSON. POSIX names are bytes, and UTF-8 can't encode all of them: a `?` replaces the others."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        import json  # noqa: PLC0415  only for such a name

        text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")


def storable(text: str) -> str:
    """`text` as `encode` writes it."""
    return text.encode("utf-8", "replace").decode()


def decode_or(document: bytes, kind: type[Record], default: Default) -> Record | Default:
    """Decode `document` as a `kind`; return `default` if that fails."""
    try:
        return decode(document, kind)
    except msgspec.MsgspecError:
        return default


def record(document: bytes, kind: type[Lenient]) -> Lenient:
    """Decode `document` as a `kind`, without fields of another type. Raises msgspec.MsgspecError as decode does."""
    try:
        return decode(document, kind)
    except msgspec.ValidationError:
        fields = decode(document, _undecoded(kind))
    result = kind()
    for name, nested in _fields(kind):
        if value := bytes(getattr(fields, name)):
            try:
                setattr(result, name, (record if _is_lenient(nested) else decode)(value, nested))
            except msgspec.MsgspecError:
                pass
    return result


def record_or_empty(document: bytes, kind: type[Lenient]) -> Lenient:
    """The record in `document`; an empty one if it is no JSON object."""
    try:
        return record(document, kind)
    except msgspec.MsgspecError:
        return kind()


def count(value: Any) -> int | None:
    """`value` if it is a Count, otherwise None. A whole float such as `1e6` is one, as in JavaScript."""
    is_whole = type(value) is int or (isinstance(value, float) and value.is_integer())
    return int(value) if is_whole and 0 <= value <= LARGEST_COUNT else None


def epoch_of(timestamp: str) -> float | None:
    """Epoch seconds of an ISO 8601 time, in UTC if it names no zone; None for anything else."""
    try:
        moment = datetime.fromisoformat(timestamp)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def seconds_of(timestamp: str) -> int | None:
    """Whole epoch seconds of an ISO 8601 time; None for anything else."""
    epoch = epoch_of(timestamp)
    return None if epoch is None else int(epoch)


@functools.cache
def _fields(kind: type[LenientRecord]) -> list[tuple[str, Any]]:
    """Each field's name and its type, or the record type if that may be its value."""
    return [
        (field.name, next(filter(_is_lenient, (field.type, *get_args(field.type))), field.type))
        for field in msgspec.structs.fields(kind)
    ]


@functools.cache
def _undecoded(kind: type[LenientRecord]) -> type[msgspec.Struct]:
    """The record type with raw fields. Other fields are not decoded: an object may hold millions."""
    names = {field.name: field.encode_name for field in msgspec.structs.fields(kind)}
    raw = [(name, msgspec.Raw, msgspec.Raw(b"")) for name in names]
    return msgspec.defstruct(f"Undecoded{kind.__name__}", raw, rename=names)


def _is_lenient(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, LenientRecord)
