"""What the start-up bundle holds in place of modules that others import and our processes never use.

msgspec imports what describes types as JSON schemas, and uuid, which msgspec imports, asks platform for the system's
name alone. A stand-in gives way to the real module as soon as somebody wants more of it than is here.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def real(name: str) -> "ModuleType":
    """The module that a stand-in stands for, which takes its place from now on."""
    for finder in sys.meta_path:
        if hasattr(finder, "replace_stand_in") and finder.replace_stand_in(name):
            del sys.modules[name]
    __import__(name)
    return sys.modules[name]
