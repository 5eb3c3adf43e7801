"""The part of doctor that runs when the private environment is broken."""

import json
import sys
from pathlib import Path

import msgspec
import pytest

from commands.doctor.finding import wrong
from installer.checking import basic_check
from installer.layout import Layout


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """An installation without its interpreter, whose command records its arguments."""
    layout = Layout(str(tmp_path / "tidegauge"), str(tmp_path / "settings.json"))
    command = Path(layout.command)
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\necho "$@" >>"{tmp_path}/asked"\n')
    command.chmod(0o755)
    return layout


def report_of(layout: Layout, *rest: str) -> tuple[int, list[str]]:
    lines: list[str] = []
    return basic_check.run(layout, rest, lines.append), lines


def test_broken_parts_are_named_with_their_fixes(layout: Layout) -> None:
    assert report_of(layout) == (
        1,
        [f"wrong    interpreter: {layout.python} is missing", f"         run: {layout.command} repair"],
    )


def test_json_has_the_same_form_as_doctors(layout: Layout) -> None:
    code, (document,) = report_of(layout, "--json")

    (finding,) = json.loads(document)["findings"]
    remedy = f"run: {layout.command} repair"
    of_doctor = wrong("interpreter", f"{layout.python} is missing", remedy, silences=True)
    assert code == 1
    assert finding == msgspec.to_builtins(of_doctor)


@pytest.mark.skipif(sys.platform == "win32", reason="the command is a script of sh")
def test_fix_runs_the_repair_and_reports_remaining_problems(layout: Layout, tmp_path: Path) -> None:
    code, lines = report_of(layout, "--fix")

    assert (tmp_path / "asked").read_text() == "repair\n"
    assert code == 1
    assert lines[-1] == f"         run: {layout.command} repair"
