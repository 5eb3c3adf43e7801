"""The report on a terminal: a bar, colours where wanted, and lines that fit."""

import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping

import pytest
from wcwidth import wcswidth

from tests import scratch
from tests.commands.person import Person
from tests.commands.status.test_status import FIRST, session

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def draw(person: Person, columns: int = 100, environ: Mapping[str, str] | None = None) -> str:
    """The output on a terminal of `columns` columns."""
    above, below = os.openpty()
    fcntl.ioctl(below, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    terminal = {"TERM": "xterm-256color", "PYTHONPATH": str(scratch.REPOSITORY), "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(
        [sys.executable, "-m", "commands", "status"],
        cwd=person.project,
        env=scratch.environment(person.root) | terminal | dict(environ or {}),
        stdin=subprocess.DEVNULL,
        stdout=below,
    ) as process:
        os.close(below)
        parts = []
        try:
            while part := os.read(above, 65_536):
                parts.append(part)
        except OSError:  # how Linux says that nobody writes any more
            pass
        assert process.wait(30) == 0
    os.close(above)
    return b"".join(parts).decode().replace("\r\n", "\n")


def test_the_bar_shows_the_usage_in_its_tone(person: Person) -> None:
    session(person)

    text = draw(person)

    (bar,) = re.findall("\u2588+\x1b.*?(\u2591+)|$", text)[:1]
    assert len(bar) == 10
    assert "\x1b[1mSession " in text
    assert "\x1b[1;31m150,000 of 200,000 tokens" in text


def test_no_colour_is_drawn_if_unwanted(person: Person) -> None:
    session(person)

    for environ in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert re.search(r"\x1b\[[0-9;]*3[0-9]m", draw(person, environ=environ)) is None


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_every_line_fits(person: Person, columns: int) -> None:
    session(person)

    lines = ESCAPE.sub("", draw(person, columns)).splitlines()

    assert {line for line in lines if wcswidth(line) > columns and len(line.split()) > 2} == set()
    assert any(FIRST[:20] in line for line in lines)


def test_an_ascii_terminal_gets_an_ascii_bar(person: Person) -> None:
    session(person)

    text = draw(person, environ={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})

    assert "#" * 30 in text
    assert text.isascii()
