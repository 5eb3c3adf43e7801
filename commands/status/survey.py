"""The survey of a session: what `tidegauge status` shows."""

import os

import msgspec

from commands.environment.environment import Environment
from commands.session.run_state import RunState, run_state_of
from commands.session.target import SessionTarget
from monitor import command_line
from monitor.activity.reader import activity_of
from monitor.checkpoints import client_process
from monitor.checkpoints.save import describe
from monitor.checkpoints.texts.summary import summary_lines
from monitor.pivot.overview import SessionOverview, overview_of
from shared.files import files
from shared.text.report_row import ReportRow


class Survey(msgspec.Struct, frozen=True):
    how: str
    directory: str
    """The project's directory; empty when that is not known."""
    run_state: RunState
    overview: SessionOverview
    written: float
    """Epoch seconds of the transcript's last write; 0 without one."""
    summary: tuple[ReportRow, ...] = ()
    """Empty where the session's directory is gone."""
    resume: str = ""
    """The command that lists what is saved in the project."""
    reopen: str = ""
    """The command that continues the session in the client."""


def survey(environment: Environment, target: SessionTarget) -> Survey:
    conversation, session = target.conversation, target.session
    running, project = client_process.running(environment.client_directory), target.project
    is_elsewhere = project is None or project.directory != os.path.realpath(environment.directory)
    command = command_line.pivot_in_terminal
    return Survey(
        how=target.how,
        directory=target.directory,
        run_state=run_state_of(conversation, running, environment.environ, activity_of(conversation, session)),
        overview=overview_of(conversation, session, target.measurement(), command, is_elsewhere=is_elsewhere),
        written=files.modified_at(conversation.transcript),
        summary=tuple(summary_lines(describe(conversation, session, project, "status", None), project))
        if project
        else (),
        resume=command_line.resume(session, "", conversation.session_id if is_elsewhere else ""),
        reopen=command_line.reopen(conversation.session_id, target.directory if is_elsewhere else ""),
    )
