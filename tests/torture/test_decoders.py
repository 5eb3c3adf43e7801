"""Every decoder of outside input (decoders/) handles anything."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.effort import times
from tests.torture.confinement import confined
from tests.torture.decoders import DECODERS
from tests.torture.decoders.decoder import Decoder, settle
from tests.torture.hostile import ODD, every_change, variants

# Examples change the home that they share, but don't depend on each other.
MANY = settings(max_examples=times(20, 300), suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(params=DECODERS)
def decoder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Decoder:
    request.node.user_properties.append(("row", request.param))
    settle(tmp_path, monkeypatch)
    result = DECODERS[request.param](tmp_path)

    def decode(data: bytes) -> None:
        with confined(str(tmp_path), may_start=True):
            result.decode(data)

    return result._replace(decode=decode)


@MANY
@given(data=st.data())
def test_anything_is_answered_or_refused(decoder: Decoder, tried: Callable[[], None], data: st.DataObject) -> None:
    tried()
    decoder.decode(data.draw(st.sampled_from(decoder.documents).flatmap(variants)))


def test_an_odd_value_in_any_place_is_answered_or_refused(decoder: Decoder, tried: Callable[[], None]) -> None:
    """A short run tries some places, the same each time; a long run all for most decoders. Non-JSON has one place."""
    changes = [changed for document in decoder.documents for changed in _changes(document)]
    for changed in changes[:: len(changes) // times(100, 4_000) + 1]:
        tried()
        decoder.decode(json.dumps(changed).encode())


def _changes(document: bytes) -> Iterable[Any]:
    try:
        return every_change(json.loads(document))
    except ValueError:
        return ODD


def test_a_failure_shows_its_input_instead_of_all_documents(decoder: Decoder) -> None:
    assert len(repr(decoder)) < 100


def test_valid_documents_are_read(decoder: Decoder, tried: Callable[[], None]) -> None:
    for document in decoder.documents:
        tried()
        decoder.decode(document)
