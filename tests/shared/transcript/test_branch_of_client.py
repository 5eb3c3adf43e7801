"""Two clients may continue one session: the current tool use tells whose branch counts."""

from tests.transcripts import Transcript, tail_of


def test_the_current_tool_use_tells_which_clients_branch_counts(transcript: Transcript) -> None:
    transcript.prompt()
    transcript.answer(20_000, tool_use_ids=("toolu_1",))
    both = transcript.newest
    transcript.prompt()
    transcript.answer(90_000, tool_use_ids=("toolu_one",))
    one = transcript.newest
    transcript.rewind(both)
    transcript.prompt()
    transcript.answer(50_000, tool_use_ids=("toolu_other",))
    other = transcript.newest
    transcript.rewind(one)
    transcript.result("toolu_one")
    for tool_use_id, expected in (("toolu_one", [90_000, 20_000]), ("toolu_other", [50_000, 20_000])):
        tail = tail_of(transcript, tool_use_id)
        assert (tail.holds_tool_use, tail.size) == (True, transcript.size)
        assert [answer.tokens for answer in tail.answers] == expected
    transcript.rewind(other)
    transcript.result("toolu_other")
    assert tail_of(transcript, "toolu_one").tokens == 90_000
    assert tail_of(transcript).tokens == 50_000
    assert not tail_of(transcript, "toolu_of_none").holds_tool_use


def test_another_client_may_have_continued_from_the_current_tool_use(transcript: Transcript) -> None:
    """2.1.330, which resumes a session at work, takes the call for an interrupted one."""
    transcript.prompt()
    transcript.answer(50_000, tool_use_ids=("toolu_running",))
    transcript.result("toolu_running", "[Tool call interrupted: the session ended]", failed=True)
    transcript.prompt()
    transcript.answer(172_000, tool_use_ids=())
    assert tail_of(transcript, "toolu_running").tokens == 50_000
