"""JSON as the client writes it, which a strict decoder may refuse: half an emoji, a byte order mark."""

import functools
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar, get_args

import msgspec

LARGEST_COUNT = 10**12
Count = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_COUNT)]
"""A number of tokens or bytes in a document: no float holds 400 digits, and no offset in a file has 20."""
_MOST_HALVES = 100_000
"""Of characters that are repaired in a document: of texts that were cut, each has one or two."""
Record = TypeVar("Record")
Default = TypeVar("Default")


class LenientRecord(msgspec.Struct):
    """A record whose fields fail one by one: each has a default, which stands in for a value of another type."""


Lenient = TypeVar("Lenient", bound=LenientRecord)


def decode(document: bytes, kind: type[Record]) -> Record:
    r"""`document` as a `kind`. Raises msgspec.MsgspecError, also for what nests too deeply or isn't UTF-8.

    JavaScript cuts text between the halves of a character beyond the first 65,536 and escapes the half that is
    left (`\ud83d`); it is read as U+FFFD.
    """
    document = document.removeprefix(b"\xef\xbb\xbf")
    try:
        # Its own way takes msgspec 13 µs for `1e308`, of which a file may be full.
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
    """`value` as JSON. Names of POSIX are bytes, and UTF-8 cannot hold all of them: a `?` stands in."""
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
    """`document` as a `kind`; `default` when it is none."""
    try:
        return decode(document, kind)
    except msgspec.MsgspecError:
        return default


def record(document: bytes, kind: type[Lenient]) -> Lenient:
    """`document` as a `kind`, without the fields of another type. Raises msgspec.MsgspecError as decode does."""
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
    """The record in `document`; an empty one for anything but an object."""
    try:
        return record(document, kind)
    except msgspec.MsgspecError:
        return kind()


def count(value: Any) -> int | None:
    """`value` where it is a Count, else None; `1e6` is one as well, as to JavaScript."""
    is_whole = type(value) is int or (isinstance(value, float) and value.is_integer())
    return int(value) if is_whole and 0 <= value <= LARGEST_COUNT else None


def epoch_of(timestamp: str) -> float | None:
    """Epoch seconds of an ISO 8601 time, in UTC where it names no zone; None for anything else."""
    try:
        moment = datetime.fromisoformat(timestamp)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def seconds_of(timestamp: str) -> int | None:
    """The epoch second of a timestamp; None where it is none."""
    epoch = epoch_of(timestamp)
    return None if epoch is None else int(epoch)


@functools.cache
def _fields(kind: type[LenientRecord]) -> list[tuple[str, Any]]:
    """The name of each field, and its type, or the record that it may hold."""
    return [
        (field.name, next(filter(_is_lenient, (field.type, *get_args(field.type))), field.type))
        for field in msgspec.structs.fields(kind)
    ]


@functools.cache
def _undecoded(kind: type[LenientRecord]) -> type[msgspec.Struct]:
    """The same record with each field as it is written; what else an object holds may be millions of fields."""
    fields = msgspec.structs.fields(kind)
    names = {field.name: field.encode_name for field in fields}
    raw = [(name, msgspec.Raw, msgspec.Raw(b"")) for name in names]
    return msgspec.defstruct(f"Undecoded{kind.__name__}", raw, rename=names)


def _is_lenient(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, LenientRecord)
