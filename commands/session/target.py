"""The session that a command is about, and the settings that count for it."""

import os

import msgspec

from commands.environment.environment import Environment
from commands.session import current, projects
from monitor.measuring.snapshot import Snapshot, snapshot_of
from monitor.session import Conversation, Project, Session, project_of
from shared.client import client
from shared.settings import settings


class SessionTarget(msgspec.Struct, frozen=True):
    """A session, as `status`, `doctor --session` and `watch` look at it."""

    conversation: Conversation
    session: Session
    how: str
    """How the session was chosen."""
    directory: str
    """The project's directory, which may be gone; empty when it is not known."""

    @property
    def project(self) -> Project | None:
        """None when its directory is gone."""
        return project_of(self.session, self.directory)

    def measurement(self, conversation: Conversation | None = None) -> Snapshot | None:
        """The measurement of the session, or of another conversation of its project; nothing is learnt from it."""
        return snapshot_of(conversation or self.conversation, self.session)


def target_of(environment: Environment, wanted: str | None) -> SessionTarget:
    """The session called `wanted`, or the current one. Raises CommandError."""
    conversation, how = current.find(environment, wanted)
    directory = projects.of_session(environment, conversation)
    if wanted is None:  # a session that has written nothing yet was started here
        directory = directory or environment.directory
    project = directory if os.path.isdir(directory) else ""
    environ = {name: value for name, value in environment.environ.items() if name != client.PROJECT_VARIABLE}
    environ |= {client.PROJECT_VARIABLE: project} if project else {}  # as its hooks have it
    config = settings.load(environment.root, environ).config
    session = Session(environment.root, config, environ, environment.now, project)
    return SessionTarget(conversation, session, how, directory)
