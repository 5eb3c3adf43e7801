"""The survey of a session and of its project's other sessions: what `tidegauge status` shows."""

import os

import msgspec

from commands.environment.environment import Environment
from commands.session import transcripts
from commands.session.run_state import RunState, run_state_of
from commands.session.target import SessionTarget
from monitor import command_line
from monitor.activity.reader import activity_of
from monitor.checkpoints import client_process
from monitor.checkpoints.client_process import RunningClient
from monitor.checkpoints.save import describe
from monitor.checkpoints.texts.summary import SummaryLine, summary_lines
from monitor.pivot.overview import SessionOverview, overview_of
from monitor.session import Conversation

_MOST_NEIGHBOURS = 8


class NeighbourSession(msgspec.Struct, frozen=True):
    session_id: str
    state: str
    used: int | None
    """Percent of the window; None when its transcript doesn't tell."""
    level: str | None
    written: float
    """Epoch seconds of the last write."""


class Survey(msgspec.Struct, frozen=True):
    how: str
    """How the session was chosen."""
    directory: str
    """The project's directory; empty when that is not known."""
    run_state: RunState
    overview: SessionOverview
    neighbours: tuple[NeighbourSession, ...]
    written: float
    """Epoch seconds of the transcript's last write; 0 without one."""
    summary: tuple[SummaryLine, ...] = ()
    """Empty where the session's directory is gone."""
    resume: str = ""
    """The command that lists what is saved in the project."""
    reopen: str = ""
    """The command that continues the session in the client."""


def survey(environment: Environment, target: SessionTarget) -> Survey:
    conversation, session = target.conversation, target.session
    running, project = client_process.running(), target.project
    folder = os.path.dirname(conversation.transcript)
    others = [path for path in transcripts.in_folder(folder) if path != conversation.transcript][:_MOST_NEIGHBOURS]
    is_elsewhere = project is None or project.directory != os.path.realpath(environment.directory)
    command = command_line.pivot_in_terminal
    return Survey(
        how=target.how,
        directory=target.directory,
        run_state=run_state_of(conversation, running, environment.environ, activity_of(conversation, session)),
        overview=overview_of(conversation, session, target.measurement(), command, is_elsewhere=is_elsewhere),
        written=transcripts.modified(conversation.transcript),
        neighbours=tuple(_neighbour(environment, target, path, running) for path in others if os.access(path, os.R_OK)),
        summary=tuple(summary_lines(describe(conversation, session, project, "status", None), project))
        if project
        else (),
        resume=command_line.saved(session, conversation.session_id if is_elsewhere else ""),
        reopen=command_line.reopen(conversation.session_id, target.directory if is_elsewhere else ""),
    )


def _neighbour(
    environment: Environment, target: SessionTarget, path: str, running: list[RunningClient]
) -> NeighbourSession:
    conversation = Conversation(transcripts.session_of(path), path)
    measurement = target.measurement(conversation)
    return NeighbourSession(
        session_id=conversation.session_id,
        state=run_state_of(conversation, running, environment.environ).state,
        used=measurement.reading.used if measurement else None,
        level=measurement.level.name if measurement else None,
        written=transcripts.modified(path),
    )
