"""Shell completion: the printed script completes our command lines."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.commands.person import Person


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", ["status", "watch", "doctor", "audit", "config", "demo", "completion"]),
        ("st", ["status"]),
        ("status --pi", ["--pivot"]),
        ("status --pivot ", ["chunk", "compress", "export", "spawn"]),
        ("audit --", ["--json"]),
        ("conformance --", ["--printed", "--pattern", "--case"]),
        ("config ", ["show", "get", "set", "unset"]),
        ("completion ", ["bash", "zsh", "fish"]),
        ("inst", ["install"]),
        ("config set --", ["--project"]),
    ],
)
def test_bash_completes(person: Person, tmp_path: Path, words: str, expected: list[str]) -> None:
    script = tmp_path / "completion.bash"
    script.write_text(person.tidegauge("completion", "bash").stdout)
    line = ["tidegauge", *words.split(" ")]
    asked = f'source "$0"; COMP_WORDS=("$@"); COMP_CWORD={len(line) - 1}; _shtab_tidegauge; echo "${{COMPREPLY[@]}}"'

    result = subprocess.run(["bash", "-c", asked, str(script), *line], capture_output=True, text=True, check=True)

    assert set(expected) <= set(result.stdout.split())


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
def test_zsh_loads_the_script(person: Person, tmp_path: Path) -> None:
    script = tmp_path / "_tidegauge"
    script.write_text(person.tidegauge("completion", "zsh").stdout)

    subprocess.run(["zsh", "-n", str(script)], check=True)


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
@pytest.mark.parametrize(("line", "expected"), [("tidegauge st", "status"), ("tidegauge config s", "set")])
def test_fish_completes(person: Person, tmp_path: Path, line: str, expected: str) -> None:
    script = tmp_path / "tidegauge.fish"
    script.write_text(person.tidegauge("completion", "fish").stdout)

    asked = f'source "{script}"; complete -C "{line}"'
    result = subprocess.run(["fish", "--no-config", "-c", asked], capture_output=True, text=True, check=True)

    assert expected in {suggestion.split("\t")[0] for suggestion in result.stdout.splitlines()}


def test_the_zsh_script_has_every_command(person: Person) -> None:
    text = person.tidegauge("completion", "zsh").stdout

    assert text.startswith("#compdef tidegauge")
    assert all(f"--{name}[" in text for name in ("pivot", "session", "reset", "set-critical"))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_scripts_instructions_match_the_help(person: Person, shell: str) -> None:
    text = person.tidegauge("completion", shell).stdout

    assert "# Printed by tidegauge completion, whose --help says where it goes.\n" in text[:100]
    assert "Copy this" not in text


def test_another_shell_is_refused_in_one_line(person: Person) -> None:
    result = person.tidegauge("completion", "nushell")

    assert (result.returncode, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
