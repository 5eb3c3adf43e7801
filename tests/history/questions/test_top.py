from history.questions import top
from history.store.schema import PartKind
from tests.history.questions.stored import START, Stored


def test_the_window_is_divided_by_tool_file_directory_server_and_subagent(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.part(PartKind.START, 20_000), session.part(PartKind.PROMPT, 100))
    session.call(session.part(PartKind.OUTPUT, 300), session.tool(1_000, path="/p/a.py"))
    session.call(session.tool(500, "Edit", "/p/a.py"), session.tool(400, "Grep", "/p/"))
    session.call(session.tool(700, "mcp__git__log"), session.tool(50, "mcp__git__show"))
    session.call(session.part(PartKind.TOOL, 2_000, "Agent", subagent="explorer"))
    session.call(session.part(PartKind.REMOVED, -600))

    answer = top.figures(stored.asked(), 0)

    tools = {filler.name: filler.tokens for filler in answer.tools}
    assert tools["Read"] == 1_000
    assert tools["(answers)"] == 300
    assert tools["(removed without a compaction)"] == -600
    assert sum(tools.values()) == 24_450
    assert answer.entered == 25_050
    assert [(filler.name, filler.tokens, filler.parts) for filler in answer.files] == [("/p/a.py", 1_500, 2)]
    assert [(filler.name, filler.tokens) for filler in answer.directories] == [("/p", 1_900)]
    assert [(filler.name, filler.tokens) for filler in answer.mcp_servers] == [("git", 750)]
    assert [(filler.name, filler.tokens) for filler in answer.subagents] == [("explorer", 2_000)]


def test_cost_is_tokens_times_the_answers_they_stayed_for(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(1_000, "Bash"))
    session.call(session.tool(10, "Grep"))
    session.compaction()
    session.call(session.tool(500, "Bash"))

    answer = top.figures(stored.asked(), 0)

    assert {filler.name: filler.cost for filler in answer.tools} == {"Bash": 2_000 + 500, "Grep": 10}
    assert answer.input_tokens == 1_000 + 1_010 + 500


def test_the_measured_and_the_split_share_are_stated(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(750, "Bash"), session.tool(250, "Bash") | {"certainty": 2})

    (bash,) = top.figures(stored.asked(), 0).tools

    assert (bash.measured, bash.split, bash.estimated) == (0, 750, 250)
    assert bash.certainty == "split 75%"


def test_only_later_contents_count(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(1_000, "Bash"))
    session.call(session.tool(10, "Grep"))

    answer = top.figures(stored.asked(), START + 60)

    assert [filler.name for filler in answer.tools] == ["Grep"]
    assert answer.input_tokens == 1_010
