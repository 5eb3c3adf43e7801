import pytest

from monitor.activity.command import bare, is_check


@pytest.mark.parametrize(
    ("command", "known_as"),
    [
        ("npm test", "npm test"),
        ("cd /home/dev/shop && npm test 2>&1 | tail -5", "npm test"),
        ("go vet ./...  |  grep -v generated | head -3", "go vet ./..."),
        ("npm run fmt && npm run lint", "npm run fmt && npm run lint"),
        ("make check > /dev/null 2>&1", "make check"),
    ],
)
def test_a_command_is_the_same_wherever_it_was_run(command: str, known_as: str) -> None:
    assert bare(command) == known_as


@pytest.mark.parametrize(
    "command",
    [
        "npm test", "bun run lint", "mise run test:ci", "go build ./...", "pytest -q tests/shop", "cargo clippy",
        "make", "python -m pytest -x", ".venv/bin/mypy .",
        "npx tsc --noEmit", "npm run typecheck", "CI=1 npm run test-unit",
    ],
)  # fmt: skip
def test_what_tests_builds_or_checks_is_a_check(command: str) -> None:
    assert is_check(command)


@pytest.mark.parametrize(
    "command",
    [
        "git status", "git log --grep test", "cat tests/test_app.py", "ls build", "grep -rn lint .", "rm -rf build",
        "python app.py", "npm install", "npm start", "node tests/server.js", "git commit -m 'Fix the test'", "x" * 200,
    ],
)  # fmt: skip
def test_looking_and_starting_are_no_checks(command: str) -> None:
    assert not is_check(command)


@pytest.mark.parametrize(("length", "is_one"), [(120, True), (121, False)])
def test_a_long_command_is_a_program_of_its_own(length: int, *, is_one: bool) -> None:
    assert is_check("pytest ".ljust(length, "x")) is is_one
