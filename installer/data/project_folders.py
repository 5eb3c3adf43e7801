"""Our folders in projects: what is proven to be ours, which --purge removes, and what stays."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from installer import configuration, files
from installer.layout import Layout
from shared.client import client
from shared.files.directory import opened
from shared.files.files import read_or_none
from shared.project_files import (
    ACKNOWLEDGED,
    CHECKPOINT_NAME,
    CHECKPOINTS,
    EXPORTED,
    EXPORTS,
    FOLDER,
    IGNORE_ALL,
    KEY_BYTES,
    KEY_NAME,
    PARTIAL,
    PROOF,
    RESUMED,
    export_name,
    is_proven,
)
from shared.text.quantities import counted

_IGNORE = ".gitignore"
_CWD = re.compile(rb'"cwd" ?: ?("(?:[^"\\]|\\.)*")')
_HEAD = 1 << 16  # bytes of a transcript that are searched for its first directory


class ProjectFolder(NamedTuple):
    """A folder of ours in a project, or one that the person has chosen for checkpoints or exports."""

    path: str
    project: str  # the directory below which its path has no links
    files: int  # in it, ours and others'
    proven: frozenset[str]  # paths of the files that are proven to be ours

    def describe(self) -> str:
        return f"{self.path} ({counted(self.files, 'file')})"

    def purged(self) -> str:
        return f"{self.path} ({counted(len(self.proven), 'file')} proven to be ours)"

    def unproven(self) -> str:
        return f"{self.path} ({counted(self.files - len(self.proven), 'file')} not proven to be ours)"


def find(layout: Layout, environ: Mapping[str, str]) -> list[ProjectFolder]:
    """The folders that exist in the projects that the client knows; no link is followed."""
    key = read_or_none(os.path.join(str(files.load(layout.directories).get("history", "")), KEY_NAME)) or b""
    chosen = [
        configuration.text(layout, *setting) for setting in (("checkpoint", "directory"), ("pivot", "export_directory"))
    ]
    folders: dict[str, ProjectFolder] = {}
    for project in sorted({os.path.realpath(path) for path in _projects(layout, environ)}):
        checkpoints, exports = (
            os.path.normpath(os.path.join(project, os.path.expanduser(path or usual)))
            for path, usual in zip(chosen, (CHECKPOINTS, EXPORTS), strict=True)
        )
        proven: frozenset[str] = frozenset()
        if len(key) == KEY_BYTES:
            proven = frozenset((*_checkpoints(checkpoints, project, key), *_exports(exports, project, key)))
        for path in (os.path.join(project, FOLDER), checkpoints, exports):
            if not any(path.startswith(above + os.sep) for above in folders) and _is_plain(path):
                inside = frozenset(one for one in proven if one.startswith(path + os.sep))
                start = project if path.startswith(project + os.sep) else path
                earlier = folders[path].proven if path in folders else frozenset()
                folders[path] = ProjectFolder(path, start, _count(path, layout), earlier | inside)
    return [folder for folder in folders.values() if folder.files]


def remove(folders: Iterable[ProjectFolder]) -> None:
    """Remove the files that are proven to be ours, and directories left empty."""
    for folder in folders:
        for path in folder.proven:
            below = os.path.relpath(os.path.dirname(path), folder.project)
            with suppress(OSError), opened(folder.project, below) as directory:
                directory.remove(os.path.basename(path))
        for emptied in sorted({os.path.dirname(path) for path in folder.proven}, reverse=True):
            files.remove_empty(emptied)
            files.remove_empty(os.path.dirname(emptied))
        ignore = os.path.join(folder.path, _IGNORE)
        with suppress(OSError):
            if os.listdir(folder.path) == [_IGNORE] and read_or_none(ignore) == IGNORE_ALL:
                os.unlink(ignore)
        files.remove_empty(folder.path)
        if folder.path.endswith(os.sep + FOLDER):
            files.remove_empty(os.path.dirname(folder.path))


def _projects(layout: Layout, environ: Mapping[str, str]) -> Iterator[str]:
    """The directories that the client was started in, according to its own record and its transcripts."""
    home = os.path.dirname(layout.root)
    projects = files.load(client.state_file(home, environ)).get("projects")
    paths = [*projects] if isinstance(projects, dict) else []
    with suppress(OSError):
        paths += [_started_in(entry.path) for entry in os.scandir(os.path.join(home, client.PROJECTS))]
    # isdir is just False for a text that can't be a path, such as one with half an emoji.
    return (path for path in paths if os.path.isabs(path) and os.path.isdir(path))


def _started_in(folder: str) -> str:
    """The directory of the sessions whose transcripts are in `folder`; "" if none names it."""
    with suppress(OSError, ValueError):
        for entry in os.scandir(folder):
            if entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False):
                with open(entry.path, "rb") as file:
                    match = _CWD.search(file.read(_HEAD))
                if match is not None:
                    return str(json.loads(match[1]))
    return ""


def _checkpoints(path: str, project: str, key: bytes) -> Iterator[str]:
    for name in os.listdir(path) if _is_plain(path) else ():
        if re.fullmatch(CHECKPOINT_NAME, name):
            own = os.path.join(path, name)
            data, proof = read_or_none(own), read_or_none(own + PROOF)
            if data is not None and proof is not None and is_proven(key, project, name, data, proof):
                yield from (own + end for end in ("", PROOF, ACKNOWLEDGED, RESUMED) if os.path.isfile(own + end))


def _exports(path: str, project: str, key: bytes) -> Iterator[str]:
    """Yield the files of each export of ours; an export with anything else in it stays, as when old ones are pruned."""
    for entry in os.scandir(path) if _is_plain(path) else ():
        if entry.is_dir(follow_symlinks=False):
            proof = read_or_none(os.path.join(entry.path, PROOF))
            if proof is not None and is_proven(key, project, export_name(entry.path), b"", proof):
                inside = list(os.scandir(entry.path))
                names = {one.name.removesuffix(PARTIAL) for one in inside}
                if names <= set(EXPORTED) and all(one.is_file(follow_symlinks=False) for one in inside):
                    yield from (one.path for one in inside)


def _is_plain(path: str) -> bool:
    """Whether this is a directory whose path has no links."""
    return os.path.isdir(path) and os.path.realpath(path) == path


def _count(path: str, layout: Layout) -> int:
    """Count the files in a folder; in the program's own, only those that a project's would have."""
    tops = [os.path.join(path, os.path.basename(one)) for one in (CHECKPOINTS, EXPORTS)]
    walked = tops if os.path.realpath(layout.root) == path else [path]
    names = [os.path.join(at, name) for top in walked for at, _, files in os.walk(top) for name in files]
    return len([name for name in names if name != os.path.join(path, _IGNORE)])
