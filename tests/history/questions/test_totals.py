import msgspec

from history.questions import sessions, totals
from history.questions.answer.question import QuestionAnswer
from history.store import store
from tests.history.trees import synced, transcript
from tests.transcripts import START


def asked(root: str, since: int = 0) -> QuestionAnswer:
    with store.for_reading(root) as opened:
        return totals.presentation(totals.figures(opened, since))


def test_totals_use_the_apis_names_and_count_sessions_and_subagents(root: str) -> None:
    session = transcript(root)
    session.prompt()
    session.answer(20_000, id="one", output=70, usage={"cache_creation_input_tokens": 9, "input_tokens": 4})
    session.boundary()
    session.subagent("a1").answer(5_000, id="two", output=30)
    transcript(root, "second").answer(6_000, id="three", output=1)
    synced(root)

    assert msgspec.to_builtins(asked(root).document) == {
        "calls": 3,
        "input_tokens": 4 + 3 + 3,
        "cache_creation_input_tokens": 9,
        "cache_read_input_tokens": 19_997 + 4_997 + 5_997,
        "output_tokens": 101,
        "compactions": 1,
        "sessions": 2,
        "subagents": 1,
    }


def test_since_leaves_out_earlier_rows(root: str) -> None:
    session = transcript(root)
    session.answer(20_000, id="one", at=START)
    session.answer(21_000, id="two", at=START + 100)
    transcript(root, "second").answer(6_000, id="three", at=START + 10)
    synced(root)

    document = msgspec.to_builtins(asked(root, int(START) + 100).document)

    assert (document["calls"], document["sessions"]) == (1, 1)


def test_an_empty_history_is_all_zeros(root: str) -> None:
    synced(root)

    answer = asked(root)

    assert set(msgspec.to_builtins(answer.document).values()) == {0}


def test_the_number_of_sessions_matches_their_list(root: str) -> None:
    transcript(root).answer(20_000)
    transcript(root, "without-answer").prompt()
    synced(root)

    with store.for_reading(root) as opened:
        listed = sessions.figures(opened, 0)

    assert msgspec.to_builtins(asked(root).document)["sessions"] == len(listed) == 1
