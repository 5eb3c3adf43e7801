"""The commits that commands make."""

import pytest

from monitor.activity.shell.commits import MOST_COMMITS, Commit, actions_in, commits_after

FIRST = Commit("aaaaaaa", "First")


@pytest.mark.parametrize(
    ("command", "actions"),
    [
        ("git commit -m 'Add it; then git push'", ("commit",)),
        ("cd shop && git add . && git -C /shop commit -qm x && git push -u origin main", ("commit", "push")),
        ("rtk git commit --amend --no-edit", ("amend",)),
        ("git commit -m \"$(cat <<'EOF'\nAdd it\n\ngit push\nEOF\n)\"", ("commit",)),
        ("git push --dry-run", ()),
        ("cd $(mktemp -d) && git init -q && git commit -qm initial", ()),
        ("git stash push", ()),
        ("echo git commit", ()),
        ("git log", ()),
    ],
)
def test_what_git_does_to_commits_is_seen_in_order(command: str, actions: tuple[str, ...]) -> None:
    assert tuple(action.kind for action in actions_in(command)) == actions


@pytest.mark.parametrize(
    ("command", "output", "is_error", "commits"),
    [
        ("git commit", "ok\n[main 1234abc] Add it\n 1 file changed", False, [FIRST, Commit("1234abc", "Add it")]),
        ("git commit", "[main (root-commit) 1234abc] Add it", False, [FIRST, Commit("1234abc", "Add it")]),
        ("git commit --amend", "[main 1234abc] Add it", False, [Commit("1234abc", "Add it")]),
        ("git commit --amend", "nothing", True, [FIRST]),
        (
            "git commit; git push",
            "[main 1234abc] Add it\n ! [rejected] main",
            False,
            [FIRST, Commit("1234abc", "Add it")],
        ),
        ("git commit && git push", "[main 1234abc] Add it", True, [FIRST, Commit("1234abc", "Add it")]),
        ("git push", "[main 1234abc] Add it", False, [Commit("aaaaaaa", "First", is_pushed=True)]),
    ],
)
def test_a_commit_is_known_by_what_git_prints(
    command: str, output: str, commits: list[Commit], *, is_error: bool
) -> None:
    assert commits_after([FIRST], actions_in(command), output, is_error=is_error) == commits


def test_no_secret_of_a_subject_is_kept_and_the_newest_commits_are() -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    (*_, newest) = commits = commits_after(
        [FIRST] * MOST_COMMITS, actions_in("git commit"), f"[main 1234abc] Add {key}", is_error=False
    )
    assert key not in newest.subject
    assert (newest.id, len(commits)) == ("1234abc", MOST_COMMITS)


@pytest.mark.parametrize(
    ("command", "output", "commit"),
    [
        ("git commit -q -m 'Add it'", "", Commit("", "Add it")),
        ('git add . && git commit -qm "Add it"', "", Commit("", "Add it")),
        ('git commit -m "Add it" > /dev/null', "", Commit("", "Add it")),
        ("git commit --quiet -F - <<'EOF'\nAdd it\nEOF", "", None),
        ("git commit -q -m \"$(cat <<'EOF'\nAdd it\n\nAll of it.\nEOF\n)\"", "", Commit("", "Add it")),
        ("git commit -q -m 'Add it' && git log --oneline -1", "1234abc Add it", Commit("1234abc", "Add it")),
        ("git commit -m 'Add it' | tail -1", " 1 file changed, 2 insertions(+)", Commit("", "Add it")),
        ("git commit -m 'Add it'", "rejected by the hook", None),
        ("git commit -q -m 'Add it'; git status", "nothing to commit, working tree clean", None),
    ],
)
def test_a_quiet_commit_is_known_by_its_message(command: str, output: str, commit: Commit | None) -> None:
    commits = commits_after([], actions_in(command), output, is_error=False)
    assert commits == ([commit] if commit else [])
    assert commits_after([], actions_in(command), output, is_error=True) == []
