"""Confinement of inputs, which may name any path: writes elsewhere fail as if the system refused them."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_STARTS = frozenset({"os.exec", "os.fork", "os.posix_spawn", "os.system", "subprocess.Popen"})
_ONE, _SECOND, _BOTH = slice(0, 1), slice(1, 2), slice(0, 2)
_WRITES = dict.fromkeys(("os.chmod", "os.mkdir", "os.remove", "os.rmdir", "os.truncate"), _ONE)
_WRITES |= {"os.symlink": _SECOND, "os.link": _SECOND, "os.rename": _BOTH}
"""Which of an event's arguments name what is written."""
_FOR_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class _Confinement:
    """This process's audit hook, which can't be removed."""

    folder = ""
    """The only one that may be written to; empty for any."""
    may_start = True

    def __init__(self) -> None:
        sys.addaudithook(self._refuse)

    def _refuse(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.folder:
            return
        if event in _STARTS and not self.may_start:
            raise PermissionError(errno.EACCES, "not while this is tried", event)
        written = arguments[_WRITES[event]] if event in _WRITES else ()
        if event == "open" and arguments[2] & _FOR_WRITING:
            written = arguments[:1]
        for target in written:
            path = "" if isinstance(target, int) else os.path.abspath(os.fsdecode(target))
            if path and os.path.commonpath([path, self.folder]) != self.folder:
                raise PermissionError(errno.EACCES, "not while this is tried", path)


_own: list[_Confinement] = []


@contextmanager
def confined(folder: str, *, may_start: bool) -> Iterator[None]:
    """Refuse writes outside `folder`, and new processes unless it `may_start` one."""
    if not _own:
        _own.append(_Confinement())
    _own[0].folder, _own[0].may_start = folder, may_start
    try:
        yield
    finally:
        _own[0].folder = ""
