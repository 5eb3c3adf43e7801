"""The program's assumptions about the client match the measurements."""

from typing import Any

import pytest

from shared.client import client_settings, models
from shared.gauge.limit import limit_of
from shared.gauge.window import WindowSize, WindowSource
from tests.client import facts

FACTS = facts.read()
WINDOWS = [(version, model, sizes) for version, known in FACTS.items() for model, sizes in known["windows"].items()]
POINTS = [(version, case, point) for version, known in FACTS.items() for case, point in known["compaction"].items()]


@pytest.mark.parametrize(("version", "model", "sizes"), WINDOWS)
def test_the_catalogue_has_the_measured_windows(version: str, model: str, sizes: dict[str, int]) -> None:
    family = models.family_of(model, version)
    if family is None:
        assert model == "my-deployment"
    elif family.is_certain:
        assert {sizes["bare id"], sizes["first-party address"]} == {family.window}
    else:
        assert sizes["first-party address"] == family.window


@pytest.mark.parametrize(("version", "case", "point"), POINTS)
def test_the_limit_is_where_the_client_was_measured_to_compact(version: str, case: str, point: dict[str, Any]) -> None:
    model, *variables = case.split()
    environ = dict(variable.split("=", 1) for variable in variables)
    size = point["window"]
    settings = client_settings.read(model, version, environ, "/nowhere", ())
    limit = limit_of(model, WindowSize(size, WindowSource.BRIDGE), environ, version, settings)

    assert limit is not None
    assert limit.tokens == (point["compacts at"] or size)
