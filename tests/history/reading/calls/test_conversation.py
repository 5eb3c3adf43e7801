"""The calls of a conversation's lines, with their growth, its parts, compactions and warnings."""

import json
from pathlib import Path

import pytest

from history.store.schema import PartCertainty, PartKind, RebuildCause, WarningOutcome
from shared.settings.config import Config, HistorySettings
from tests.history import trees
from tests.history.trees import ask, rows, synced, transcript, warn
from tests.transcripts import START, Transcript

CALLS = "SELECT step, fill, growth, abandoned FROM calls JOIN cycles ON cycles.id = cycle ORDER BY number, calls.id"
PARTS = (
    "SELECT step, kind, certainty, tokens, names.text, answers FROM stays JOIN calls ON calls.id = call"
    " LEFT JOIN names ON names.id = stays.name ORDER BY call, number"
)


def parts(root: str) -> list[tuple[object, ...]]:
    return ask(root, PARTS)


def tool(on: Transcript, tokens: int, name: str, arguments: dict[str, str], *, id: str, output: int = 50) -> None:  # noqa: A002  the field's name
    """Write one answer that calls one tool."""
    on.answer(tokens, tool_use_ids=(), output=output)
    data = on.path.read_bytes()
    last = json.loads(data.splitlines()[-1])
    last["message"]["content"] = [{"type": "tool_use", "id": id, "name": name, "input": arguments}]
    beginning = data[: data.rstrip(b"\n").rfind(b"\n") + 1]
    on.path.write_bytes(beginning + json.dumps(last).encode() + b"\n")


def test_growth_is_measured_between_answers_and_its_parts_sum_to_it(root: str) -> None:
    session = transcript(root)
    session.prompt("x" * 400)
    session.answer(20_000, output=100)
    session.result(text="y" * 3_000)
    session.answer(21_500, tool_use_ids=("toolu_2", "toolu_3"), output=200)
    session.result("toolu_2", "z" * 998)  # with its quotes 1,000 bytes
    session.result("toolu_3", "z" * 2_998)
    session.answer(23_700, tool_use_ids=())

    synced(root)

    assert [row[:3] for row in ask(root, CALLS)] == [(1, 20_000, 20_000), (2, 21_500, 1_500), (3, 23_700, 2_200)]
    assert [row[:4] for row in parts(root)] == [
        (1, PartKind.START, PartCertainty.ESTIMATED, 19_900),
        (1, PartKind.PROMPT, PartCertainty.ESTIMATED, 100),
        (2, PartKind.OUTPUT, PartCertainty.MEASURED, 100),
        (2, PartKind.TOOL, PartCertainty.MEASURED, 1_400),
        (3, PartKind.OUTPUT, PartCertainty.MEASURED, 200),
        (3, PartKind.TOOL, PartCertainty.SPLIT, 500),
        (3, PartKind.TOOL, PartCertainty.SPLIT, 1_500),
    ]


def test_a_part_costs_its_tokens_at_every_answer_it_stays_for(root: str) -> None:
    session = transcript(root)
    session.answer(20_000, output=100)
    session.result(text="y" * 3_000)
    for tokens in (21_500, 22_000, 22_500):
        session.answer(tokens, tool_use_ids=(), output=500)
    session.boundary()
    session.summary("what was done")
    session.answer(9_000, tool_use_ids=())

    synced(root)

    assert ask(root, "SELECT tokens, answers, cost FROM stays WHERE kind = ?", PartKind.TOOL) == [(1_400, 3, 4_200)]


def test_a_tool_is_stored_with_name_path_server_and_subagent_but_no_text(root: str) -> None:
    session = transcript(root)
    tool(session, 20_000, "Read", {"file_path": "/home/dev/shop/app.py"}, id="t1")
    session.result("t1", "the secret text of a file")
    tool(session, 21_000, "mcp__files__list", {"q": "secret"}, id="t2")
    session.result("t2", "a secret")
    tool(session, 22_000, "Task", {"subagent_type": "Explore", "prompt": "secret"}, id="t3")
    session.result("t3", "a secret")
    session.answer(23_000, tool_use_ids=(), text="secret")

    synced(root)

    tools = [row[6:] for row in rows(root)["parts"] if row[2] == PartKind.TOOL]
    assert sorted(tools, key=str) == [
        ("Read", "/home/dev/shop", "app.py", None),
        ("Task", None, None, "Explore"),
        ("mcp__files__list", None, None, None),
    ]
    for path in Path(trees.client_of(root)).parent.glob("history/*"):
        assert b"secret" not in path.read_bytes()


def test_with_hashed_paths_neither_directory_nor_file_name_is_kept(root: str) -> None:
    session = transcript(root)
    tool(session, 20_000, "Read", {"file_path": "/home/dev/shop/app.py"}, id="t1")
    session.result("t1")
    session.answer(21_000, tool_use_ids=())

    synced(root, Config(history=HistorySettings(hash_paths=True)))

    (part,) = (row for row in rows(root)["parts"] if row[6] == "Read")
    assert all(len(name) == 16 and int(name, 16) for name in part[7:9])


def test_the_output_of_an_answer_without_an_end_is_divided_by_size(root: str) -> None:
    """Before 2.1.97 the client wrote the output so far with each line, such as 2 tokens."""
    session = transcript(root)
    session.answer(20_000, output=2, tool_use_ids=(), text="x" * 1_000)
    data = json.loads(session.path.read_bytes())
    data["message"]["stop_reason"] = None
    session.path.write_bytes(json.dumps(data).encode() + b"\n")
    session.prompt("y" * 3_000)
    session.answer(21_000, tool_use_ids=())

    synced(root)

    assert [row[1:4] for row in parts(root)][-2:] == [
        (PartKind.OUTPUT, PartCertainty.SPLIT, 250),
        (PartKind.PROMPT, PartCertainty.SPLIT, 750),
    ]


def test_tokens_leaving_the_window_without_a_compaction_are_a_separate_part(root: str) -> None:
    session = transcript(root)
    session.answer(90_000, output=100)
    session.result(text="y" * 3_998)
    session.answer(60_000, tool_use_ids=())

    synced(root)

    assert [row[1:4] for row in parts(root)][1:] == [
        (PartKind.OUTPUT, PartCertainty.MEASURED, 100),
        (PartKind.TOOL, PartCertainty.ESTIMATED, 1_000),
        (PartKind.REMOVED, PartCertainty.ESTIMATED, -31_100),
    ]


def test_after_a_rewind_growth_counts_from_the_branch_point(root: str) -> None:
    session = transcript(root)
    session.prompt()
    session.answer(20_000, tool_use_ids=())
    before = session.newest
    session.prompt("the first way")
    session.answer(40_000, tool_use_ids=())
    session.answer(60_000, tool_use_ids=())
    session.rewind(before)
    session.prompt("the second way")
    session.answer(25_000, tool_use_ids=())

    synced(root)

    assert ask(root, CALLS) == [
        (1, 20_000, 20_000, None),
        (2, 40_000, 20_000, 3),
        (3, 60_000, 20_000, 3),
        (2, 25_000, 5_000, None),
    ]
    assert ask(root, "SELECT answers FROM cycles") == [(2,)]
    assert ask(root, "SELECT max(answers) FROM stays JOIN calls ON calls.id = call WHERE fill = 40000") == [(2,)]


def test_a_compaction_begins_a_cycle_and_has_its_figures(root: str) -> None:
    session = transcript(root)
    session.answer(160_000, tool_use_ids=())
    session.boundary(161_000, 3_200)
    session.summary("x" * 4_000)
    session.answer(12_000, tool_use_ids=())

    synced(root)

    (row,) = ask(root, "SELECT trigger, before, after, summary, milliseconds FROM compactions")
    assert row[:3] == ("auto", 161_000, 3_200)
    assert 1_000 <= row[3] <= 1_020
    assert row[4] > 0
    assert ask(root, "SELECT number, step, growth FROM calls JOIN cycles ON cycles.id = cycle") == [
        (0, 1, 160_000),
        (1, 1, 12_000),
    ]


def test_server_tools_pay_the_sum_but_only_the_last_request_is_in_the_window(root: str) -> None:
    one = {"type": "message", "input_tokens": 5, "cache_read_input_tokens": 30_000, "output_tokens": 40}
    two = {"type": "message", "input_tokens": 6, "cache_read_input_tokens": 31_000, "output_tokens": 50}
    sums = {"input_tokens": 11, "cache_read_input_tokens": 61_000, "output_tokens": 90, "iterations": [one, two]}
    transcript(root).answer(0, tool_use_ids=(), usage=sums)

    synced(root)

    assert ask(root, "SELECT input, cache_read, output, fill FROM calls") == [(11, 61_000, 90, 31_006)]


def test_subagents_lines_in_the_oldest_clients_caller_files_do_not_count(root: str) -> None:
    session = transcript(root)
    session.answer(20_000, tool_use_ids=())
    session.answer(7_000, tool_use_ids=(), sidechain=True)
    session.answer(21_000, tool_use_ids=())

    synced(root)

    query = "SELECT number, fill, growth FROM calls JOIN cycles ON cycles.id = cycle ORDER BY fill"
    assert ask(root, query) == [(0, 20_000, 20_000), (0, 21_000, 1_000)]


@pytest.mark.parametrize(
    ("after", "model", "cause"),
    [
        (60, "claude-opus-4-6", RebuildCause.PREFIX_CHANGED),
        (301, "claude-opus-4-6", RebuildCause.EXPIRED),
        (60, "claude-opus-4-5", RebuildCause.MODEL_SWITCH),
    ],
)
def test_a_rewritten_cache_has_its_cause(root: str, after: int, model: str, cause: RebuildCause) -> None:
    session = transcript(root)
    five = {"cache_creation_input_tokens": 20_000, "cache_read_input_tokens": 0}
    short = {"cache_creation": {"ephemeral_5m_input_tokens": 20_000, "ephemeral_1h_input_tokens": 0}}
    session.answer(20_000, usage=five | short, at=START, tool_use_ids=())
    again = {"cache_creation_input_tokens": 13_000, "cache_read_input_tokens": 8_000}
    session.answer(21_000, usage=again, at=START + after, model=model, tool_use_ids=())

    synced(root)

    assert ask(root, "SELECT rebuild, rebuilt FROM calls ORDER BY id") == [(None, None), (cause, 12_000)]


def test_levels_follow_the_settings_in_the_transcripts_window(root: str) -> None:
    session = transcript(root)
    for tokens in (20_000, 129_000, 149_000, 162_000):
        session.answer(tokens, tool_use_ids=())

    synced(root)

    assert ask(root, "SELECT level FROM calls ORDER BY step") == [
        ("NORMAL",),
        ("WARNING",),
        ("CRITICAL",),
        ("EXHAUSTED",),
    ]
    assert ask(root, "SELECT tokens, ends_at FROM windows") == [(200_000, 167_000)]


@pytest.mark.parametrize(
    ("after", "outcome"),
    [
        ("save", WarningOutcome.SAVED),
        ("compact", WarningOutcome.COMPACTED),
        ("stop", WarningOutcome.GROWTH_STOPPED),
        ("go on", WarningOutcome.WENT_ON),
        ("end", None),
    ],
)
def test_a_warning_has_its_outcome(root: str, after: str, outcome: WarningOutcome | None) -> None:
    session = transcript(root)
    session.answer(140_000, tool_use_ids=())
    warn(session, "CRITICAL")
    if after == "save":
        tool(session, 141_000, "Write", {"file_path": f"/home/dev/{Config().messages.summary_file}"}, id="t1")
    elif after == "compact":
        session.boundary()
    elif after != "end":
        for number in range(12):
            session.answer(140_000 + number * (100 if after == "stop" else 2_000), tool_use_ids=())

    synced(root)

    assert ask(root, "SELECT level, step, outcome FROM warnings") == [("CRITICAL", 1, outcome)]


def test_captured_sessions_of_both_clients_are_read(root: str) -> None:
    source = Path(__file__).parents[3] / "payloads" / "transcripts"
    for version in source.iterdir():
        for path in version.rglob("*.jsonl"):
            target = Path(trees.client_of(root)) / "projects" / version.name / path.relative_to(version)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())

    result = synced(root)

    assert result.unreadable == []
    assert trees.stored(root) == trees.counted(root)
    assert ask(root, "SELECT count(*) FROM transcripts WHERE agent IS NOT NULL") == [(2,)]
    uneven = (
        "SELECT calls.id FROM calls LEFT JOIN parts ON call = calls.id GROUP BY calls.id HAVING growth <> sum(tokens)"
    )
    assert ask(root, uneven) == []
