from history.questions import sessions
from tests.history.questions.stored import START, Stored


def test_a_session_has_its_peak_its_answers_its_compactions_and_its_time(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(20_000))
    session.call(session.tool(100_000))
    session.compaction()
    session.call(session.tool(30_000))
    agent = stored.conversation("s", agent="a")
    agent.call(agent.tool(150_000))
    stored.conversation("later", project="/q", at=START + 9_000).call()

    answer = sessions.figures(stored.asked(), 0)
    later, own = answer

    assert (later.session, later.project) == ("later", "/q")
    assert (own.first_at, own.last_at) == (START, START + 120)
    assert sessions.presentation(answer).tables[0].rows[1][1] == "2m"
    assert (own.answers, own.compactions, own.subagents) == (3, 1, 1)
    assert (own.peak, own.window, own.fills) == (120_000, 200_000, [20_000, 120_000, 30_000])


def test_in_a_window_of_unknown_size_the_peak_is_in_tokens(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(20_000), window=2, level=None)

    assert sessions.presentation(sessions.figures(stored.asked(), 0)).tables[0].rows[0][4] == "20k"


def test_a_session_without_an_answer_since_then_is_left_out(stored: Stored) -> None:
    stored.conversation("early").call()
    stored.conversation("late", at=START + 600).call()

    answer = sessions.figures(stored.asked(), START + 600)

    assert [one.session for one in answer] == ["late"]
