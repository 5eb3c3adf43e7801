from history.questions import top
from history.store.schema import PartKind
from tests.history.questions.stored import START, Stored


def test_the_window_is_shared_out_by_tool_file_directory_server_and_subagent(stored: Stored) -> None:
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


def test_cost_is_tokens_for_each_answer_that_they_stayed(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(1_000, "Bash"))
    session.call(session.tool(10, "Grep"))
    session.compaction()
    session.call(session.tool(500, "Bash"))

    answer = top.figures(stored.asked(), 0)

    assert {filler.name: filler.cost for filler in answer.tools} == {"Bash": 2_000 + 500, "Grep": 10}
    assert answer.input_tokens == 1_000 + 1_010 + 500


def test_how_much_is_measured_and_how_much_split_is_said(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(750, "Bash"), session.tool(250, "Bash") | {"certainty": 2})

    (bash,) = top.figures(stored.asked(), 0).tools

    assert (bash.measured, bash.split, bash.estimated) == (0, 750, 250)
    assert bash.known == "split 75%"


def test_a_file_counts_as_read_again_only_while_it_is_in_the_window(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(100, path="/p/a.py"), session.tool(200, path="/p/b.py"))
    session.call(session.tool(90, path="/p/a.py"), session.tool(5, "Edit", "/p/b.py"))
    session.compaction()
    session.call(session.tool(200, path="/p/b.py"))
    stored.conversation("other").call(session.tool(100, path="/p/a.py"))

    (reread,) = top.figures(stored.asked(), 0).rereads

    assert (reread.file, reread.times, reread.tokens, reread.cost) == ("/p/a.py", 1, 90, 90)


def test_only_a_read_of_the_same_size_brought_the_same_again(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(100, path="/p/a.py"))
    session.call(session.tool(90, path="/p/a.py"))
    session.call(session.tool(100, path="/p/a.py"))
    session.call()

    (reread,) = top.figures(stored.asked(), 0).rereads

    assert (reread.times, reread.cost, reread.same, reread.same_cost) == (2, 3 * 90 + 2 * 100, 1, 200)


def test_a_read_on_a_branch_that_a_rewind_left_is_not_read_again(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(100, path="/p/a.py"), abandoned=1)
    session.call(session.tool(100, path="/p/a.py"))

    assert top.figures(stored.asked(), 0).rereads == []


def test_the_largest_parts_leave_out_what_no_line_shows(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.part(PartKind.START, 20_000), session.part(PartKind.UNSEEN, 9_000))
    for tokens in range(1_000, 1_012):
        session.call(session.tool(tokens, path="/p/a.py"))

    largest = top.figures(stored.asked(), 0).largest

    assert [part.tokens for part in largest] == list(range(1_011, 1_001, -1))
    assert (largest[0].what, largest[0].answers, largest[0].session) == ("/p/a.py (Read)", 1, "s")


def test_only_what_entered_since_then_counts(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(1_000, "Bash"))
    session.call(session.tool(10, "Grep"))

    answer = top.figures(stored.asked(), START + 60)

    assert [filler.name for filler in answer.tools] == ["Grep"]
    assert answer.input_tokens == 1_010
