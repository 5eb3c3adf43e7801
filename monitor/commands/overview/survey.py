"""The survey of a session and of its project's others: what `tidegauge status` tells."""

import os

import msgspec

from monitor.activity.activity_of import activity_of
from monitor.checkpoints import client_process
from monitor.checkpoints.client_process import RunningClient
from monitor.checkpoints.save import describe
from monitor.checkpoints.story import StoryLine, story
from monitor.commands.diagnosis import transcripts
from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.commands.overview import current, projects
from monitor.commands.overview.run_state import RunState, run_state_of
from monitor.measuring.measurement import measure
from monitor.pivot.overview import SessionOverview, overview_of
from monitor.session import Conversation, Project, Session, project_of
from shared import settings
from shared.reading import Reading

_MOST_OTHERS = 8


class Other(msgspec.Struct, frozen=True):
    """Another session of the same project, in short."""

    session_id: str
    state: str
    used: int | None
    """Percent of the window; None when its transcript doesn't tell."""
    level: str | None
    written: float
    """Epoch seconds of the last write."""


class Survey(msgspec.Struct, frozen=True):
    """A session, told in full, and the others of its project."""

    how: str
    """How the session was found."""
    directory: str
    """Where it last worked; empty when that is not known."""
    run_state: RunState = msgspec.field(name="life")
    overview: SessionOverview = msgspec.field(name="standing")
    others: tuple[Other, ...]
    story: tuple[StoryLine, ...] = ()
    """Empty where the session's directory is gone."""


class Subject(msgspec.Struct, frozen=True):
    """A session that something is to be done with."""

    conversation: Conversation
    session: Session
    how: str
    directory: str

    @property
    def project(self) -> Project | None:
        """None when its directory is gone."""
        return project_of(self.session, self.directory)


def subject_of(place: Surroundings, wanted: str | None) -> Subject:
    """The session called `wanted`, or the current one. Raises CommandError."""
    bridges = settings.load(place.root, place.environ, place.directory).config.bridge.directory
    found = current.find(place, wanted, bridges)
    directory = projects.of_session(place, found.conversation) or place.directory
    environ = projects.environ_of(directory, place.environ)
    config = settings.load(place.root, environ).config
    session = Session(place.root, config, environ, place.now, directory)
    return Subject(found.conversation, session, found.how, directory)


def reading_of(subject: Subject) -> Reading | None:
    found = measure(subject.conversation, subject.session, "")
    return found.reading if found else None


def survey(place: Surroundings, subject: Subject) -> Survey:
    """Everything of a session, and of the others in short."""
    conversation, session = subject.conversation, subject.session
    paths = current.others(conversation)[:_MOST_OTHERS]
    others = [Conversation(transcripts.session_of(path), path) for path in paths if os.access(path, os.R_OK)]
    running = client_process.running()
    found = measure(conversation, session, "")
    return Survey(
        how=subject.how,
        directory=subject.directory,
        run_state=run_state_of(conversation, running, place.environ, activity_of(conversation, session)),
        overview=overview_of(conversation, session, found),
        others=tuple(_other(place, subject, other, running) for other in others),
        story=_story(subject),
    )


def _story(subject: Subject) -> tuple[StoryLine, ...]:
    project = subject.project
    if project is None:
        return ()
    return tuple(story(describe(subject.conversation, subject.session, project, "status", None), project))


def _other(place: Surroundings, subject: Subject, conversation: Conversation, running: list[RunningClient]) -> Other:
    found = measure(conversation, subject.session, "")
    return Other(
        session_id=conversation.session_id,
        state=run_state_of(conversation, running, place.environ).state,
        used=found.reading.used if found else None,
        level=found.level.name if found else None,
        written=transcripts.modified(conversation.transcript),
    )
