"""Relative prices of the models: what a token costs by how it was billed.

They are the list prices per million tokens of https://platform.claude.com/docs/en/about-claude/pricing as of PUBLISHED.
Only their ratios matter here: a subscription isn't billed by them, but its limits are consumed in similar ratios.
"""

from collections.abc import Mapping

import msgspec

from shared.client.models import bare_id, is_same

PUBLISHED = "2026-10-24"
SOURCE = "platform.claude.com/docs/en/about-claude/pricing"


class ModelPrice(msgspec.Struct, frozen=True):
    """The price of a token of one model, in a unit that all models share."""

    input: float
    write: float
    """Written to the cache for five minutes."""
    write_1h: float
    read: float
    """Read from the cache."""
    output: float
    surcharge_from: int | None = None
    """Tokens in a request above which the whole request costs more."""
    surcharge_input: float = 1.0
    """The factor on the input of such a request; below, on its output."""
    surcharge_output: float = 1.0

    def cost(self, fresh: int, written: int, written_1h: int, read: int, output: int) -> float:
        """The cost of a call. All arguments are tokens; `written` counts those cached for five minutes."""
        input_cost = fresh * self.input + written * self.write + written_1h * self.write_1h + read * self.read
        if self.surcharge_from is None or fresh + written + written_1h + read <= self.surcharge_from:
            return input_cost + output * self.output
        return input_cost * self.surcharge_input + output * self.output * self.surcharge_output


_TABLE: tuple[tuple[str, ModelPrice], ...] = (
    # names after `claude-`; input, written for 5 minutes, for an hour, read, output
    ("fable-5-1 mythos-5-1", ModelPrice(10, 12.5, 20, 0.25, 50)),
    ("fable-5 mythos-5", ModelPrice(10, 12.5, 20, 1, 50)),
    ("opus-5-5", ModelPrice(4, 5, 8, 0.2, 20)),
    ("opus-5 opus-4-8 opus-4-7 opus-4-6 opus-4-5", ModelPrice(5, 6.25, 10, 0.5, 25)),
    ("opus-4-1 opus-4 opus-4-0 3-opus", ModelPrice(15, 18.75, 30, 1.5, 75)),
    ("sonnet-5-5", ModelPrice(2, 2.5, 4, 0.1, 10)),
    ("sonnet-5", ModelPrice(2, 2.5, 4, 0.2, 10)),
    ("sonnet-4-6 3-7-sonnet 3-5-sonnet", ModelPrice(3, 3.75, 6, 0.3, 15)),
    ("sonnet-4-5 sonnet-4 sonnet-4-0", ModelPrice(3, 3.75, 6, 0.3, 15, 200_000, 2, 1.5)),
    ("haiku-5-5", ModelPrice(0.1, 0.125, 0.2, 0.01, 0.5, 100_000, 5, 5)),
    ("haiku-4-5", ModelPrice(1, 1.25, 2, 0.1, 5)),
    ("3-5-haiku", ModelPrice(0.8, 1, 1.6, 0.08, 4)),
    ("3-haiku", ModelPrice(0.25, 0.3, 0.5, 0.03, 1.25)),
)
_PRICES = {f"claude-{name}": price for names, price in _TABLE for name in names.split()}


def price_of(model: str, own: Mapping[str, str]) -> ModelPrice | None:
    """The price of `model`; None for one that neither the table nor `own`, the setting `history.prices`, has."""
    text = own.get(model) or next((text for name, text in own.items() if is_same(name, model)), None)
    if text is not None:
        fresh, write, write_1h, read, output = map(float, text.split())
        return ModelPrice(fresh, write, write_1h, read, output)
    return _PRICES.get(bare_id(model))
