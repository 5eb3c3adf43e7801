import pytest

from commands.command import CommandError
from commands.config import keys
from shared.settings.config import Config, StatusLine
from statusline.segments import SEGMENTS


def test_the_settable_segment_names_are_the_drawn_ones() -> None:
    assert {name for line in StatusLine().lines for name in line} == set(SEGMENTS)


def test_every_default_is_a_valid_value() -> None:
    for key in keys.all_keys():
        if key.default is not None:
            text = keys.toml_text(key.default).strip('"')
            if isinstance(key.default, dict):
                text = ",".join(f"{name}={value}" for name, value in key.default.items())
            if isinstance(key.default, tuple):
                lines = [line if isinstance(line, tuple) else (line,) for line in key.default]
                text = (";" if any(isinstance(line, tuple) for line in key.default) else ",").join(map(",".join, lines))
            value = keys.value_of(key, text)
            assert keys.toml_text(value) == keys.toml_text(key.default)


def test_every_key_is_found_and_has_its_value() -> None:
    for key in keys.all_keys():
        assert keys.find(key.name) == key
        assert keys.within(Config(), key.name) == key.default


@pytest.mark.parametrize("name", ["", ".", "window.", "window..size", "WINDOW.SIZE", "size", "levels", "\x1b[31m"])
def test_an_unknown_key_is_refused_in_one_safe_line(name: str) -> None:
    with pytest.raises(CommandError) as problem:
        keys.find(name)
    assert problem.value.code == 2
    assert str(problem.value).isprintable()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "unset"),
        (True, "true"),
        (35.0, "35"),
        (0.55, "0.55"),
        (1_000_000, "1000000"),
        (1_500_000.0, "1500000"),
        ('a "b"\n', '"a \\"b\\"\\n"'),
        ((("a", "b"), ()), '[["a", "b"], []]'),
    ],
)
def test_values_are_shown_as_toml_writes_them(value: object, text: str) -> None:
    assert keys.toml_text(value) == text
