"""What a check finds: one link of the chain from the client to the agent, and whether it holds."""

import enum

import msgspec


class CheckStatus(enum.StrEnum):
    """How a link stands."""

    OK = "ok"
    WARNING = "warning"
    """It works, but perhaps not as the person thinks."""
    WRONG = "wrong"
    UNKNOWN = "unknown"
    """Nothing can be said yet."""


class CheckFinding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the report."""

    status: CheckStatus
    subject: str
    said: str
    remedy: str = ""
    """What to do about it."""
    silences: bool = False
    """Whether, because of it, the agent cannot be told."""


def ok(subject: str, said: str) -> CheckFinding:
    return CheckFinding(CheckStatus.OK, subject, said)


def warning(subject: str, said: str, remedy: str = "") -> CheckFinding:
    return CheckFinding(CheckStatus.WARNING, subject, said, remedy)


def wrong(subject: str, said: str, remedy: str = "", *, silences: bool = False) -> CheckFinding:
    return CheckFinding(CheckStatus.WRONG, subject, said, remedy, silences)


def unknown(subject: str, said: str, remedy: str = "") -> CheckFinding:
    return CheckFinding(CheckStatus.UNKNOWN, subject, said, remedy)
