"""The whole process, run within this one: any payload and any settings give one line."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statusline.line import main
from statusline.payload import Payload
from statusline.terminal.width import columns
from tests import scratch
from tests.levels import FIRST, FIRST_REMAINING
from tests.statusline.scene import NAMES, captured, payload_with
from tests.transcripts import Transcript

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
BLOCKS = list(Payload.__struct_fields__)

anything = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = "id display_name level current_dir name git_worktree number kind review_state five_hour seven_day resets_at"
FIELDS += " used_percentage remaining_percentage current_usage input_tokens cache_read_input_tokens"
FIELDS += " context_window_size total_cost_usd total_duration_ms"
fields = some.sampled_from(FIELDS.split())
likely = some.dictionaries(fields, anything | some.dictionaries(fields, anything, max_size=4), max_size=6)


@pytest.fixture(scope="module")
def lasting_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root for many examples: it keeps their bridges."""
    return scratch.install(tmp_path_factory.mktemp("home"))


@pytest.fixture(autouse=True)
def _environment() -> Iterator[None]:
    with mock.patch.dict("os.environ", {"PATH": "/usr/bin:/bin", "TERM": "xterm-256color"}, clear=True):
        yield


def output_of(stdin: bytes, root: Path, **environ: str) -> str:
    with mock.patch.dict("os.environ", environ):
        return main(stdin, str(root)).decode()


@given(some.sampled_from(BLOCKS), anything | likely, some.integers(1, 250))
def test_any_value_in_any_block_gives_one_clean_line(lasting_root: Path, block: str, value: Any, width: int) -> None:
    text = output_of(payload_with("everything", **{block: value}), lasting_root, COLUMNS=str(width))

    line = COLOUR.sub("", text).removesuffix("\n")
    assert text.endswith("\n")
    assert line
    assert columns(line) <= width
    assert not [c for c in line if not c.isprintable() and c not in "\u200c\u200d"]
    assert not (lasting_root / "run" / "failed-statusline").exists()


@given(some.binary() | some.text().map(str.encode) | anything.map(lambda value: json.dumps(value).encode()))
def test_anything_on_stdin_gives_a_line(lasting_root: Path, stdin: bytes) -> None:
    assert output_of(stdin, lasting_root, NO_COLOR="1").startswith("Claude")


@pytest.mark.parametrize("stdin", [b"", b"garbage", b"[1]", b"{}"])
def test_without_a_payload_the_line_shows_what_it_can(stdin: bytes, root: Path) -> None:
    assert output_of(stdin, root, NO_COLOR="1") == "Claude · context ?\n"


@pytest.mark.parametrize("name", NAMES)
def test_the_line_holds_no_number_that_is_unknown(name: str, root: Path) -> None:
    line = output_of(captured(name), root, NO_COLOR="1", COLUMNS="200")

    assert ("context ?" in line) == (name in {"first-draw", "compacted"})
    assert not re.search("None|nan|undefined|null", line)


def test_escape_codes_from_outside_are_stripped(root: Path) -> None:
    model = {"id": "m", "display_name": "\x1b[31mOpus\x1b[0m\x07\r\n\u202e4.6"}
    workspace = {"current_dir": "/home/dev/sh\x1b]0;op\x07"}

    assert output_of(
        payload_with("few-tokens", model=model, workspace=workspace, cwd=None), root, NO_COLOR="1", COLUMNS="120"
    ).startswith("Opus4.6 high · sh · ")


def test_the_settings_are_followed(root: Path) -> None:
    config = root.parents[1] / "config"
    config.mkdir()
    (config / "config.toml").write_text(f'{FIRST_REMAINING} = 60\n[statusline]\ncolor = "none"\n')

    assert f"59% {FIRST.name}" in output_of(captured("normal"), root)


def test_a_projects_settings_count(root: Path, tmp_path: Path) -> None:
    (tmp_path / "shop" / ".claude").mkdir(parents=True)
    (tmp_path / "shop" / ".claude" / "tidegauge.toml").write_text(f"{FIRST_REMAINING} = 60\n")
    workspace = {"current_dir": str(tmp_path / "shop" / "src"), "project_dir": str(tmp_path / "shop")}

    assert f"59% {FIRST.name}" in output_of(payload_with("normal", workspace=workspace), root, NO_COLOR="1")


def test_an_unusable_setting_shows_the_badge(root: Path) -> None:
    line = output_of(captured("normal"), root, NO_COLOR="1", TIDEGAUGE_LEVELS__WRAN="1")

    assert line.startswith("! config")
    assert "59%" in line


def test_a_bridge_is_written(root: Path) -> None:
    output_of(captured("warning"), root)

    (bridge,) = (root / "run").glob("claude-ctx-*.json")
    assert json.loads(bridge.read_bytes())["used_pct"] == 67


def wrap(root: Path, command: str, **more: object) -> None:
    (root / "wrapped.json").write_text(json.dumps({"type": "command", "command": command, **more}))


def test_a_wrapped_line_can_be_shown_alone_with_the_bridge_written(root: Path) -> None:
    wrap(root, r"printf 'theirs\033[1m '; cat | wc -c")

    alone = output_of(captured("warning"), root, TIDEGAUGE_STATUSLINE__WRAPPED="alone")
    assert alone == f"theirs\x1b[1m {len(captured('warning'))}\n"
    assert list((root / "run").glob("claude-ctx-*.json"))


@pytest.mark.parametrize("command", ["echo theirs", "printf theirs"])
def test_our_line_is_below_the_wrapped_one(command: str, root: Path) -> None:
    wrap(root, command)

    theirs, ours = output_of(captured("warning"), root, NO_COLOR="1").splitlines()
    assert (theirs, ours[:4]) == ("theirs", "Opus")


@pytest.mark.parametrize(("place", "order"), [("above", ["Opus", "theirs"]), ("below", ["theirs", "Opus"])])
def test_our_line_can_be_beside_the_wrapped_one(place: str, order: list[str], root: Path) -> None:
    wrap(root, "echo theirs")

    lines = output_of(captured("warning"), root, TIDEGAUGE_STATUSLINE__WRAPPED=place, NO_COLOR="1").splitlines()
    assert [line[: len(start)] for line, start in zip(lines, order, strict=True)] == order


# A killed process may take a moment to go; the status line's own process ends without waiting for that.
@pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")
@pytest.mark.parametrize("command", ["exit 1", "true", "sleep 60", "echo late; sleep 60"])
def test_if_the_wrapped_line_fails_ours_is_shown_and_says_so(command: str, root: Path) -> None:
    wrap(root, command)

    line = output_of(captured("warning"), root, NO_COLOR="1")
    assert line.startswith("! wrapped status line · Opus 4.6")
    assert "67% WARNING" in line


def test_a_failure_to_draw_names_the_command_to_run(root: Path) -> None:
    with mock.patch("statusline.line.draw", side_effect=RuntimeError("a bug")):
        assert output_of(captured("warning"), root) == "! statusline: tidegauge doctor\n"
    assert list((root / "run").glob("claude-ctx-*.json"))
    assert output_of(captured("warning"), root, NO_COLOR="1").startswith("! statusline")


def test_a_failure_to_measure_costs_only_the_numbers(root: Path) -> None:
    with mock.patch("statusline.line.observe", side_effect=RuntimeError("a bug")):
        assert output_of(captured("warning"), root, NO_COLOR="1").startswith("! statusline")


def test_compactions_are_counted_from_one_redraw_to_the_next(root: Path, tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "session.jsonl")
    texts = []
    for _ in range(2):
        transcript.boundary(167_000)
        texts.append(
            output_of(payload_with("normal", transcript_path=str(transcript.path)), root, NO_COLOR="1", COLUMNS="250")
        )

    assert ["to compaction (known), 1 so far" in texts[0], ", 2 so far" in texts[1]] == [True, True]
