"""The start-up bundle: the code of every module that a hot process imports, in one file beside the environment.

Finding some seventy modules one by one takes a tenth of such a process's time. The installer writes the
bundle; without it, or with one of another interpreter, everything is imported as usual.
"""

import marshal
import sys
from collections.abc import Sequence
from types import CodeType, ModuleType

HOT = ("statusline.line", "monitor.dispatch", "monitor.hooks.post_tool_use")
"""The modules whose imports are bundled."""

Modules = dict[str, tuple[bool, str, bytes]]
"""By name: whether it is a package, its source file, its marshalled code."""
_Spec = type(__spec__)  # importlib.machinery's, which would have to be imported


class Bundle:
    """A finder and loader of the modules in a bundle."""

    def __init__(self, modules: Modules) -> None:
        self._modules = modules

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> object:
        """What the import system asks of each finder in turn; None passes the question on."""
        del path, target
        if name not in self._modules:
            return None
        is_package, origin, _ = self._modules[name]
        spec = _Spec(name, self, origin=origin, is_package=is_package)  # type: ignore[arg-type]  # as use()
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [origin.removesuffix("__init__.py").rstrip("/\\")]
        return spec

    def create_module(self, spec: object) -> None:
        """Leave the making of the module to the import system."""
        del spec

    def exec_module(self, module: ModuleType) -> None:
        code: CodeType = marshal.loads(self._modules[module.__name__][2])  # noqa: S302  written by our installer
        exec(code, module.__dict__)  # noqa: S102  what an import is


def use(path: str) -> None:
    """Have this process import from the bundle at `path`, when there is one that fits the interpreter."""
    try:
        with open(path, "rb") as file:
            version, modules = marshal.loads(file.read())  # noqa: S302  written by our installer
    except (OSError, EOFError, ValueError, TypeError):
        return
    if version == sys.version:
        sys.meta_path.insert(0, Bundle(modules))  # type: ignore[arg-type]  # a finder is what has its methods


def write(path: str) -> None:
    """Write the bundle of this environment to `path`. Raises OSError.

    Meant for an interpreter with `-OO -X no_debug_ranges`: what nobody reads need not be loaded either.
    """
    from importlib import import_module  # noqa: PLC0415  only who writes needs it
    from importlib.machinery import SourceFileLoader  # noqa: PLC0415  see above

    at_start = set(sys.modules)
    for name in HOT:
        import_module(name)
    modules: Modules = {}
    for name in sys.modules.keys() - at_start | {"shared"}:
        spec = getattr(sys.modules[name], "__spec__", None)  # not every entry is a module: typing.io
        if spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
            continue
        code = spec.loader.get_code(name)
        modules[name] = (spec.submodule_search_locations is not None, spec.origin, marshal.dumps(code))
    with open(path, "wb") as file:
        file.write(marshal.dumps((sys.version, modules)))


if __name__ == "__main__":
    write(sys.argv[1])
