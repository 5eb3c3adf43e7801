"""What is shown of each running session, kept up to date; looked at again only if something has changed."""

import os
import time

import msgspec

from monitor.activity import reader
from monitor.activity.activity import Activity
from monitor.checkpoints.save import describe
from monitor.checkpoints.story import StoryLine, story
from monitor.commands.command import CommandError
from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.commands.overview.survey import Subject, subject_of
from monitor.commands.watching.occupancy import occupancy
from monitor.commands.watching.running import running_sessions
from monitor.measuring.measurement import Measurement, measure
from monitor.session import Conversation
from shared import bridge as bridges
from shared.rate_limits import RateLimit, limits_of
from shared.verdict import Verdict

_ANSWERS = 120
_SCAN_SECONDS, _STORY_SECONDS, _MEASURE_SECONDS = 5, 10, 30
"""How often processes are looked for, a story is rebuilt, and an unchanged session is measured."""


class WatchedSession(msgspec.Struct, frozen=True):
    """What is shown of one."""

    session_id: str
    directory: str
    """Empty when it is not known."""
    model: str = ""
    verdict: Verdict | None = None
    occupancy: tuple[int, ...] = ()
    """Tokens in the window with each of the newest answers, the oldest first."""
    limits: dict[str, RateLimit] = {}
    """The account's, by name."""
    story: tuple[StoryLine, ...] = ()
    written: float = 0.0
    """Epoch seconds of the transcript's last write."""


class _Known(msgspec.Struct):
    """What is kept of a session from one look to the next."""

    subject: Subject
    stamp: tuple[float, ...] = ()
    measured_at: float = 0.0
    told_at: float = 0.0
    told_stamp: tuple[float, ...] = ()
    activity: Activity = msgspec.field(default_factory=Activity)
    shown: WatchedSession | None = None


class Watcher:
    """The looks at the running sessions; one at a time, from one thread."""

    def __init__(self, place: Surroundings) -> None:
        self._place = place
        self._running: list[Conversation] = []
        self._scanned_at = 0.0
        self._known: dict[str, _Known] = {}

    def look(self, now: float | None = None) -> list[WatchedSession]:
        """The running sessions at `now`, in epoch seconds: the fullest first."""
        now = time.time() if now is None else now
        if now - self._scanned_at >= _SCAN_SECONDS:
            self._running = running_sessions(self._place.client_directory, self._place.environ)
            self._scanned_at = now
            present = {conversation.session_id for conversation in self._running}
            self._known = {name: known for name, known in self._known.items() if name in present}
        shown = [found for conversation in self._running if (found := self._shown(conversation, now))]
        return sorted(shown, key=_fullest_first)

    def _shown(self, conversation: Conversation, now: float) -> WatchedSession | None:
        known = self._known.get(conversation.session_id)
        if known is None:
            try:
                subject = subject_of(self._place, conversation.session_id)
            except CommandError:  # gone in the meantime, or another user's
                return None
            known = self._known[conversation.session_id] = _Known(subject)
        stamp = _stamp(known.subject)
        if known.shown is None or stamp != known.stamp or now - known.measured_at >= _MEASURE_SECONDS:
            known.shown, known.stamp, known.measured_at = self._measured(known, now, stamp), stamp, now
        if stamp != known.told_stamp and now - known.told_at >= _STORY_SECONDS:
            known.shown = msgspec.structs.replace(known.shown, story=_story(known))
            known.told_stamp, known.told_at = stamp, now
        return known.shown

    def _measured(self, known: _Known, now: float, stamp: tuple[float, ...]) -> WatchedSession:
        subject = known.subject
        found = measure(subject.conversation, msgspec.structs.replace(subject.session, now=now))
        bridge = found.bridge_of_run if found else None
        return WatchedSession(
            session_id=subject.conversation.session_id,
            directory=subject.directory,
            model=_model(found),
            verdict=found.verdict if found else None,
            occupancy=occupancy(subject.conversation.transcript, _ANSWERS),
            limits=limits_of(bridge.rate_limits).live(now) if bridge else {},
            story=known.shown.story if known.shown else (),
            written=stamp[0],
        )


def _model(found: Measurement | None) -> str:
    if found is None:
        return ""
    return (found.bridge_of_run and found.bridge_of_run.model_id) or (found.tail.model if found.tail else "")


def _story(known: _Known) -> tuple[StoryLine, ...]:
    subject, project = known.subject, known.subject.project
    if project is None:
        return ()
    try:
        known.activity = reader.caught_up(known.activity, subject.conversation.transcript)
    except (OSError, ValueError):
        return ()
    described = describe(subject.conversation, subject.session, project, "status", None, activity=known.activity)
    return tuple(story(described, project))


def _stamp(subject: Subject) -> tuple[float, ...]:
    """What changes whenever the session's transcript or its bridge does."""
    directory = subject.session.config.bridge.directory
    bridge = bridges.path_of(subject.session.root, subject.conversation.session_id, directory)
    found: list[float] = []
    for path in (subject.conversation.transcript, bridge or ""):
        try:
            status = os.stat(path)
            found += [status.st_mtime, status.st_size]
        except OSError:
            found += [0.0, -1]
    return tuple(found)


def _fullest_first(session: WatchedSession) -> tuple[int, str]:
    used = session.verdict.used if session.verdict else None
    return -(used or 0), session.session_id
