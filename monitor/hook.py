"""What a hook is: an event's record, and a function from it to a reply or to silence."""

from typing import Any, Protocol

import msgspec

from monitor.session import Session


class Reply(msgspec.Struct, frozen=True):
    """Text that the client puts beside the tool result, for the model to read."""

    additional_context: str


class Hook(Protocol):
    """A file in monitor/hooks/. It never prints, exits or reads stdin."""

    Event: Any
    """The msgspec record of its stdin, with the fields that it reads."""

    @staticmethod
    def handle(event: Any, session: Session) -> Reply | None:
        """Answer `event`; None is silence."""
        ...
