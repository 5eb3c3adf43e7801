"""Commands that the person runs with `!` count as runs like the agent's own; both clients write them like this."""

from monitor.activity.checks.reason import reason_of
from monitor.activity.shell.bash_mode import command_in, printed_in
from tests.monitor.activity.test_reader import read
from tests.monitor.workshop import Workshop


def type_command(workshop: Workshop, command: str, *, stdout: str = "", stderr: str = "") -> None:
    workshop.transcript.prompt(f"<bash-input>{command}</bash-input>")
    workshop.transcript.prompt(f"<bash-stdout>{stdout}</bash-stdout><bash-stderr>{stderr}</bash-stderr>")


def failing(workshop: Workshop) -> list[str]:
    return [failure.command for failure in read(workshop).failures]


def test_text_escaped_by_the_client_is_read_as_typed() -> None:
    assert command_in("<bash-input>make test 2&gt;&amp;1 &amp;&amp; ls</bash-input>") == "make test 2>&1 && ls"
    assert command_in("Run <bash-input>make</bash-input>") == ""


def test_a_failed_command_has_all_that_it_printed_in_the_second_element() -> None:
    assert printed_in("<bash-stdout>1 passed</bash-stdout><bash-stderr></bash-stderr>") == "1 passed"
    note = "\nShell cwd was reset to /home/dev"
    assert printed_in(f"<bash-stdout>hi</bash-stdout><bash-stderr>{note}</bash-stderr>") == "hi"
    assert printed_in("<bash-stdout></bash-stdout><bash-stderr>no</bash-stderr>") == "Exit code 1\nno"
    nothing = "<bash-stdout>(Bash completed with no output)</bash-stdout><bash-stderr></bash-stderr>"
    assert printed_in(nothing) == ""
    assert printed_in("<bash-stdout></bash-stdout><bash-stderr></bash-stderr>") is None
    assert printed_in("Fix it") is None


def test_a_check_that_the_person_runs_counts_like_the_agents(workshop: Workshop) -> None:
    workshop.bash("npm test", code=1)
    type_command(workshop, "npm test", stdout="Tests: 3 passed")
    assert failing(workshop) == []
    type_command(workshop, "npm test", stderr="Tests: 1 failed, 2 passed\nnpm error Test failed")
    (failure,) = read(workshop).failures
    assert reason_of(failure, str(workshop.transcript.path)) == "1 of 3 failed"
    type_command(workshop, "npm test")
    assert failing(workshop) == ["npm test"]


def test_it_is_no_tool_call_but_its_commits_belong_to_the_session(workshop: Workshop) -> None:
    type_command(workshop, "git commit -m 'Add it'", stdout="[main 1234abc] Add it\n 1 file changed")
    activity = read(workshop)
    assert [commit.subject for commit in activity.commits] == ["Add it"]
    assert (activity.log.call_count, activity.attempts, activity.pending) == (0, {}, {})
