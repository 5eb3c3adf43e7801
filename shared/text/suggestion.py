"""The error text for a mistyped name."""

import difflib
from collections.abc import Sequence


def no_such(what: str, name: str, names: Sequence[str]) -> str:
    """`docter: no such command; did you mean doctor?`: with the likeliest two of `names`, else with all of them."""
    near = difflib.get_close_matches(name, names, 2, 0.6)
    return f"{name}: no such {what}" + (
        f"; did you mean {' or '.join(near)}?" if near else f": there are {', '.join(names)}"
    )
