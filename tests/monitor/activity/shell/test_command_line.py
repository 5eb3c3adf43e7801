"""A command line is split where the shell would end a command, and nowhere else."""

import pytest

from monitor.activity.shell.command_line import pipelines, simple_commands


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        ("make && make test; echo done", [("make", "&&"), ("make test", ";"), ("echo done", "")]),
        ("cd shop\nmake &", [("cd shop", "\n"), ("make", "&"), ("", "")]),
        ("make 2>&1 | tail", [("make 2>&1", "|"), ("tail", "")]),
        ("make &> log || exit", [("make &> log", "||"), ("exit", "")]),
        ("echo 'a; b' \"c && d\" | cat", [("echo 'a; b' \"c && d\"", "|"), ("cat", "")]),
    ],
)
def test_each_command_comes_with_what_joins_the_next_one(command: str, parts: list[tuple[str, str]]) -> None:
    assert [(part.text.strip(), part.joint) for part in simple_commands(command)] == parts


def test_what_stands_in_quotes_is_hidden() -> None:
    (part,) = simple_commands("grep 'a > b' x 2>&1")
    assert part.bare == "grep _______ x     "


def test_a_pipeline_is_one() -> None:
    lines = pipelines("make | tee log |& tail && make test")
    assert [[part.text.strip() for part in line] for line in lines] == [["make", "tee log", "tail"], ["make test"]]
