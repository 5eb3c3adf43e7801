"""The window of a call, computed once for all calls with the same window."""

from unittest.mock import Mock

import pytest

from history.reading.calls.windows import Windows, WindowSigns
from shared.gauge import window
from shared.settings.config import Config


@pytest.mark.parametrize(("model", "size"), [("claude-opus-4-1", 200_000), ("of-a-gateway", None)])
def test_a_window_is_computed_once_even_if_its_size_is_unknown(
    monkeypatch: pytest.MonkeyPatch, model: str, size: int | None
) -> None:
    resolve = Mock(wraps=window.resolve)
    monkeypatch.setattr(window, "resolve", resolve)
    windows = Windows(Config())

    rows = {windows.of(tokens, model, "2.1.197", WindowSigns())[0] for tokens in range(1, 200_001, 1_000)}

    assert {row.tokens for row in rows} == {size}
    assert resolve.call_count == 1
    assert windows.of(200_001, model, "2.1.197", WindowSigns())[0].tokens == 1_000_000
