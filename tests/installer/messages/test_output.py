import pytest

from installer.messages import output


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, with\ttabs\nand lines\r\n", "plain, with\ttabs\nand lines\r\n"),
        ("Grüße 😀", "Grüße 😀"),
        ("a\x1b[2Jb\x07", "a\\x1b[2Jb\\x07"),
        ("over\rwritten", "over\\rwritten"),
        ("evil\u202etxt", "evil\\u202etxt"),
    ],
)
def test_characters_that_could_steer_a_terminal_are_escaped(text: str, shown: str) -> None:
    assert output.legible(text) == shown


def test_a_name_is_one_line_of_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    output.say_list("remove", ["/a/b\nc", "/d\re"])
    assert capsys.readouterr().out == "  remove /a/b\\nc\n  remove /d\\re\n"
