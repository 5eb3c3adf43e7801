"""What a check finds: one link of the chain from the client to the agent, and whether it holds."""

import enum

import msgspec


class Status(enum.StrEnum):
    """How a link stands."""

    OK = "ok"
    WARNING = "warning"
    """It works, but perhaps not as the person thinks."""
    WRONG = "wrong"
    UNKNOWN = "unknown"
    """Nothing can be said yet."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the report."""

    status: Status
    subject: str
    said: str
    remedy: str = ""
    """What to do about it."""
    silences: bool = False
    """Whether, because of it, the agent cannot be told."""


def ok(subject: str, said: str) -> Finding:
    return Finding(Status.OK, subject, said)


def warning(subject: str, said: str, remedy: str = "") -> Finding:
    return Finding(Status.WARNING, subject, said, remedy)


def wrong(subject: str, said: str, remedy: str = "", *, silences: bool = False) -> Finding:
    return Finding(Status.WRONG, subject, said, remedy, silences)


def unknown(subject: str, said: str, remedy: str = "") -> Finding:
    return Finding(Status.UNKNOWN, subject, said, remedy)
