"""What stands in for msgspec._json_schema, from which msgspec.json imports two functions."""

from typing import Any


def schema(*args: Any, **options: Any) -> Any:
    from shared.stand_ins import real  # noqa: PLC0415  only who gets here needs it

    return real(__name__).schema(*args, **options)


def schema_components(*args: Any, **options: Any) -> Any:
    from shared.stand_ins import real  # noqa: PLC0415  only who gets here needs it

    return real(__name__).schema_components(*args, **options)
