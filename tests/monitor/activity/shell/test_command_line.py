"""A command line is split where the shell would end a command, and nowhere else."""

import pytest

from monitor.activity.shell.command_line import pipelines, simple_commands, without_documents
from tests import processor_time


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        ("make && make test; echo done", [("make", "&&"), ("make test", ";"), ("echo done", "")]),
        ("cd shop\nmake &", [("cd shop", "\n"), ("make", "&"), ("", "")]),
        ("make 2>&1 | tail", [("make 2>&1", "|"), ("tail", "")]),
        ("make &> log || exit", [("make &> log", "||"), ("exit", "")]),
        ("echo \\'a; echo b\\'", [("echo \\'a", ";"), ("echo b\\'", "")]),
        ("echo 'a; b' \"c && d\" | cat", [("echo 'a; b' \"c && d\"", "|"), ("cat", "")]),
    ],
)
def test_each_command_comes_with_the_operator_that_follows_it(command: str, parts: list[tuple[str, str]]) -> None:
    assert [(part.text.strip(), part.joint) for part in simple_commands(command)] == parts


def test_quoted_text_is_hidden() -> None:
    (part,) = simple_commands("grep 'a > b' x 2>&1")
    assert part.bare == "grep _______ x     "


def test_a_pipeline_is_one_command() -> None:
    lines = pipelines("make | tee log |& tail && make test")
    assert [[part.text.strip() for part in line] for line in lines] == [["make", "tee log", "tail"], ["make test"]]


@pytest.mark.parametrize(
    ("command", "typed"),
    [
        ("cat > a.md <<'EOF'\nmake; make test\n\nEOF\nls", "cat > a.md \nls"),
        ("cat <<-EOF >> a.md\n\tmake\n\tEOF", "cat  >> a.md"),
        ("cat <<EOF | tee a.md\nEOF", "cat  | tee a.md"),
        ("cat <<A > a.md\nx\nA\ncat <<B > b.md\nA\nB", "cat  > a.md\ncat  > b.md"),
        ("wc <<< word\nmake", "wc <<< word\nmake"),
        ("cat <<EOF\nEOFS\nmake", "cat <<EOF\nEOFS\nmake"),
        ("cat <<'A B'; cat <<-\\C\none\nA B\ntwo\n\tC\nls", "cat ; cat \nls"),
        ("cat <<EOF\r\none\r\nEOF\r\nls", "cat \r\nls"),
        ("echo $((1<<2))\nls", "echo $((1<<2))\nls"),
    ],
)
def test_a_here_document_is_not_a_command(command: str, typed: str) -> None:
    assert without_documents(command) == typed


@pytest.mark.parametrize(
    "command",
    [
        "<<a\n" + "\n" * 40_000,
        "<<a\n" * 10_000,
        f"<<{'a' * 80}\n" * 500,
        '"' + '\\"' * 20_000,
        "<<" * 20_000,
        "<<A " * 200_000 + "\nA\n" * 60_000,
    ],
)
def test_no_command_takes_long_to_parse(command: str) -> None:
    with processor_time.at_most(1):
        simple_commands(without_documents(command))
