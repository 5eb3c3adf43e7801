import msgspec
import pytest

from shared.gauge.levels import LevelRules
from shared.settings.config import WRAPPED_BYTES, CheckpointSettings, Config, Messages, Pivot, TelemetrySettings


def test_the_defaults_are_the_published_ones() -> None:
    levels = Config().levels
    rules = [(rule.remaining, rule.every) for rule in (levels.warning, levels.critical, levels.exhausted)]
    assert rules == [(35, 5), (25, 2), (15, 1)]
    assert [rule.max_tokens for rule in (levels.warning, levels.critical, levels.exhausted)] == [
        150_000,
        100_000,
        60_000,
    ]
    assert Config().messages == Messages(style="directive", summary_file="PROJECT-SUMMARY.md")
    assert Config().hooks.context_warnings is True


def test_no_window_is_built_in() -> None:
    """A default would override what the client and the transcript say."""
    assert Config().window.size is None


def test_the_default_levels_are_ordered() -> None:
    assert LevelRules().disorder == ""


def test_exports_may_be_in_any_directory_with_a_name() -> None:
    assert msgspec.convert({"export_directory": "x"}, Pivot).export_directory == "x"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"export_directory": ""}, Pivot)


@pytest.mark.parametrize(
    ("section", "name", "longest"),
    [
        (CheckpointSettings, "directory", 1000),
        (Pivot, "export_directory", 1000),
        (Messages, "summary_file", 200),
        (TelemetrySettings, "headers_variable", 100),
        (TelemetrySettings, "certificate", 1000),
    ],
)
def test_a_text_may_be_as_long_as_a_name(section: type[msgspec.Struct], name: str, longest: int) -> None:
    for length in (1, longest):
        assert getattr(msgspec.convert({name: "x" * length}, section), name) == "x" * length
    for length in (0, longest + 1):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({name: "x" * length}, section)


def test_an_address_has_at_most_five_hundred_characters() -> None:
    address = "https://collector.example.com/".ljust(500, "x")
    assert msgspec.convert({"endpoint": address}, TelemetrySettings).endpoint == address
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"endpoint": f"{address}x"}, TelemetrySettings)


def test_a_wrapped_line_may_print_256_kilobytes() -> None:
    assert WRAPPED_BYTES == 256 * 1024


@pytest.mark.parametrize("name", ["PROJECT-SUMMARY.md", "docs/state.md", "a b.txt", "CONTINUE", "Übergabe.md"])
def test_a_summary_file_may_be_any_plain_name(name: str) -> None:
    assert msgspec.convert({"summary_file": name}, Messages).summary_file == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/etc/passwd",
        "../up.md",
        "-rf",
        "a\nb",
        "a.md\n",
        "a\x1b[31m.md",
        "`id`",
        "$(id)",
        "<x>",
        "x" * 201,
        "a\u2028",
    ],
)
def test_a_summary_file_is_never_something_else(name: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"summary_file": name}, Messages)
