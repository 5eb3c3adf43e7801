"""A transcript that is read while it grows gives the same rows as one that is read at the end."""

import copy
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.history import trees
from tests.history.trees import counted, drop_store, rows, stored, synced, transcript, warn
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
    """A session whose lines go on where the copied ones end."""
    fork = copy.copy(before)
    fork.path = path
    return fork


@given(STEPS, CUTS)
def test_reading_in_stretches_gives_the_rows_of_reading_at_once(
    steps: list[tuple[str, int]], cuts: list[float]
) -> None:
    with tempfile.TemporaryDirectory() as home:
        root = trees.root_in(Path(home))
        grow(root, steps)
        synced(root)
        whole = rows(root)
        assert stored(root) == counted(root)
        drop_store(root)
        contents = {path: path.read_bytes() for path in Path(trees.client_of(root)).rglob("*.jsonl")}
        for cut in sorted(cuts):
            for place, (path, content) in enumerate(sorted(contents.items())):
                path.write_bytes(content[: int(len(content) * (cut if place % 2 else cut**2))])
            synced(root)
        for path, content in contents.items():
            path.write_bytes(content)
        synced(root)

        assert rows(root) == whole
