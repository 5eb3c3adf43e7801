"""What stands in for a module that nobody uses."""

from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # the import system's questions
        raise AttributeError(name)
    from shared.stand_ins import real  # noqa: PLC0415  only who gets here needs it

    return getattr(real(__name__), name)
