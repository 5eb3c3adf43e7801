"""What stands in for platform, from which uuid uses one function; none on Windows and macOS."""

import os
from typing import Any


def system() -> str:
    return os.uname().sysname


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # the import system's questions
        raise AttributeError(name)
    from shared.stand_ins import real  # noqa: PLC0415  only who gets here needs it

    return getattr(real(__name__), name)
