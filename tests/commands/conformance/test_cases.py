"""The cases' contents: the client's own figures, a source, and nothing of the machine they come from."""

import itertools
import json
import re

import pytest

from commands.conformance.case import CaseRow, RecordedCase, read_cases
from shared.transcript.line import line_in
from tests.client.clients import VERSIONS

CASES = read_cases()
NAMES = [f"{case.name}-{case.client}" for case in CASES]
EVERY = {
    "start", "filling", "compaction", "native-million", "marked-million", "beta-million", "subagents", "sidechains",
    "rewind", "iterations", "refused", "fork", "resumption", "switched", "torn", "headless",
}  # fmt: skip
NOT_THE_CLIENTS = {"headless", "iterations"}
"""Cases whose sources say from where a further accepted figure comes."""


def redraws(case: RecordedCase) -> list[CaseRow]:
    return [row for row in case.rows if row.redraw]


def test_every_case_exists_for_both_clients() -> None:
    assert {(case.name, case.client) for case in CASES} == set(itertools.product(EVERY, VERSIONS))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_case_names_its_source_and_accepts_the_clients_own_figures(case: RecordedCase) -> None:
    last = None
    assert f"Claude Code {case.client}" in case.source
    assert redraws(case)
    for row in redraws(case):
        payload = json.loads(bytes(row.redraw))
        assert payload["version"] == case.client
        window = payload.get("context_window") or {"current_usage": None, "used_percentage": None}
        is_known = bool(window["current_usage"]) and any(window["current_usage"].values())
        own = {window["used_percentage"]} if is_known else {None, window["used_percentage"]}
        again = {None} if window == last else set()
        assert set(row.accepted) == own | again or (case.name in NOT_THE_CLIENTS and own < set(row.accepted))
        last = window


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_cases_lines_form_a_transcript(case: RecordedCase) -> None:
    for row in case.rows:
        assert sum(map(bool, (row.transcript, row.torn, row.redraw))) == 1
        if row.transcript:
            assert line_in(bytes(row.transcript)) is not None
        if row.torn:
            assert line_in(row.torn.encode()) is None


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_case_holds_no_path_of_a_machine(case: RecordedCase) -> None:
    text = "".join(bytes(row.transcript or row.redraw or row.torn.encode()).decode() for row in case.rows)

    assert re.findall(r'"/(?:home|root|tmp|Users|var)/[^"]*"', text) == []
    assert "$SESSION" in text
