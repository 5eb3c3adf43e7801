"""The checks that a command runs, and whether its exit code and its output are theirs."""

import msgspec
import pytest

from monitor.activity.checks.command import LONGEST, checks_in, is_alone
from monitor.activity.checks.failures import without_directory
from shared.secrets.masking import MASK


def names(command: str) -> list[tuple[str, str]]:
    return [(run.command, run.tool) for run in checks_in(command)]


@pytest.mark.parametrize(
    "command",
    [
        "make test STRIPE_KEY=sk_live_51HqLyjWDarjtT1zdp7dc",
        "pytest --token ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "tox -- --db postgres://shop:Kettle77moss@db.example.net/shop",
        "./scripts/test.sh ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    ],
)
def test_no_secret_of_a_checks_command_is_stored(command: str) -> None:
    (run,) = checks_in(command)
    stored = msgspec.json.encode(run)
    assert MASK.encode() in stored
    assert not [part for part in (b"51HqLy", b"16C7e4", b"Kettle") if part in stored]


@pytest.mark.parametrize(
    ("command", "check", "tool"),
    [
        ("npm test", "npm test", "script"),
        ("cd /home/dev/shop && npm test 2>&1 | tail -5", "npm test", "script"),
        ("go vet ./...  |  grep -v generated | head -3", "go vet ./...", "go vet"),
        ("make check > /dev/null 2>&1", "make check", "script"),
        ("CI=1 npm run test-unit", "CI=1 npm run test-unit", "script"),
        ("timeout 400 uv run pytest tests/shop -q", "timeout 400 uv run pytest tests/shop -q", "pytest"),
        ("python -m pytest -x", "python -m pytest -x", "pytest"),
        (".venv/bin/mypy .", ".venv/bin/mypy .", "mypy"),
        ("npx tsc --noEmit", "npx tsc --noEmit", "tsc"),
        ("cargo +nightly clippy -- -D warnings", "cargo +nightly clippy -- -D warnings", "cargo clippy"),
        ("mise run test:ci", "mise run test:ci", "script"),
        ("./scripts/test-e2e.sh --keep", "./scripts/test-e2e.sh --keep", "test-e2e.sh"),
        ("bash run_tests.sh", "bash run_tests.sh", "run_tests.sh"),
        ("for i in 1 2; do pytest; done", "pytest", "pytest"),
        ("my-lint run ./...", "my-lint run ./...", "my-lint"),
        ("black --check .", "black --check .", "black"),
        ("(cd web && bun test)", "bun test", "bun test"),
        ("make", "make", "make"),
        ("gradle test", "gradle test", "gradle"),
    ],
)
def test_commands_that_test_build_or_lint_are_checks(command: str, check: str, tool: str) -> None:
    assert names(command) == [(check, tool)]


@pytest.mark.parametrize(
    "command",
    [
        "git status", "git log --grep test", "cat tests/test_app.py", "ls build", "grep -rn lint .", "rm -rf build",
        "python app.py", "npm install", "npm ci", "npm start", "node tests/server.js", "git commit -m 'Fix the test'",
        "make clean", "pip install pytest", "which pytest", "pytest --version", "black .", "mise run fmt",
        """python3 -c 'open("/tmp/lint_check.json")'""", "node -e 'run(\"a/test.js\")'", "php -d x=1 -r 'a/test.php'",
        "pytest --collect-only", "echo 'npm test'", "x" * 5_000, "cat > run.sh <<'EOF'\nnpm test\nEOF", "", "'",
    ],
)  # fmt: skip
def test_commands_that_look_install_or_start_are_not_checks(command: str) -> None:
    assert checks_in(command) == ()


@pytest.mark.parametrize(
    ("command", "is_changing"),
    [
        ("bun run lint:fix", True),
        ("npm run fix:lint", True),
        ("npm run lint -- --fix", True),
        ("uv run ruff check --fix .", True),
        ("biome format --write src", True),
        ("ruff format .", True),
        ("cargo fmt", True),
        ("ruff format --check .", False),
        ("cargo fmt -- --check", False),
        ("pytest tests/test_fix.py -k fixed", False),
        ("eslint --fix-dry-run .", False),
        ("bash -e run_tests.sh", False),
    ],
)
def test_commands_that_change_files_are_recognised(command: str, *, is_changing: bool) -> None:
    assert [run.is_changing for run in checks_in(command)] == [is_changing]


@pytest.mark.parametrize(
    ("command", "is_known"),
    [
        ("npm test", True),
        ("cd shop && npm test 2>&1", True),
        ("npm test && git push", True),
        ("npm test | tail -5", False),
        ("set -o pipefail; npm test | tail -5", True),
        ("npm test || true", False),
        ("npm test; echo done", False),
        ("npm test &", False),
    ],
)
def test_the_exit_code_is_the_checks_if_nothing_follows_it(command: str, *, is_known: bool) -> None:
    assert [run.is_status_known for run in checks_in(command)] == [is_known]


@pytest.mark.parametrize(
    ("command", "is_hidden"),
    [
        ("npm test | tail -5", False),
        ("npm test | head -5", True),
        ("npm test 2>&1 | grep FAIL", True),
        ("npm test > log.txt 2>&1", True),
        ("npm test 2>&1", False),
        ("npm test 2>/dev/null", True),
    ],
)
def test_a_filter_of_the_output_may_hide_its_end(command: str, *, is_hidden: bool) -> None:
    assert [run.is_output_hidden for run in checks_in(command)] == [is_hidden]


def test_several_checks_in_one_command_are_separate() -> None:
    assert names("npm run lint && npm run typecheck; npx jest src | tail -3") == [
        ("npm run lint", "script"),
        ("npm run typecheck", "script"),
        ("npx jest src", "jest"),
    ]


def test_a_checks_arguments_are_sorted_by_their_effect() -> None:
    (run,) = checks_in("go test -v -count=1 -tags=e2e -run 'TestA|TestB' ./cmd/...")
    assert (run.targets, run.narrowed, run.settings) == (("cmd/...",), ("-run TestA|TestB",), ("-tags e2e",))
    (run,) = checks_in("pytest -k 'a or b' -p no:cacheprovider -n 2 tests/a.py .")
    assert (run.targets, run.narrowed) == (("tests/a.py",), ("-k a or b",))
    (run,) = checks_in("bun run test src/cart.test.ts")
    assert run.targets == ("packages:test", "src/cart.test.ts")


def test_no_secret_of_a_check_is_kept_and_a_long_one_is_cut() -> None:
    (run,) = checks_in("API_TOKEN=abc123def456ghi789 pytest")
    assert run.command == "API_TOKEN=[masked] pytest"
    (run,) = checks_in("pytest " + "x" * 200)
    assert len(run.command) == LONGEST


@pytest.mark.parametrize(
    ("command", "alone"),
    [
        ("npm test", True),
        ("cd a && FOO=1 npm test", True),
        ("npm test && git push", False),
        ("A=1 && npm test", True),
        ("npm test" + " " * 4_000, False),
    ],
)
def test_other_commands_that_may_fail_are_counted(command: str, *, alone: bool) -> None:
    assert is_alone(command) is alone


def test_a_check_of_the_state_before_the_work_does_not_count() -> None:
    assert checks_in("git stash && npm test; git stash pop") == ()
    assert checks_in("git stash list && npm test") != ()


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("cd web && make test", "(cd web && make test)"),
        ("cd /home/dev/lib; make test", "(cd /home/dev/lib && make test)"),
        ("cd web && cd .. && make test", "make test"),
        ("(cd web && npm ci) && make test", "make test"),
        ("cd .claude/worktrees/bay && make test", "(cd /home/dev/shop/.claude/worktrees/bay && make test)"),
    ],
)
def test_a_check_is_named_with_its_directory_if_not_the_sessions(command: str, name: str) -> None:
    (run,) = checks_in(command, "/home/dev/shop", "/home/dev/shop")
    assert run.command == name
    assert without_directory(run.command) == "make test"


def test_only_the_first_of_very_many_checks_are_recognised() -> None:
    runs = checks_in("; ".join(f"pytest tests/test_{number}.py" for number in range(30)))
    assert [run.targets[0] for run in runs] == [f"tests/test_{number}.py" for number in range(20)]
    assert not any(run.is_status_known for run in runs)
