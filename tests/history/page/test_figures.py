"""The report's figures, against rows counted by hand."""

import msgspec
import pytest

from history.page.contents import ContentBranch
from history.page.figures import Figures, collect
from history.store.schema import PartKind, WarningOutcome
from shared.gauge.levels import Level, LevelRules, begins_at
from shared.settings.config import Config
from tests.history.page import made_up
from tests.history.questions.stored import START, Stored


def figures(stored: Stored, since: int = 0) -> Figures:
    return collect(stored.asked(), since, Config(), START + 10_000)


def branch(branches: list[ContentBranch], *names: str) -> ContentBranch:
    child_branch = next(child for child in branches if child.name == names[0])
    return branch(child_branch.children, *names[1:]) if names[1:] else child_branch


def test_an_empty_store_gives_an_empty_report(stored: Stored) -> None:
    result = figures(stored)

    assert result["sessions"]["totals"]["sessions"] == result["sessions"]["totals"]["calls"] == 0
    assert result["sessions"]["rows"] == result["occupancy"]["curves"] == []
    assert result["contents"] == {"tree": [], "tools": []}
    assert (result["cache"], result["compactions"], result["limits"]) == ([], [], [])


def test_a_session_includes_its_subagents_but_its_peak_is_its_own_windows(stored: Stored) -> None:
    own, agents = stored.conversation("one"), stored.conversation("one", "a1")
    own.call(own.tool(20_000))
    own.call(own.tool(110_000), level="WARNING")
    own.warning(Level.WARNING, WarningOutcome.SAVED)
    agents.call(agents.tool(190_000), input=10, cache_creation=20, cache_read=30, output=40)

    (row,) = figures(stored)["sessions"]["rows"]

    assert row == {
        "session": "one", "project": "/home/p/work", "first_at": START, "last_at": START + 60,
        "calls": 3, "subagents": 1, "warnings": 1, "compactions": 0, "peak": 65.0, "level": Level.WARNING,
        "input": 10, "cache_creation": 130_020, "cache_read": 20_030, "output": 240,
    }  # fmt: skip


def test_a_models_name_cannot_change_the_pages_text_direction(stored: Stored) -> None:
    own = stored.conversation("one")
    own.call(model=stored.name("odd\x1b]0;x\x07\u202e\u2066\u2028 model"))

    assert list(figures(stored)["bill"]["unpriced"]) == ["odd model"]


def test_since_leaves_out_earlier_rows(stored: Stored) -> None:
    early, late = stored.conversation("early"), stored.conversation("late", at=START + 100)
    early.call(early.tool(1_000))
    late.call(late.part(PartKind.START, 500))

    result = figures(stored, START + 50)

    assert [row["session"] for row in result["sessions"]["rows"]] == ["late"]
    assert [curve["session"] for curve in result["occupancy"]["curves"]] == ["late"]
    assert sum(tool.tokens for tool in result["contents"]["tools"]) == 500
    assert sum(day["sent"] for day in result["cache"]) == 500


def test_a_curve_has_its_points_window_and_events(stored: Stored) -> None:
    own = stored.conversation("one")
    own.call(own.tool(20_000))
    own.call(own.tool(110_000), level=None)
    own.warning(Level.WARNING, None)
    own.compaction(summary=5_000)

    occupancy = figures(stored)["occupancy"]

    (curve,) = occupancy["curves"]
    assert (curve["numbers"], curve["times"]) == ([1, 2], [START, START + 60])
    assert (curve["fills"], curve["levels"]) == ([20_000, 130_000], "0-")
    assert curve["warnings"] == [{"at": START + 120, "level": Level.WARNING, "outcome": None}]
    assert curve["compactions"] == [
        {"at": START + 120, "trigger": "auto", "before": 130_000, "after": None, "summary": 5_000}
    ]
    window = occupancy["windows"][curve["windows"][0]]
    assert (window["tokens"], window["limit"]) == (made_up.WINDOW, made_up.LIMIT)
    assert window["levels"] == [
        begins_at(rule, made_up.WINDOW, made_up.LIMIT) for _, rule in LevelRules().above(Level.NORMAL)
    ]


def test_a_curve_gives_each_points_window(stored: Stored) -> None:
    own = stored.conversation("one")
    for window in (1, 1, 2, 1):
        own.call(own.tool(100), window=window)

    occupancy = figures(stored)["occupancy"]

    assert occupancy["curves"][0]["windows"] == [0, 0, 1, 0]
    unknown = occupancy["windows"][1]
    assert (unknown["tokens"], unknown["source"], unknown["levels"]) == (None, "unknown", [])


def test_a_long_session_keeps_its_fullest_point_and_the_ends_of_its_cycles(stored: Stored) -> None:
    made_up.sessions(stored, 1, 2_000, now=START)

    (curve,) = figures(stored)["occupancy"]["curves"]
    ((fullest, cycles),) = stored.rows.execute("SELECT max(fill), count(DISTINCT cycle) FROM calls").fetchall()

    assert len(curve["fills"]) <= 240 + 2 * cycles
    assert max(curve["fills"]) == fullest
    assert curve["numbers"][-1] == 2_000


def test_contents_form_a_complete_tree_of_tools_directories_and_files(stored: Stored) -> None:
    own = stored.conversation("one")
    own.call(
        own.part(PartKind.START, 500),
        own.tool(300, "Read", "/home/dev/shop/a.py"),
        own.tool(100, "Read", "/home/dev/shop/b.py"),
        own.tool(70, "mcp__tracker__issue"),
        own.part(PartKind.ATTACHMENT, 30, "hook_context"),
        own.part(PartKind.REMOVED, -50),
    )
    own.call()

    contents = figures(stored)["contents"]

    files = branch(contents["tree"], "Read", "/home/dev/shop").children
    assert [(file.name, file.tokens, file.cost) for file in files] == [("a.py", 300, 600), ("b.py", 100, 200)]
    assert branch(contents["tree"], "MCP tracker", "mcp__tracker__issue").tokens == 70
    assert branch(contents["tree"], "(added by the client: hook_context)").tokens == 30
    assert sum(top.tokens for top in contents["tree"]) == 1_000
    assert sum(tool.tokens for tool in contents["tools"]) == 950  # as `history top` has it: less what left
    growth = next(tool for tool in contents["tools"] if tool.name == "Read")
    assert (growth.parts, growth.tokens, growth.split, growth.measured) == (2, 400, 400, 0)


def test_smaller_files_are_combined_and_their_tokens_kept(stored: Stored) -> None:
    own = stored.conversation("one")
    own.call(*(own.tool(number + 1, "Read", f"/home/dev/shop/{number}.py") for number in range(100)))

    directory = branch(figures(stored)["contents"]["tree"], "Read", "/home/dev/shop")

    assert directory.children[-1].name == "75 others"
    assert sum(file.tokens for file in directory.children) == directory.tokens == 5_050


def test_the_highest_of_many_limits_in_each_stretch_is_kept(stored: Stored) -> None:
    for minute in range(2_000):
        stored.rate_limit("5h", START + 60 * minute, 97.0 if minute == 777 else 10.0, None)

    (limit,) = figures(stored)["limits"]

    assert (limit["name"], max(limit["used"])) == ("five hours", 97.0)
    assert len(limit["times"]) == len(limit["used"]) <= 600


def test_the_sections_end_like_the_questions(stored: Stored) -> None:
    made_up.sessions(stored, 3, 150, now=START)

    advice = figures(stored)["answers"]["advice"]

    assert advice.keys() == {"growth", "compactions", "warnings", "cache", "limits", "sessions"}
    assert all(line.startswith(("To change: ", "Nothing to change: ")) for line in advice.values())


@pytest.mark.parametrize("table", ["calls", "compactions", "warnings"])
def test_rows_without_a_time_count_but_are_not_drawn(stored: Stored, table: str) -> None:
    own = stored.conversation("one")
    own.call(own.tool(1_000))
    if table == "calls":
        own.call(at=None)
    elif table == "compactions":
        own.compaction(at=None)
    else:
        own.warning(Level.WARNING, None)
        stored.rows.execute("UPDATE warnings SET at = NULL")

    result = figures(stored)

    assert result["sessions"]["totals"][table] == (2 if table == "calls" else 1)
    (curve,) = result["occupancy"]["curves"]
    assert (len(curve["fills"]), curve["compactions"], curve["warnings"]) == (1, [], [])
    assert msgspec.json.encode(result)
