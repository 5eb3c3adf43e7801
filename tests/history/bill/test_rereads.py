from history.questions import top
from tests.history.questions.stored import Stored


def test_a_read_is_repeated_only_while_the_file_is_in_the_window(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(100, path="/p/a.py"), session.tool(200, path="/p/b.py"))
    session.call(session.tool(90, path="/p/a.py"), session.tool(5, "Edit", "/p/b.py"))
    session.compaction()
    session.call(session.tool(200, path="/p/b.py"))
    stored.conversation("other").call(session.tool(100, path="/p/a.py"))

    (reread,) = top.figures(stored.asked(), 0).rereads

    assert (reread.file, reread.times, reread.tokens, reread.cost) == ("/p/a.py", 1, 90, 90)


def test_only_a_read_of_the_same_size_is_a_repeat(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(100, path="/p/a.py"))
    session.call(session.tool(90, path="/p/a.py"))
    session.call(session.tool(100, path="/p/a.py"))
    session.call()

    (reread,) = top.figures(stored.asked(), 0).rereads

    assert (reread.times, reread.cost, reread.same) == (2, 3 * 90 + 2 * 100, 1)


def test_a_read_on_a_branch_that_a_rewind_left_is_not_read_again(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(100, path="/p/a.py"), abandoned=1)
    session.call(session.tool(100, path="/p/a.py"))

    assert top.figures(stored.asked(), 0).rereads == []
