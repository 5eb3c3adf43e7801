"""What failed before the last steps, once each, unless it has been put right."""

from monitor.checkpoints.transcript.failures import failures_since
from tests.monitor.workshop import Workshop


def test_commands_that_failed_are_told_once_with_their_reason_and_whether_they_passed_since(workshop: Workshop) -> None:
    failing = "FAILED test_cart.py::test_total - assert 1 == 2\n1 failed in 0.1s"
    workshop.call("Bash", said=failing, command="pytest -q | tail -3")
    workshop.call("Bash", failed=True, said="Exit code 1\nerror: no such crate", command="cargo add vouchers")
    workshop.call("Bash", failed=True, said="Exit code 1", command="grep -n x cart.py")
    workshop.call("Bash", failed=True, said="The user doesn't want to proceed with this tool use.", command="git push")
    workshop.call("Edit", failed=True, said="String to replace not found in file.", file_path="cart.py")
    for _ in range(2):
        workshop.call("Bash", said="3 passed in 0.1s", command="pytest -q | tail -3")
    path = workshop.transcript.path
    assert failures_since(str(path), 0, path.stat().st_size) == (
        "`pytest -q | tail -3`: test_cart.py::test_total - assert 1 == 2 (passed since)",
        "`cargo add vouchers`: error: no such crate",
    )


def test_what_a_wider_check_has_passed_since_is_marked(workshop: Workshop) -> None:
    for file in ("test_cart.py", "test_form.py"):
        workshop.call("Bash", failed=True, said=f"Exit code 1\nFAILED {file}::test_a - Boom", command=f"pytest {file}")
    workshop.call("Bash", said="3 passed in 0.1s", command="pytest test_cart.py -q")
    path = workshop.transcript.path
    assert [step.endswith("(passed since)") for step in failures_since(str(path), 0, path.stat().st_size)] == [
        True,
        False,
    ]
    workshop.call("Bash", said="9 passed in 0.1s", command="pytest | tail -3")
    assert all(step.endswith("(passed since)") for step in failures_since(str(path), 0, path.stat().st_size))


def test_a_command_that_was_typed_better_is_no_failure(workshop: Workshop) -> None:
    for command in ("jq '.a' x.json", "git push", "python a.py", "cd app && git commit -m x"):
        workshop.call("Bash", failed=True, said="Exit code 1\nerror: no", command=command)
    for command in ("jq '.b' x.json", "git status -s", "python b.py", "git commit -am x"):
        workshop.call("Bash", said="done", command=command)
    path = workshop.transcript.path
    failures = failures_since(str(path), 0, path.stat().st_size)
    assert failures == ("`git push`: error: no", "`python a.py`: error: no")
