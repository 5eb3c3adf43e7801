"""Each failed command is remembered once, with whether it has passed since; a mistyped one isn't."""

from monitor.activity.checks.failures import MOST_ATTEMPTS
from tests.monitor.activity.test_reader import read
from tests.monitor.workshop import Workshop


def attempts(workshop: Workshop) -> dict[str, bool]:
    """For each failed command, whether it has passed since."""
    return {name: attempt.has_passed for name, attempt in read(workshop).attempts.items()}


def test_failed_commands_are_kept_once_but_not_lookups_or_refusals(workshop: Workshop) -> None:
    failing = "FAILED test_cart.py::test_total - assert 1 == 2\n1 failed in 0.1s"
    workshop.call("Bash", output=failing, command="pytest -q | tail -3")
    workshop.call("Bash", failed=True, output="Exit code 1\nerror: no such crate", command="cargo add vouchers")
    workshop.call("Bash", failed=True, output="Exit code 1", command="grep -n x cart.py")
    workshop.call(
        "Bash", failed=True, output="The user doesn't want to proceed with this tool use.", command="git push"
    )
    workshop.call("Edit", failed=True, output="String to replace not found in file.", file_path="cart.py")
    for _ in range(2):
        workshop.call("Bash", output="3 passed in 0.1s", command="pytest -q | tail -3")
    assert attempts(workshop) == {"pytest -q | tail -3": True, "cargo add vouchers": False}


def test_a_command_that_fails_again_is_the_newest_and_not_passed(workshop: Workshop) -> None:
    for name, code in (("a", 1), ("b", 1), ("a", 0), ("a", 2)):
        workshop.bash(f"make {name}", code=code)
    assert [*attempts(workshop).items()] == [("make b", False), ("make a", False)]


def test_a_failure_covered_by_a_later_wider_pass_is_marked(workshop: Workshop) -> None:
    for file in ("test_cart.py", "test_form.py"):
        workshop.call(
            "Bash", failed=True, output=f"Exit code 1\nFAILED {file}::test_a - Boom", command=f"pytest {file}"
        )
    workshop.call("Bash", output="3 passed in 0.1s", command="pytest test_cart.py -q")
    assert attempts(workshop) == {"pytest test_cart.py": True, "pytest test_form.py": False}
    workshop.call("Bash", output="9 passed in 0.1s", command="pytest | tail -3")
    assert all(attempts(workshop).values())


def test_a_mistyped_command_that_was_corrected_is_no_failure(workshop: Workshop) -> None:
    for command in ("jq '.a' x.json", "git push", "python a.py", "cd app && git commit -m x"):
        workshop.call("Bash", failed=True, output="Exit code 1\nerror: no", command=command)
    for command in ("jq '.b' x.json", "git status -s", "python b.py", "git commit -am x"):
        workshop.call("Bash", output="done", command=command)
    assert attempts(workshop) == {"git push": False, "python a.py": False}


def test_checks_that_still_run_elsewhere_have_not_failed(workshop: Workshop) -> None:
    pending = "Exit code 8\nlint\tpass\t7s\thttps://a\ntest\tpending\t0\thttps://b"
    workshop.call("Bash", failed=True, output=pending, command="sleep 20 && gh pr checks 103 2>&1")
    assert attempts(workshop) == {}
    workshop.call("Bash", failed=True, output="Exit code 1\ntest\tfail\t8s\thttps://b", command="gh pr checks 103")
    assert attempts(workshop) == {"gh pr checks 103": False}


def test_a_command_still_in_the_background_has_not_passed(workshop: Workshop) -> None:
    workshop.bash("npm test", code=1)
    workshop.call("Bash", record={"backgroundTaskId": "b1a2c3"}, command="npm test")
    assert attempts(workshop) == {"npm test": False}


def test_the_newest_forty_are_kept(workshop: Workshop) -> None:
    for number in range(MOST_ATTEMPTS + 1):
        workshop.bash(f"./step {number}", code=1)
    assert [*attempts(workshop)] == [f"./step {number}" for number in range(1, MOST_ATTEMPTS + 1)]
