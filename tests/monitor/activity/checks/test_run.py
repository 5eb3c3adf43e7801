"""A passed check clears the same check, and every narrower one that it covers."""

import pytest

from monitor.activity.checks.command import checks_in


def covers(passed: str, failed: str) -> bool:
    (wide,), (narrow,) = checks_in(passed), checks_in(failed)
    return wide.covers(narrow)


@pytest.mark.parametrize(
    ("passed", "failed"),
    [
        ("pytest", "pytest tests/test_a.py::test_b -x"),
        ("pytest tests", "python -m pytest tests/shop/test_a.py"),
        ("pytest tests/a.py", "pytest tests/a.py::test_b -k slow"),
        ("npm test | tail -3", "cd shop && npm test"),
        ("yarn test", "npm test"),
        ("go test ./...", "go test ./cmd/shop -run TestA"),
        ("go test ./cmd/...", "go test ./cmd/shop"),
        ("go test -run TestCart ./a", "go test -run 'TestCart_Adds|TestCart_Empty' ./a"),
        ("go test -run 'TestCart_.*Sums|TestCart_.*Tax' ./a", "go test -run TestCart_SetsSums ./a"),
        ("go test -run TestA ./a", "go test -c ./a"),
        ("go test -c -o /dev/null ./a", "go test -c ./a"),
        ("go test -run TestCart_ ./a", "go test -run 'TestCart_Sums|TestCart_Is_Sorted' ./a"),
        ("pytest -k cart", "pytest -k 'cart_sums or cart_is_sorted'"),
        ("go test ./a/...", "go build ./a/..."),
        ("go test -tags=e2e ./a/...", "go vet -tags e2e ./a/..."),
        ("mise run test:ci", "mise run test"),
        ("mise run test:ci", "mise run test:integration"),
        ("npm run lint:fix", "npm run lint"),
        ("make check", "make test"),
        ("npm run test", "npx jest src/cart.test.ts"),
        ("mise run test", "go test ./cmd -run TestA"),
        ("mise run test:integration", "go test -tags integration ./cmd"),
        ("mise run lint", "golangci-lint run ./..."),
        ("mise run test", "go build ./..."),
        ("ruff check .", "uv run ruff check src/cart.py"),
        ("uvx ty check .", "uv run ty check src/cart.py"),
        ("biome check", "biome lint src/cart.ts"),
        ("npx vitest run", "npx vitest src/cart.test.ts"),
        ("golangci-lint run ./...", "golangci-lint run ./cmd"),
        ("npm run lint", "ruff check src/cart.py"),
    ],
)
def test_a_check_covers_itself_and_narrower_ones(passed: str, failed: str) -> None:
    assert covers(passed, failed)


@pytest.mark.parametrize(
    ("passed", "failed"),
    [
        ("pytest tests/test_a.py", "pytest"),
        ("pytest -k slow", "pytest"),
        ("ruff check src/cart.py", "ruff check ."),
        ("ruff check .", "ruff format --check ."),
        ("ty check src/cart.py", "ty check"),
        ("biome lint", "biome check"),
        ("npx vitest run src/cart.test.ts", "npx vitest run"),
        ("golangci-lint run ./cmd", "golangci-lint run"),
        ("pytest tests/a", "pytest tests/b"),
        ("npm test", "npm run lint"),
        ("npm run test:unit", "npm run test"),
        ("bun run test src/a.test.ts", "bun run test"),
        ("go test ./...", "go test -tags=e2e ./..."),
        ("go test -run TestA ./a", "go test -run TestB ./a"),
        ("pytest -k 'cart and slow'", "pytest -k cart"),
        ("go build ./...", "go test ./..."),
        ("mise run test", "go test -tags integration ./cmd"),
        ("npm test", "npx tsc --noEmit"),
        ("npm run lint", "npx jest"),
        ("mypy .", "ruff check ."),
    ],
)
def test_nothing_else_is_covered(passed: str, failed: str) -> None:
    assert not covers(passed, failed)


@pytest.mark.parametrize(
    ("passed", "failed", "is_covered"),
    [
        (("cd front && make test", "/shop"), ("cd back && make test", "/shop"), False),
        (("make test", "/shop/front"), ("make test", "/shop/back"), False),
        (("make test", "/shop/back"), ("cd back && make test", "/shop"), True),
        (("(cd back; make test); ls", "/shop"), ("cd ./back\nmake test", "/shop"), True),
        (("cd /shop/back/ && make test", "/elsewhere"), ('cd "back" && make test', "/shop"), True),
        (("pytest", "/shop"), ("cd back && pytest", "/shop"), True),
        (("pytest tests", "/shop"), ("pytest tests", "/shop/back"), False),
        (("(cd front && true); make test", "/shop"), ("(cd back && true); make test", "/shop"), True),
        (("(cd front && make test)", "/shop"), ("(cd back && make test)", "/shop"), False),
    ],
)
def test_a_check_covers_directories_below_its_own_but_no_others(
    passed: tuple[str, str], failed: tuple[str, str], *, is_covered: bool
) -> None:
    (wide,), (narrow,) = checks_in(*passed), checks_in(*failed)
    assert wide.covers(narrow) is is_covered
