"""Measures a session as its next hook would, without leaving a trace."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.measuring.measurement import Measurement, measure
from monitor.session import Conversation, Session
from shared import bridge, files, paths
from shared.config import Config

_LARGEST = 64 << 20


def measured(place: Surroundings, config: Config, conversations: list[Conversation]) -> list[Measurement | None]:
    """What the monitor would measure now of each conversation of one session."""
    with _copy(place, config, conversations[0].session_id) as root:
        session = Session(root, config, place.environ, place.now)
        return [measure(conversation, session, "") for conversation in conversations]


@contextmanager
def _copy(place: Surroundings, config: Config, session_id: str) -> Iterator[str]:
    """A copy of what a measurement reads: measuring also learns, and what it learns stays in here."""
    with tempfile.TemporaryDirectory(prefix="tidegauge-doctor-") as home:
        client_directory = os.path.join(home, "client")
        root = os.path.join(client_directory, "tidegauge")
        os.makedirs(paths.run_directory(root), files.PRIVATE_DIRECTORY)
        state = os.path.relpath(place.client_state, place.client_directory)
        pairs = [
            (place.client_state, os.path.normpath(os.path.join(client_directory, state))),
            (place.layout.settings, os.path.join(client_directory, "settings.json")),
            (os.path.join(place.root, "directories.json"), os.path.join(root, "directories.json")),
            (paths.learned(place.root), paths.learned(root)),
        ]
        if config.bridge.directory is None and (path := bridge.path_of(place.root, session_id, None)):
            pairs.append((path, paths.bridge(root, session_id)))
        for original, copy in pairs:
            contents = files.read_or_none(os.path.realpath(original), _LARGEST)
            if contents is not None:
                files.write_atomic(copy, contents)
        yield root
