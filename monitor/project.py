"""The project that a session works in: whose checkpoints are its own."""

import os

import msgspec

from monitor.session import Session


class Project(msgspec.Struct, frozen=True):
    """Known by its real path, so that no other project's work is taken for its own."""

    directory: str
    """The real path."""
    working_directory: str
    """Where the session stands at present, as the client says it."""

    @property
    def id(self) -> str:
        return os.path.basename(self.directory) or self.directory

    def shown(self, path: str) -> str:
        """`path` as the project's people write it: from the project's directory on, when it lies there."""
        for start in (self.directory, self.working_directory):
            if path.startswith(start.rstrip("/\\") + os.sep):
                return path[len(start.rstrip("/\\")) + 1 :]
        return path

    def holds(self, path: str) -> bool:
        """Whether a path, its links followed, lies inside of the project."""
        try:
            return os.path.commonpath([os.path.realpath(path), self.directory]) == self.directory
        except ValueError:  # another drive, or a NUL in the path
            return False


def project_of(session: Session, cwd: str) -> Project | None:
    """The project of an event that happened in `cwd`; None when there is no such directory."""
    for directory in (session.project, cwd):
        if directory and os.path.isabs(directory) and "\0" not in directory and os.path.isdir(directory):
            return Project(os.path.realpath(directory), cwd or directory)
    return None
