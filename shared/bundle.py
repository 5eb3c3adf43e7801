"""The start-up bundle: the code of every module that a process of ours may import, in one file.

Finding some seventy modules one by one takes a tenth of such a process's time. The installer writes the
bundle; without it, or as far as it is damaged or another interpreter's, everything is imported as usual.
"""

import marshal
import sys

# Built into every interpreter, and what it checks its own files with; zlib would have to be found and loaded.
from _imp import source_hash

TYPE_CHECKING = False
if TYPE_CHECKING:  # this file is imported before there is a bundle to import from
    from collections.abc import Sequence
    from io import FileIO
    from types import ModuleType
    from typing import Any

    Index = dict[str, tuple[bool, str, int, int, bytes]]  # is a package, source file, place, size and hash of its code

PROCESSES = ("shared.stdin", "statusline.line", "monitor.dispatch")
OFTEN = (
    "shared.layers",
    "shared.toml_file",
    "statusline.command",
    "monitor.guards.ceiling",
    "monitor.guards.reading.reads",
    "monitor.pivot.watch",
)
"""Not loaded by every process, but at each event of some: with a configuration, a wrapped line, near a level."""
STAND_INS = {
    "msgspec._json_schema": "shared.stand_ins.json_schema",
    "msgspec.inspect": "shared.stand_ins.unused",
    "decimal": "shared.stand_ins.values",
    "uuid": "shared.stand_ins.values",
}
"""What is in the bundle in place of a module, since the module itself takes long and nobody needs it."""
_ITSELF = " itself"
"""After a module's name: the module that another stands in for."""
_KEY = int.from_bytes(b"bundle", "little")
_SIZE, _HASH_SIZE = 4, 8
_LONGEST_INDEX = 1 << 20
_Spec = type(__spec__)  # importlib.machinery's, which would have to be imported


class Bundle:
    """A finder and loader of the modules in a bundle."""

    def __init__(self, file: "FileIO", index: "Index", start: int) -> None:
        """`start` is where in `file` the first module's code begins."""
        self._file = file
        self._index = index
        self._start = start

    def find_spec(self, name: str, path: "Sequence[str] | None" = None, target: "ModuleType | None" = None) -> object:
        """What the import system asks of each finder in turn; None passes the question on."""
        del path, target
        if name not in self._index:
            return None
        is_package, origin, at, size, expected = self._index[name]
        self._file.seek(self._start + at)
        code = self._file.read(size)
        if source_hash(_KEY, code) != expected:
            return None
        # Without a location: the import system would work out where a cached file might be.
        spec = _Spec(name, self, origin=origin, loader_state=code, is_package=is_package)  # type: ignore[arg-type]  # as use()
        if is_package:
            spec.submodule_search_locations = [origin.removesuffix("__init__.py").rstrip("/\\")]
        return spec

    def replace_stand_in(self, name: str) -> bool:
        """Have the next import of `name` load the module itself; False when that has been done."""
        itself = self._index.pop(name + _ITSELF, None)
        if itself is not None:
            self._index[name] = itself
        return itself is not None

    def create_module(self, spec: object) -> None:
        """Leave the making of the module to the import system."""
        del spec

    def exec_module(self, module: "ModuleType") -> None:
        spec: Any = module.__spec__
        module.__file__ = spec.origin
        exec(marshal.loads(spec.loader_state), module.__dict__)  # noqa: S102, S302  what an import is; by write()


def use(path: str) -> None:
    """Have this process import from the bundle at `path`, when there is one that fits the interpreter."""
    # Where an extra brings it along, msgspec takes it for what every Python of ours has in typing, 10 ms sooner.
    sys.modules["typing_extensions"] = None  # type: ignore[assignment]  # the import system's sign for "not there"
    try:
        file = open(path, "rb", 0)  # noqa: SIM115  for as long as the process imports
        found = _read_index(file)
    except OSError:
        return
    if found is not None:
        sys.meta_path.insert(0, Bundle(file, *found))  # type: ignore[arg-type]  # a finder is what has its methods
        _import_msgspec()


def _import_msgspec() -> None:
    """Import msgspec without its trial of a forward reference, which would be the only compile() of the process.

    The first one sets up the types of syntax trees, for which a start takes 0.7 ms longer.
    """
    import typing  # noqa: PLC0415  from the bundle

    forward_reference = typing.ForwardRef
    typing.ForwardRef = lambda *_, **__: None  # type: ignore[misc,assignment]  # put back below
    try:
        __import__("msgspec")
    except ImportError:  # said by whoever needs it
        pass
    finally:
        typing.ForwardRef = forward_reference  # type: ignore[misc]  # its own again


def fits(path: str) -> bool:
    """Whether there is a bundle at `path` that this very interpreter can use."""
    try:
        with open(path, "rb", 0) as file:
            return _read_index(file) is not None
    except OSError:
        return False


def write(path: str) -> None:
    """Write the bundle of this environment to `path`. Raises OSError.

    Meant for a bare interpreter (`-I -S`), whose own modules are never looked for, and with `-X no_debug_ranges`,
    since nobody reads them.
    """
    at_start = set(sys.modules)
    for name in (*PROCESSES, *OFTEN):
        __import__(name)
    for name in sys.modules["monitor.dispatch"].HOOKS.values():
        __import__(name)
    for name in STAND_INS.values():
        __import__(name)
    modules = {name: sys.modules[name] for name in sorted(sys.modules.keys() - at_start)}
    for name in STAND_INS.keys() & modules.keys():
        modules |= {name: sys.modules[STAND_INS[name]], name + _ITSELF: modules[name]}
    from_source = type(__spec__.loader)
    index, codes = {}, bytearray()
    for name, module in modules.items():
        spec = getattr(module, "__spec__", None)  # not every entry is a module: typing.io
        if spec is None or spec.origin is None or not isinstance(spec.loader, from_source):
            continue
        with open(spec.origin, "rb") as file:
            code = marshal.dumps(compile(file.read(), spec.origin, "exec", dont_inherit=True, optimize=2))
        place = (len(codes), len(code), source_hash(_KEY, code))
        index[name] = (spec.submodule_search_locations is not None, spec.origin, *place)
        codes += code
    names = marshal.dumps(index)
    with open(path, "wb") as file:
        file.write(_header() + len(names).to_bytes(_SIZE, "little") + source_hash(_KEY, names) + names + codes)


def _read_index(file: "FileIO") -> "tuple[Index, int] | None":
    """The index, and where the code begins; None when `file` isn't whole or is another interpreter's."""
    header = _header()
    head = file.read(len(header) + _SIZE + _HASH_SIZE)
    if not head.startswith(header):
        return None
    size = int.from_bytes(head[len(header) : len(header) + _SIZE], "little")
    names = file.read(min(size, _LONGEST_INDEX))
    if source_hash(_KEY, names) != head[-_HASH_SIZE:]:
        return None
    return marshal.loads(names), len(head) + size  # noqa: S302  checked: what write() has written


def _header() -> bytes:
    """What code may depend on, to the build: another interpreter's could not even be read."""
    return b"Tidegauge's start-up bundle for " + sys.version.encode() + b"\n"
