import json
import os
import subprocess
from pathlib import Path

import pytest

from installer import files
from installer.checking import check
from installer.checking.check import Commands
from installer.install_error import InstallError
from installer.layout import Layout
from installer.settings import change, entries
from installer.settings.change import OurSettings
from installer.settings.record import NOTHING
from shared.registrations import REGISTRATIONS

SPEAKS = """printf '{"hookSpecificOutput":{"additionalContext":"told"}}'"""


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    layout = Layout(str(tmp_path / "tidegauge"), "")
    os.makedirs(layout.run)
    return layout


def test_both_commands_are_tried(layout: Layout) -> None:
    answers = check.run(Commands("cat", SPEAKS), layout)

    assert json.loads(answers.line or "")["context_window"]["remaining_percentage"] == 29
    assert answers.warning == "told"


def test_the_commands_come_from_the_settings() -> None:
    layout = Layout("/a/tidegauge", "")
    text = change.add("{}", "{}", layout, OurSettings(status_line=True, hooks=REGISTRATIONS), NOTHING)[0]
    hook = entries.hook_command(REGISTRATIONS[0], layout)

    assert check.commands(text, layout) == Commands(entries.status_line_command(layout), hook)


def test_without_registered_commands_none_is_tried() -> None:
    layout = Layout("/a/tidegauge", "")
    text = change.add("{}", "{}", layout, OurSettings(status_line=False, hooks=REGISTRATIONS[2:3]), NOTHING)[0]

    assert check.commands(text, layout) == Commands(None, None)


@pytest.mark.parametrize("is_team", [False, True])
def test_in_a_project_only_commands_we_write_are_run(*, is_team: bool) -> None:
    layout = Layout("/a/tidegauge", "", project=True, team=is_team)
    text = change.add("{}", "{}", layout, OurSettings(status_line=True, hooks=REGISTRATIONS), NOTHING)[0]
    ours = Commands(entries.status_line_command(layout), entries.hook_command(REGISTRATIONS[0], layout))
    settings = json.loads(text)
    settings["statusLine"]["command"] += "; touch /tmp/more"
    for group in (group for groups in settings["hooks"].values() for group in groups):
        group["hooks"][0]["command"] += "; touch /tmp/more"

    assert check.commands(text, layout) == ours
    assert check.commands(json.dumps(settings), layout) == Commands(None, None)
    assert check.commands(json.dumps(settings), layout._replace(project=False)) != Commands(None, None)


def test_a_hook_sees_its_session_as_the_client_shows_it(layout: Layout) -> None:
    record = os.path.join(layout.root, "seen")
    check.run(Commands(None, f"cat >'{record}'; test -n \"$CLAUDE_CODE_SESSION_ID\" && {SPEAKS}"), layout)
    payload = json.loads(Path(record).read_bytes())

    assert payload["hook_event_name"] == "PostToolUse"
    assert not os.path.exists(payload["transcript_path"])


def test_the_made_up_session_leaves_nothing_behind(layout: Layout) -> None:
    learned = os.path.join(layout.root, "learned.json")
    files.write(learned, b"real")
    touch = f": >'{layout.run}/memory-'$CLAUDE_CODE_SESSION_ID.json; : >'{layout.run}/failed-monitor'"
    check.run(Commands(f"{touch}; echo x >'{learned}'; cat", None), layout)

    assert os.listdir(layout.run) == []
    assert files.read(learned) == b"real"


def test_the_persons_environment_does_not_change_the_answer(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDEGAUGE_LEVELS__WARNING", "1")

    assert check.run(Commands('echo "[$TIDEGAUGE_LEVELS__WARNING]"', None), layout).line == "[]\n"


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        (Commands("exit 3", None), "exit 3 ends with exit code 3: nothing on stderr"),
        (Commands("none-such", None), "exit code 127"),
        (Commands("true", None), "the status line stays empty: it gives no reason"),
        (Commands(None, "true"), "the monitor stays silent at 29% remaining: it gives no reason"),
        (Commands(None, "echo hello"), "answers what the client does not read: hello"),
    ],
)
def test_a_command_that_does_not_answer_is_named(layout: Layout, commands: Commands, reason: str) -> None:
    with pytest.raises(InstallError, match=reason):
        check.run(commands, layout)


def test_a_command_that_never_answers_is_ended(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", _never_answer)

    with pytest.raises(InstallError, match=r"^true did not answer within 20 s$"):
        check.run(Commands(None, "true"), layout)


def _never_answer(*command: object, timeout: float, **_: object) -> None:
    raise subprocess.TimeoutExpired(str(command), timeout)


def test_a_processs_logged_reason_is_passed_on(layout: Layout) -> None:
    command = f"echo no module >'{layout.run}/failed-statusline'"

    with pytest.raises(InstallError, match="the status line stays empty: no module"):
        check.run(Commands(command, None), layout)


def test_a_persons_configuration_may_silence_the_monitor(layout: Layout, tmp_path: Path) -> None:
    files.write(layout.directories, json.dumps({"config": str(tmp_path)}).encode())
    files.write(str(tmp_path / "config.toml"), b"")

    assert check.run(Commands(None, "true"), layout).warning is None
