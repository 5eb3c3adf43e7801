"""A transcript's rows are those of one sync at its end, whenever it is synced and whatever happens to it."""

import copy
import tempfile
import time
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from history import sync
from history.store import store
from shared.settings.config import Config, HistorySettings
from tests.history import trees
from tests.history.trees import ask, counted, drop_store, rows, stored, synced, transcript, warn
from tests.transcripts import Transcript

KINDS = ("turn", "turn", "turn", "more", "compact", "rewind", "warn", "fork", "noise")
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 3)), min_size=1, max_size=14)
CUTS = st.lists(st.floats(0, 1), max_size=4)


def grow(root: str, steps: list[tuple[str, int]]) -> None:
    """Sessions that do `steps`."""
    sessions = [transcript(root)]
    tokens, prompts = 20_000, [sessions[0].newest]
    for number, (step, size) in enumerate(steps):
        on = sessions[-1]
        tokens += 700 * size
        if step == "turn":
            prompts.append(on.newest)
            on.prompt("p" * size * 100)
            tools = [f"t{number}_{tool}" for tool in range(size)]
            on.answer(tokens, id=f"msg_{number}", tool_use_ids=tools, output=size * 90)
            for tool in tools:
                on.result(tool, "r" * 300 * len(tool))
        elif step == "more":  # the same answer goes on, with a larger usage
            on.answer(tokens, id=f"msg_{number}", output=5, tool_use_ids=())
            on.answer(tokens, id=f"msg_{number}", output=50 + size, tool_use_ids=[f"m{number}"])
        elif step == "compact":
            on.boundary(tokens, id=f"boundary-{number}")
            on.summary("s" * 1_000 * size)
            tokens = 8_000
        elif step == "rewind":
            on.rewind(prompts[size % len(prompts)])
        elif step == "warn":
            warn(on, ("WARNING", "CRITICAL", "EXHAUSTED")[size % 3])
        elif step == "fork":
            path = on.path.with_name(f"{'cab'[size % 3]}-fork{number}.jsonl")
            path.write_bytes(on.path.read_bytes())
            sessions.append(_going_on(path, on))
        else:
            on.synthetic()
            on.shape(3_000)
            on.write(b"\xffnoise\n")


def _going_on(path: Path, before: Transcript) -> Transcript:
    """A session that continues after its copied lines."""
    fork = copy.copy(before)
    fork.path = path
    return fork


def written(root: str) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(Path(trees.client_of(root)).rglob("*.jsonl"))}


def sync_in_stretches(root: str, contents: dict[Path, bytes], cuts: list[float]) -> None:
    """Sync the transcripts as they might have been at some moments, and at the end."""
    for cut in (*sorted(cuts), 1.0):
        for place, (path, content) in enumerate(contents.items()):
            path.write_bytes(content[: int(len(content) * (cut if place % 2 else cut**2))])
        synced(root)


def identities(root: str) -> dict[str, list[tuple[Any, ...]]]:
    """The stored rows, whichever transcript owns them."""
    usage = "key, input, cache_creation, cache_read, output"
    queries = (f"{usage} FROM calls", "key FROM compactions", "key, at, level FROM warnings")
    return {query: ask(root, f"SELECT {query} ORDER BY key") for query in queries}


def outcomes(root: str) -> dict[str, list[tuple[Any, ...]]]:
    """What later lines say about compactions and warnings."""
    queries = (
        "key, summary FROM compactions WHERE summary IS NOT NULL",
        "key, outcome FROM warnings WHERE outcome IS NOT NULL",
    )
    return {query: ask(root, f"SELECT {query}") for query in queries}


@given(STEPS.map(lambda steps: [step for step in steps if step[0] != "fork"]), CUTS)
def test_syncing_a_transcript_in_stretches_gives_the_rows_of_one_sync(
    steps: list[tuple[str, int]], cuts: list[float]
) -> None:
    with tempfile.TemporaryDirectory() as home:
        root = trees.root_in(Path(home))
        grow(root, steps)
        synced(root)
        whole = rows(root)
        assert stored(root) == counted(root)
        drop_store(root)

        sync_in_stretches(root, written(root), cuts)

        assert rows(root) == whole


@given(STEPS, CUTS)
def test_forks_synced_in_stretches_store_each_row_once(steps: list[tuple[str, int]], cuts: list[float]) -> None:
    with tempfile.TemporaryDirectory() as home:
        root = trees.root_in(Path(home))
        grow(root, steps)
        synced(root)
        whole = identities(root)
        drop_store(root)

        sync_in_stretches(root, written(root), cuts)

        assert identities(root) == whole
        assert stored(root) == counted(root)
        assert ask(root, "SELECT count(*) FROM parts WHERE call NOT IN (SELECT id FROM calls)") == [(0,)]


def test_a_session_ending_after_every_line_gives_the_rows_of_one_sync(root: str) -> None:
    steps = ("turn", 2), ("warn", 0), ("turn", 3), ("more", 1), ("rewind", 1), ("turn", 1), ("compact", 2), ("turn", 2)
    grow(root, list(steps))
    synced(root)
    whole = rows(root)
    drop_store(root)
    ((path, content),) = written(root).items()
    with store.for_writing(root):
        pass

    lines = content.splitlines(keepends=True)
    for count in range(1, len(lines) + 1):
        path.write_bytes(b"".join(lines[:count]))
        sync.one_session(root, str(path), Config(), time.monotonic() + 60)

    assert rows(root) == whole


@given(STEPS, st.floats(0, 1), st.sampled_from(["cut", "zeros", "another"]))
def test_a_transcript_that_lost_its_content_keeps_its_rows_and_continues(
    steps: list[tuple[str, int]], place: float, damage: str
) -> None:
    with tempfile.TemporaryDirectory() as home:
        root = trees.root_in(Path(home))
        grow(root, steps)
        synced(root)
        whole, before = rows(root), identities(root) | outcomes(root)
        contents = written(root)
        for path, content in contents.items():
            at = int(len(content) * place)
            other = Transcript(Path(home) / f"other-{path.name}")
            other.answer(20_000, id=path.name)
            rest = {"cut": b"", "zeros": bytes(len(content) - at), "another": other.path.read_bytes()}[damage]
            path.write_bytes(content[:at] + rest)
        synced(root)

        after = identities(root) | outcomes(root)
        assert all(set(before[query]) <= set(after[query]) for query in before)
        assert ask(root, "SELECT count(*) FROM stays WHERE answers < 1") == [(0,)]

        for path, content in contents.items():
            path.write_bytes(content)
        synced(root)

        assert damage == "another" or rows(root) == whole


def test_rows_deleted_by_age_do_not_come_back_with_a_continuing_session(root: str) -> None:
    session = transcript(root)
    for age in (*range(0, 30, 3), 31):
        session.answer(20_000 + age, id=f"msg_{age}", tool_use_ids=(), at=time.time() - age * 86_400)
    config = Config(history=HistorySettings(keep_days=30))
    synced(root, config)
    session.answer(30_000, id="msg_new", tool_use_ids=(), at=time.time())

    sync.one_session(root, str(session.path), config, time.monotonic() + 60)

    assert ask(root, "SELECT max(fill) FROM calls WHERE fill < 30000") == [(20_027,)]
    assert ask(root, "SELECT count(*) FROM calls") == [(11,)]


def test_a_call_belongs_to_the_first_transcript_with_its_largest_usage_and_stays_there(root: str) -> None:
    sessions = [transcript(root, name) for name in ("a", "b", "c")]
    for session, output in zip(sessions, (2, 700, 700), strict=True):
        session.answer(20_000, id="msg_1", output=output, tool_use_ids=())
    query = "SELECT session, output FROM calls JOIN conversations USING (cycle)"
    synced(root)
    assert ask(root, query) == [("b", 700)]

    for session in (*sessions, sessions[1]):
        session.prompt()
        synced(root)
        assert ask(root, query) == [("b", 700)]
