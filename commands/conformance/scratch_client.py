"""A simulated client: its own directories, a clean environment, and a session's transcripts."""

import os
import uuid
from collections.abc import Mapping

import msgspec

from commands.conformance.case import CaseRow
from shared import paths
from shared.client import client
from shared.files import files
from shared.settings.settings import variable

_INHERITED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "PATHEXT", "COMSPEC", "SYSTEMROOT", "WINDIR")
"""Variables that a program needs to start at all."""


class ScratchClient:
    """One session of a simulated client; its directories are created."""

    def __init__(self, directory: str) -> None:
        self.session = str(uuid.uuid4())
        self.home = os.path.join(directory, "home")
        self.project = os.path.join(directory, "project")
        self.temporary = os.path.join(directory, "tmp")
        self.configuration = os.path.join(self.home, client.DIRECTORY)
        self.transcript = os.path.join(self.configuration, client.PROJECTS, "-project", f"{self.session}.jsonl")
        own = os.path.join(self.configuration, "tidegauge")
        self.bridges = paths.bridge(own, self.session, self.temporary), paths.bridge(own, self.session)
        """The paths at which a status line may leave its bridge: in the temporary directory, and in Tidegauge's own."""
        for path in (self.configuration, self.project, self.temporary):
            os.makedirs(path, files.PRIVATE_DIRECTORY)

    def environ(self) -> Mapping[str, str]:
        inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        return inherited | {
            "HOME": self.home,
            "USERPROFILE": self.home,
            "TMPDIR": self.temporary,
            "TEMP": self.temporary,
            "TMP": self.temporary,
            client.CONFIG_DIRECTORY_VARIABLE: self.configuration,
            variable("bridge.directory"): self.temporary,
            "CLAUDECODE": "1",
            "TERM": "xterm-256color",
            "COLUMNS": "200",
            "LINES": "50",
        }

    def append(self, row: CaseRow) -> None:
        """Write a row's line into the transcript that it belongs to. Raises OSError."""
        path = self.transcript
        if row.agent:
            path = os.path.join(path.removesuffix(".jsonl"), client.SUBAGENTS, f"{row.agent}.jsonl")
        os.makedirs(os.path.dirname(path), files.PRIVATE_DIRECTORY, exist_ok=True)
        with open(path, "ab") as file:
            file.write(self.filled(row.torn.encode()) if row.torn else self.filled(bytes(row.transcript)) + b"\n")

    def filled(self, text: bytes) -> bytes:
        """Fill this session's id and paths into a text of a case."""
        names = {"$SESSION": self.session, "$TRANSCRIPT": self.transcript, "$PROJECT": self.project, "$HOME": self.home}
        for name, value in names.items():
            text = text.replace(name.encode(), msgspec.json.encode(value)[1:-1])
        return text
