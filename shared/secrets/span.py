from typing import NamedTuple


class Span(NamedTuple):
    """Where a secret stands in a text."""

    start: int
    end: int
    quote: str = ""
    """What the mask needs around it: where a number of JSON was, a string comes."""
