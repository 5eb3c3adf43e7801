"""What a client records of a run beside its conversation: what it asked for, and what it told its model."""

import time

from shared.models import LONG, STANDARD, base_model
from shared.transcript_line import TranscriptLine
from shared.transcript_records import Reminder, Request, identity_in, reminder_in, request_in, usage_total_in

_REQUEST, _ATTACHMENT = MARKERS = (b'"api-request"', b'"attachment"')
"""What the lines hold that say anything."""
_MODEL, _REMINDER, _USAGE = b'"model"', b'"total_tokens_reminder"', b'"token_usage"'
_UNCOUNTED_TOKENS = 25_000
"""By how many a countdown may differ from the window less the tokens of the answer before it."""


class RunRecords:
    """What is known of this run so far. Lines are added from the file's last to its first."""

    def __init__(self, since: float) -> None:
        """`since` is when the run began, in epoch seconds; what lies in the file counts from then on."""
        self._since = _stamp(since) if since else ""
        self._sought = [_MODEL, _REMINDER, _USAGE, _REQUEST]
        """What each line holds of which the newest hasn't been found yet."""
        self._requests: list[Request] = []
        self.identity = ""
        """The model as the client names it to its model."""
        self.identity_at = -1
        """Byte offset at which it does."""
        self.reminder: Reminder | None = None
        """The newest."""
        self.reminder_at = -1
        """Its byte offset."""
        self.usage_total: int | None = None
        """`total` of the newest `token_usage`."""

    def seeks(self, head: bytes) -> bool:
        """Whether a line that begins with `head` may be one that says anything new."""
        if _ATTACHMENT in head or _REQUEST in head:
            return any(marker in head for marker in self._sought)
        return False

    def add(self, offset: int, line: TranscriptLine, model: str) -> None:
        """Add the line at `offset`; `model` is that of the newest answer, where one is known."""
        if line.timestamp and line.timestamp < self._since:
            return
        if line.type == "attachment":
            self._add_attachment(offset, line)
        elif request := request_in(line):
            self._requests.append(request)
            if model and base_model(request.model) == model:
                self._sought = [marker for marker in self._sought if marker != _REQUEST]

    def is_long(self, model: str) -> bool | None:
        """Whether the newest request of `model` asked for 1M; None without a record.

        A title or a summary may have been asked of another model since; and a model that was asked for by an
        alias answers under its full name, so that the conversation's newest request counts where none is of it.
        """
        own = [request for request in self._requests if request.is_conversation]
        named = [request for request in self._requests if base_model(request.model) == model] if model else []
        newest = next(iter(named or own), None)
        return newest.is_long if newest else None

    def window_by_countdown(self, used: int | None) -> int | None:
        """The size of the window by the newest reminder, with `used` tokens in use by then; None: not known.

        The first value of a countdown is the window's size, a later one what is left of it.
        """
        left = self.reminder.left if self.reminder else None
        if left is None or used is None:
            return None
        if used == 0:
            return left
        return next((size for size in (STANDARD, LONG) if abs(left + used - size) <= _UNCOUNTED_TOKENS), None)

    def _add_attachment(self, offset: int, line: TranscriptLine) -> None:
        found = b""
        if not self.identity and (identity := identity_in(line)):
            self.identity, self.identity_at, found = identity, offset, _MODEL
        elif self.reminder is None and (reminder := reminder_in(line)):
            self.reminder, self.reminder_at, found = reminder, offset, _REMINDER
        elif self.usage_total is None and (total := usage_total_in(line)):
            self.usage_total, found = total, _USAGE
        self._sought = [marker for marker in self._sought if marker != found]


def _stamp(seconds: float) -> str:
    """A time as the client writes it: ISO 8601 in UTC, to the millisecond."""
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{int(seconds % 1 * 1000):03}Z"
