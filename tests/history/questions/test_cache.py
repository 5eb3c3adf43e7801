from history.questions import cache
from tests.history.questions.stored import START, Stored


def test_the_hit_rate_is_the_share_of_input_read_from_the_cache(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(session.tool(1_000), input=0, cache_creation=1_000, cache_read=0)
    session.call(session.tool(1_000), input=100, cache_creation=900, cache_read=1_000)
    agent = stored.conversation("s", agent="a")
    agent.call(agent.tool(10), input=5, cache_creation=4, cache_read=1)

    answer = cache.figures(stored.asked(), 0)

    assert (answer.input_tokens, answer.cache_creation_input_tokens, answer.cache_read_input_tokens) == (
        3_010,
        1_904,
        1_001,
    )
    assert answer.hit == 0.3326
    assert answer.subagents_hit == 0.1
    (own,) = answer.sessions
    assert (own.project, own.input_tokens, own.hit, own.turns) == ("/home/p/work", 3_000, 0.3333, [0.0, 0.5])
    assert own.last_at == START + 60


def test_without_input_there_is_no_hit_rate(stored: Stored) -> None:
    session = stored.conversation("s")
    session.call(input=0, cache_creation=0, cache_read=0)

    answer = cache.figures(stored.asked(), 0)

    assert (answer.hit, answer.sessions[0].hit, answer.sessions[0].turns) == (None, None, [None])
    table_answer = cache.presentation(cache.figures(stored.asked(), 0))
    assert "Hit: n/a" in table_answer.facts[0]
    assert table_answer.tables[1].rows[0][2] == "n/a"


def test_rebuilds_are_totalled_by_cause_and_the_worst_session_comes_first(stored: Stored) -> None:
    for session, rebuilds in {"few": [(0, 5)], "many": [(0, 100), (1, 300), (0, 50)], "none": []}.items():
        own = stored.conversation(session)
        own.call(own.tool(1_000))
        for cause, tokens in rebuilds:
            own.call(rebuild=cause, rebuilt=tokens)

    answer = cache.figures(stored.asked(), 0)

    assert [(rebuild.cause, rebuild.count, rebuild.tokens) for rebuild in answer.rebuilds] == [
        ("compaction", 1, 300),
        ("expired", 3, 155),
    ]
    assert [(one.session, one.rebuilds, one.rebuilt_tokens) for one in answer.sessions] == [
        ("many", 3, 450),
        ("few", 1, 5),
        ("none", 0, 0),
    ]


def test_an_empty_store_has_no_hit_rate(stored: Stored) -> None:
    answer = cache.figures(stored.asked(), 0)

    assert (answer.hit, answer.sessions, answer.rebuilds) == (None, [], [])
