"""The benchmark of a team's telemetry."""

import pytest

from benchmarks import telemetry


def test_a_day_is_reproducible_and_sends_one_request_an_hour(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(telemetry, "ENGINE", None)

    assert telemetry.main(["--distinct", "1", "--machines", "1000"]) == 0
    first = capsys.readouterr().out.splitlines()
    telemetry.main(["--distinct", "1", "--machines", "1000"])

    assert first[0].split() == ["requests", "9", "a", "machine", "and", "day,", "9,000", "in", "all"]
    assert [line.split()[0] for line in first] == ["requests", "on", "points", "series", "victoria-metrics"]
    assert capsys.readouterr().out.splitlines()[2:4] == first[2:4]
