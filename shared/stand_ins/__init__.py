"""What the start-up bundle has in place of modules that others import and our processes never use.

msgspec imports what describes types as JSON schemas, and the classes of values that none of our files holds: each of
those costs a library and half a millisecond. A stand-in gives way to the real module as soon as anything more is wanted
of it.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def real(name: str) -> "ModuleType":
    """The real module, which replaces its stand-in from now on."""
    for finder in sys.meta_path:
        if hasattr(finder, "replace_stand_in") and finder.replace_stand_in(name):
            del sys.modules[name]
    __import__(name)
    return sys.modules[name]
