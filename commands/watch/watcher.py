"""Each running session as it is displayed; measured again only if something has changed."""

import math
import time

import msgspec

from commands.command import CommandError
from commands.environment.environment import Environment
from commands.session.run_state import running_sessions
from commands.session.target import SessionTarget, target_of
from commands.watch.waiting import Waiting, waiting_of
from monitor.activity import reader
from monitor.activity.activity import Activity
from monitor.checkpoints import client_process
from monitor.checkpoints.client_process import ClientRecord, RunningClient
from monitor.checkpoints.save import describe
from monitor.checkpoints.texts.summary import summary_lines
from monitor.measuring.snapshot import snapshot_of
from monitor.session import Conversation
from shared import effort, paths
from shared.client.rate_limits import RateLimit, limits_of
from shared.files import files
from shared.gauge.verdict import Verdict
from shared.text.report_row import ReportRow
from shared.transcript import jsonl
from shared.transcript.line import line_in
from shared.transcript.records import answer_in

_ANSWERS, _FARTHEST = 120, 8 << 20
"""Answers that are drawn, the newest, and bytes from a transcript's end that are searched for them."""
_SCAN_SECONDS, _SUMMARY_SECONDS, _UNCHANGED_SECONDS = 5, 10, 30
"""How often to look for processes, to make a summary, for which git reads the project, and to read settings and
measure an unchanged session; a changed one is measured at each look."""


class WatchedSession(msgspec.Struct, frozen=True):
    session_id: str
    directory: str
    """Empty when it is not known."""
    model: str = ""
    verdict: Verdict | None = None
    occupancy: tuple[int, ...] = ()
    """Tokens in the window with each of the newest answers, the oldest first."""
    limits: dict[str, RateLimit] = {}
    """The account's rate limits, by name."""
    summary: tuple[ReportRow, ...] = ()
    written: float = 0.0
    """Epoch seconds of the transcript's last write."""
    waiting: Waiting | None = None
    """The reason it waits for its person; None while the agent works."""


class _WatchState(msgspec.Struct):
    target: SessionTarget
    targeted_at: float
    stamp: tuple[float, ...] = ()
    measured_at: float = 0.0
    summarised_at: float = 0.0
    activity: Activity = msgspec.field(default_factory=Activity)
    session: WatchedSession | None = None


class Watcher:
    """An observer of the running sessions, for use from one thread at a time."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._running: list[tuple[Conversation, RunningClient | None]] = []
        self._scanned_at = 0.0
        self._states: dict[str, _WatchState] = {}

    def look(self, now: float | None = None) -> list[WatchedSession]:
        """The running sessions at `now`, in epoch seconds: those that wait for their person first, then the fullest."""
        now = time.time() if now is None else now
        with effort.limited():
            if now - self._scanned_at >= _SCAN_SECONDS:
                self._running = running_sessions(self._environment.client_directory, self._environment.environ)
                self._scanned_at = now
                present = {conversation.session_id for conversation, _ in self._running}
                self._states = {name: state for name, state in self._states.items() if name in present}
            sessions = [result for running in self._running if (result := self._session_of(*running, now))]
        return sorted(sessions, key=_waiting_first)

    def _session_of(
        self, conversation: Conversation, running: RunningClient | None, now: float
    ) -> WatchedSession | None:
        state = self._states.get(conversation.session_id)
        if state is None or now - state.targeted_at >= _UNCHANGED_SECONDS:
            try:
                target = target_of(self._environment, conversation.session_id)
            except CommandError:  # gone in the meantime, or another user's
                return None
            state = state or self._states.setdefault(conversation.session_id, _WatchState(target, now))
            state.target, state.targeted_at = target, now
        stamp = _stamp(state.target)
        if state.session is None or stamp != state.stamp or now - state.measured_at >= _UNCHANGED_SECONDS:
            state.session, state.stamp, state.measured_at = _measure(state, now, stamp), stamp, now
        record = client_process.record_of(running, self._environment.client_directory) if running else ClientRecord()
        is_own = record.sessionId == conversation.session_id  # it may have left the session since the last scan
        waiting = waiting_of(record, state.target.conversation.transcript) if is_own else None
        return msgspec.structs.replace(state.session, waiting=waiting)


def _measure(state: _WatchState, now: float, stamp: tuple[float, ...]) -> WatchedSession:
    target = state.target
    snapshot = snapshot_of(target.conversation, msgspec.structs.replace(target.session, now=now))
    bridge, tail = (snapshot.bridge_of_run, snapshot.tail) if snapshot else (None, None)
    summary = state.session.summary if state.session else ()
    if now - state.summarised_at >= _SUMMARY_SECONDS:
        summary, state.summarised_at = _summary_of(state), now
    return WatchedSession(
        session_id=target.conversation.session_id,
        directory=target.directory,
        model=(bridge and bridge.model_id) or (tail.model if tail else ""),
        verdict=snapshot.verdict if snapshot else None,
        occupancy=occupancy(target.conversation.transcript, _ANSWERS),
        limits=limits_of(bridge.rate_limits).live(now) if bridge else {},
        summary=summary,
        written=stamp[0],
    )


def occupancy(transcript: str, most: int) -> tuple[int, ...]:
    """Tokens in the window with each of the newest `most` answers, oldest first; none if it can't be read."""
    result: dict[str, int] = {}
    for offset, data in jsonl.newest_first(transcript, [b'"usage"'], _FARTHEST):
        line = line_in(data)
        answer = answer_in(line, offset, is_subagent=False) if line else None
        if answer is not None:
            result.setdefault(answer.id, answer.tokens)
        if len(result) == most:
            break
    return tuple(reversed(result.values()))


def _summary_of(state: _WatchState) -> tuple[ReportRow, ...]:
    target, project = state.target, state.target.project
    if project is None:
        return ()
    try:
        state.activity = reader.advance(state.activity, target.conversation.transcript)
    except (OSError, ValueError):
        return ()
    described = describe(target.conversation, target.session, project, "status", None, activity=state.activity)
    return tuple(summary_lines(described, project))


def _stamp(target: SessionTarget) -> tuple[float, ...]:
    """Modification times and sizes of the session's transcript and bridge, which change whenever these do."""
    directory = target.session.config.bridge.directory
    bridge = paths.bridge(target.session.root, target.conversation.session_id, directory)
    both = (target.conversation.transcript, bridge)
    return tuple(number for path in both for number in (files.modified_at(path), files.size(path)))


def _waiting_first(session: WatchedSession) -> tuple[float, int, str]:
    """A sort key: first the session that has waited longest for its person, then the fullest."""
    used = session.verdict.used if session.verdict else None
    return session.waiting.since if session.waiting else math.inf, -(used or 0), session.session_id
