"""The installer's command line."""

import re

import pytest

from commands.command import INSTALLING
from installer import arguments
from installer.choices import Choices
from installer.install_error import UsageError

VERBS = ("install", "update", "repair", "uninstall")


def help_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        arguments.parse([*words, "--help"])
    assert ended.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_its_own_help_with_valid_examples(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    text = help_of(capsys, verb)
    examples = re.findall(rf"^  install\.py {verb}(.*?)  +\S", text.partition("examples:\n")[2], re.MULTILINE)

    assert text.startswith(f"usage: install.py {verb} [-h]")
    assert f"\n\n{INSTALLING[verb]}\n\n" in text  # as `tidegauge --help` has it
    assert len(examples) in (2, 3)
    assert all(arguments.parse([verb, *example.split()]).action == verb for example in examples)
    assert "\nexit codes:\n  0  success" in text
    assert ("--purge" in text, "--from" in text) == (verb == "uninstall", verb == "update")


def test_without_a_verb_the_help_names_them(capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of(capsys)

    assert all(f"  install.py {verb} " in text for verb in VERBS)


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ([], "install"),
        (["--dry-run", "repair"], "repair"),
        (["uninstall"], "uninstall"),
        (["uninstall", "--project"], "uninstall"),
        (["doctor", "--project", "x"], "doctor"),
    ],
)
def test_the_verb_may_be_anywhere_or_left_out(words: list[str], action: str) -> None:
    assert arguments.parse(words).action == action


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--purge"], "unrecognized arguments: --purge (see install.py --help)"),
        (["update", "--watch"], "unrecognized arguments: --watch (see install.py update --help)"),
        (["repair", "--yes"], "unrecognized arguments: --yes (see install.py repair --help)"),  # it asks nothing
        (["--wrap", "bellow"], "bellow: no such choice; did you mean below? (see install.py --help)"),
        (
            ["install", "--profile", "x"],
            "x: no such choice: there are core, full (see install.py install --help)",
        ),
        (["uninstal"], "unrecognized arguments: uninstal (see install.py --help)"),
    ],
)
def test_an_unknown_argument_is_refused_in_one_line_that_names_the_help(words: list[str], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        arguments.parse(words)

    assert str(refused.value) == message


def test_team_implies_project_and_other_choices_stay() -> None:
    team = arguments.parse(["--team"])
    own = arguments.parse(["--no-watch", "--wrap", "alone"])

    assert (team.project, team.team) == (True, True)
    assert arguments.choices(own, Choices(watch=True, profile="full")) == Choices(profile="full")
    assert own.wrap == "alone"
