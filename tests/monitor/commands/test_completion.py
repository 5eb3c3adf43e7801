"""Shell completion: the script that is printed completes our command lines."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.monitor.commands.person import Person


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", ["status", "doctor", "config", "demo", "completion"]),
        ("st", ["status"]),
        ("status --pi", ["--pivot"]),
        ("status --pivot ", ["chunk", "compress", "export", "spawn"]),
        ("config ", ["show", "get", "set", "unset"]),
        ("completion ", ["bash", "zsh"]),
    ],
)
def test_bash_completes(person: Person, tmp_path: Path, words: str, expected: list[str]) -> None:
    script = tmp_path / "completion.bash"
    script.write_text(person.tidegauge("completion", "bash").stdout)
    line = ["tidegauge", *words.split(" ")]
    asked = f'source "$0"; COMP_WORDS=("$@"); COMP_CWORD={len(line) - 1}; _shtab_tidegauge; echo "${{COMPREPLY[@]}}"'

    done = subprocess.run(["bash", "-c", asked, str(script), *line], capture_output=True, text=True, check=True)

    assert set(expected) <= set(done.stdout.split())


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
def test_zsh_reads_it(person: Person, tmp_path: Path) -> None:
    script = tmp_path / "_tidegauge"
    script.write_text(person.tidegauge("completion", "zsh").stdout)

    subprocess.run(["zsh", "-n", str(script)], check=True)


def test_zsh_is_told_every_command(person: Person) -> None:
    text = person.tidegauge("completion", "zsh").stdout

    assert text.startswith("#compdef tidegauge")
    assert all(f"--{name}[" in text for name in ("pivot", "session", "reset", "set-critical"))


def test_another_shell_is_refused_in_one_line(person: Person) -> None:
    done = person.tidegauge("completion", "fish")

    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
