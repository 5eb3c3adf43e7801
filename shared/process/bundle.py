"""The start-up bundle: the code of every module that our processes may import, in one file.

Finding some seventy modules one by one is slow: with the bundle a status line takes 0.86 of the processor time that
it takes without, a speaking tool use 0.87 (medians of 16 pairs, CPython 3.11). The installer writes it. If it is
missing, damaged or another interpreter's, everything is imported as usual.
"""

import marshal
import sys

# Built in: the interpreter checks its own files with it. zlib would have to be found and loaded.
from _imp import source_hash

TYPE_CHECKING = False
if TYPE_CHECKING:  # this file is imported before there is a bundle to import from
    from collections.abc import Sequence
    from io import FileIO
    from types import ModuleType
    from typing import Any

    Index = dict[str, tuple[bool, str, int, int, bytes]]  # is a package, source file, begin, size and hash of its code

PROCESSES = ("shared.process.stdin", "statusline.line", "monitor.dispatch")
OFTEN = (
    "shared.settings.layers", "shared.settings.toml_file", "statusline.wrapping.command",
    "monitor.guards.ceiling", "monitor.guards.reading.reads", "monitor.pivot.announcement",
)  # fmt: skip
"""Not loaded by every process, but often by some: with a configuration, a wrapped line, near a level."""
_KEY = int.from_bytes(b"bundle", "little")
_SIZE, _HASH_SIZE = 4, 8
_LONGEST_INDEX = 1 << 20
_Spec = type(__spec__)  # importlib.machinery's, which would have to be imported


class Bundle:
    """A finder and loader of the modules in a bundle."""

    def __init__(self, file: "FileIO", index: "Index", start: int) -> None:
        """`start` is the offset in `file` of the first module's code. Reading it all would take a millisecond more."""
        self._file = file
        self._index = index
        self._start = start

    def find_spec(self, name: str, path: "Sequence[str] | None" = None, target: "ModuleType | None" = None) -> object:
        """Find a module for the import system; None passes the search on to the next finder."""
        del path, target
        if name not in self._index:
            return None
        is_package, origin, begin, size, expected = self._index[name]
        self._file.seek(self._start + begin)
        code = self._file.read(size)
        if source_hash(_KEY, code) != expected:
            return None
        # Without a location, since the import system would work out where a cached file might be.
        spec = _Spec(name, self, origin=origin, loader_state=code, is_package=is_package)  # type: ignore[arg-type]  # as use()
        if is_package:
            spec.submodule_search_locations = [origin.removesuffix("__init__.py").rstrip("/\\")]
        return spec

    def create_module(self, spec: object) -> None:
        """Leave the creation of the module to the import system."""
        del spec

    def exec_module(self, module: "ModuleType") -> None:
        spec: Any = module.__spec__
        module.__file__ = spec.origin
        exec(marshal.loads(spec.loader_state), module.__dict__)  # noqa: S102, S302  what an import is; by write()


def use(path: str) -> None:
    """Make this process import from the bundle at `path`, if there is one that fits the interpreter."""
    try:
        file = open(path, "rb", 0)  # noqa: SIM115  for as long as the process imports
        contents = _read_index(file)
    except OSError:
        return
    if contents is not None:
        sys.meta_path.insert(0, Bundle(file, *contents))  # type: ignore[arg-type]  # a finder is what has its methods


def write(path: str) -> None:
    """Write the bundle of this environment to `path`. Raises OSError.

    Run it in a bare interpreter (`-I -S`), whose own modules are left out, and with `-X no_debug_ranges`, since
    nobody reads those.
    """
    at_start = set(sys.modules)
    for name in (*PROCESSES, *OFTEN):
        __import__(name)
    for name in sys.modules["monitor.dispatch"].HOOKS.values():
        __import__(name)
    modules = {name: sys.modules[name] for name in sorted(sys.modules.keys() - at_start)}
    from_source = type(__spec__.loader)
    index, codes = {}, bytearray()
    for name, module in modules.items():
        spec = getattr(module, "__spec__", None)  # not every entry is a module: typing.io isn't
        if spec is None or spec.origin is None or not isinstance(spec.loader, from_source):
            continue
        with open(spec.origin, "rb") as file:
            code = marshal.dumps(compile(file.read(), spec.origin, "exec", dont_inherit=True, optimize=2))
        position = (len(codes), len(code), source_hash(_KEY, code))
        index[name] = (spec.submodule_search_locations is not None, spec.origin, *position)
        codes += code
    names = marshal.dumps(index)
    with open(path, "wb") as file:
        file.write(_header() + len(names).to_bytes(_SIZE, "little") + source_hash(_KEY, names) + names + codes)


def _read_index(file: "FileIO") -> "tuple[Index, int] | None":
    """The index and the code's offset; None if `file` is incomplete or another interpreter's. Raises OSError."""
    header = _header()
    head = file.read(len(header) + _SIZE + _HASH_SIZE)
    size = int.from_bytes(head[len(header) : len(header) + _SIZE], "little")
    if not head.startswith(header):
        return None
    names = file.read(min(size, _LONGEST_INDEX))
    if source_hash(_KEY, names) != head[-_HASH_SIZE:]:
        return None
    return marshal.loads(names), len(head) + size  # noqa: S302  its hash shows that write() wrote it


def _header() -> bytes:
    """The interpreter's exact build: another one's code might be unreadable."""
    return b"Tidegauge's start-up bundle for " + sys.version.encode() + b"\n"
