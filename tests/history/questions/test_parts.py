from history.questions import top
from history.store.schema import PartKind
from tests.history.questions.stored import Stored


def test_the_largest_parts_leave_out_what_no_line_shows(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.part(PartKind.START, 20_000), session.part(PartKind.UNSEEN, 9_000))
    for tokens in range(1_000, 1_012):
        session.call(session.tool(tokens, path="/p/a.py"))

    largest = top.figures(stored.asked(), 0).largest

    assert [part.tokens for part in largest] == list(range(1_011, 1_001, -1))
    assert (largest[0].what, largest[0].answers, largest[0].session) == ("/p/a.py (Read)", 1, "s")
