"""The result of a check: one link of the chain from the client to the agent, and whether it holds."""

import enum
import functools

import msgspec

REPAIR = "run: tidegauge repair"
"""The remedy that `doctor --fix` carries out by itself."""


class CheckStatus(enum.StrEnum):
    """How a link stands."""

    OK = "ok"
    WARNING = "warning"
    """It works, but perhaps not as the person thinks."""
    WRONG = "wrong"
    UNKNOWN = "unknown"
    """Nothing is known yet."""


class Fix(enum.StrEnum):
    """What `doctor --fix` may do: nothing that a person has written is lost by it."""

    NONE = ""
    REPAIR = "repair"
    """Run `tidegauge repair`, which puts program, launchers, companions and entries back."""
    PRIVATE = "private"
    """Take the rights of others to a directory of ours away."""
    EXECUTABLE = "executable"
    """Let a launcher be executed."""
    REMOVE = "remove"
    """Remove a file of run-time state that cannot be read: it counts as none, and the next event writes it again."""


class CheckFinding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the report."""

    status: CheckStatus
    subject: str
    message: str
    remedy: str = ""
    """What to do about it."""
    silences: bool = False
    """Whether, because of it, no message can reach the agent."""
    fix: Fix = Fix.NONE
    path: str = ""
    """What the fix is about."""

    def __post_init__(self) -> None:
        if self.remedy.startswith(REPAIR):
            msgspec.structs.force_setattr(self, "fix", Fix.REPAIR)


ok = functools.partial(CheckFinding, CheckStatus.OK)
warning = functools.partial(CheckFinding, CheckStatus.WARNING)
wrong = functools.partial(CheckFinding, CheckStatus.WRONG)
unknown = functools.partial(CheckFinding, CheckStatus.UNKNOWN)
