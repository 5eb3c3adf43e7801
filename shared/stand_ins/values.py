"""What stands in for decimal and uuid, of which msgspec takes the classes to know their values by.

Nothing that a bundled process decodes or encodes is of these classes, so it never meets a real one.
"""

from typing import Any


class Decimal: ...


class UUID: ...


class SafeUUID:
    unknown = None
    """What msgspec gives to a UUID that it makes."""


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # the import system's questions
        raise AttributeError(name)
    from shared.stand_ins import real  # noqa: PLC0415  only who gets here needs it

    return getattr(real(__name__), name)
