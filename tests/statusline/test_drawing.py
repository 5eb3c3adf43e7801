import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from shared.settings.config import Config, StatusLine
from statusline.drawing import draw
from tests.statusline.scene import NAMES, captured, status_of

GOLDEN = Path(__file__).parents[1] / "golden" / "statusline"
LEVELS = ("first-draw", "normal", "warning", "critical", "exhausted", "everything")
WIDTHS = (20, 30, 40, 60, 80, 120, 200)


def drawn(
    name: str, config: StatusLine | None = None, columns: str = "120", environ: Mapping[str, str] | None = None
) -> str:
    """The line drawn from a captured payload in the root `/nowhere`, independent of this machine."""
    whole = Config(statusline=config or StatusLine(color="none"))
    status = status_of(captured(name), Path("/nowhere"), whole, tool_uses_left=9)
    return draw(status, whole, "/nowhere", {"COLUMNS": columns, **(environ or {})})


def assert_golden(name: str, text: str) -> None:
    """Compare `text` with the golden file; UPDATE_GOLDEN=1 writes it there."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_the_line_at_each_colour_depth() -> None:
    lines = []
    for depth in ("truecolor", "256", "16"):
        lines += [f"# {depth}"] + [drawn(name, StatusLine(color=depth)) for name in LEVELS]

    assert_golden("depths", "\n".join(lines).replace("\x1b", "␛") + "\n")


@pytest.mark.parametrize("is_ascii", [False, True])
def test_the_line_at_each_width(is_ascii: bool) -> None:
    lines = []
    for name in NAMES:
        lines += [f"# {name}"] + [drawn(name, StatusLine(color="none", ascii=is_ascii), str(w)) for w in WIDTHS]

    assert_golden("widths-ascii" if is_ascii else "widths", "\n".join(lines) + "\n")


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("name", NAMES)
def test_a_line_leaves_the_columns_that_the_client_keeps(name: str, columns: int) -> None:
    assert len(drawn(name, columns=str(columns))) <= columns - 4


@pytest.mark.parametrize("columns", ["", "0", "-5", "wide", "²", "9999999999"])
def test_odd_columns_are_eighty(columns: str) -> None:
    assert drawn("everything", columns=columns) == drawn("everything", columns="80")


def test_several_lines_are_in_the_configured_order() -> None:
    lines = (("cost", "model"), ("pr",), ("context", "nonsense"))

    assert drawn("warning", StatusLine(lines=lines, color="none")).splitlines() == [
        "$0.30 · Opus 4.6 high",
        "██████░░░░ 67% WARNING 134k/200k",
    ]


def test_hidden_segments_are_silent() -> None:
    assert "shop" not in drawn("warning", StatusLine(color="none", hide=("directory",)))


def test_ascii_output_is_pure_ascii() -> None:
    assert all(drawn(name, StatusLine(color="none", ascii=True)).isascii() for name in NAMES)


def test_the_badge_is_first_and_appears_once() -> None:
    config = Config(statusline=StatusLine(color="none", lines=(("model",), ("context",))))
    status = status_of(captured("warning"), Path("/nowhere"), config, problems=("config", "monitor"))

    assert draw(status, config, "/nowhere", {}).splitlines() == [
        "! config, monitor: tidegauge doctor · Opus 4.6 high",
        "██████░░░░ 67% WARNING 134k/200k",
    ]


def test_a_failing_segment_is_lost_alone(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setitem(__import__("statusline.segments").segments.SEGMENTS, "cost", fails)
    status = status_of(captured("warning"), root)

    line = draw(status, Config(statusline=StatusLine(color="none")), str(root), {})

    assert line.startswith("Opus 4.6 · shop · ██████░░░░ 67% WARNING 134k/200k")
    assert "$" not in line
    assert "RuntimeError: a bug" in (root / "run" / "failed-statusline").read_text()


@pytest.mark.parametrize(
    ("environ", "is_ascii"),
    [
        ({}, False),
        ({"LANG": "en_US.UTF-8"}, False),
        ({"LANG": "C.utf8", "LC_ALL": ""}, False),
        ({"LANG": "C"}, True),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "POSIX"}, True),
        ({"LANG": "de_DE.ISO-8859-1"}, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),
    ],
)
def test_a_locale_without_utf_8_gets_ascii(environ: dict[str, str], *, is_ascii: bool) -> None:
    line = drawn("everything", environ=environ)

    assert line.isascii() == is_ascii
