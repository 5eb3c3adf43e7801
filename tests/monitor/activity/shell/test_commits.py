"""The commits that commands make."""

import pytest

from monitor.activity.shell.commits import MOST_COMMITS, Commit, CommitKind, commits_after, kind_of

FIRST, ADDED = Commit("aaaaaaa", "First"), Commit("1234abc", "Add it")


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("git commit -m 'Add it; then git push'", "commit"),
        ("cd shop && git add . && git -C /shop commit -qm x && git push -u origin main", "commit"),
        ("rtk git commit --amend --no-edit", "amend"),
        ("git commit -m \"$(cat <<'EOF'\nAdd it\n\ngit push\nEOF\n)\"", "commit"),
        ("git commit --dry-run", ""),
        ("cd $(mktemp -d) && git init -q && git commit -qm initial", ""),
        ("git stash push", ""),
        ("echo git commit", ""),
        ("git log --grep commit", ""),
    ],
)
def test_a_command_that_commits_is_recognised(command: str, kind: CommitKind) -> None:
    assert kind_of(command) == kind


@pytest.mark.parametrize(
    ("kind", "output", "commits"),
    [
        ("commit", "ok\n[main 1234abc] Add it\n 1 file changed", [FIRST, ADDED]),
        ("commit", "[main (root-commit) 1234abc] Add it", [FIRST, ADDED]),
        ("commit", "[main 1234abc] Add it\n ! [rejected] main", [FIRST, ADDED]),
        ("commit", "nothing to commit", [FIRST]),
        ("amend", "[main 1234abc] Add it", [ADDED]),
        ("amend", "nothing", [FIRST]),
        ("", "[main 1234abc] Add it", [FIRST]),
    ],
)
def test_a_commit_is_known_by_what_git_prints(kind: CommitKind, output: str, commits: list[Commit]) -> None:
    assert commits_after([FIRST], kind, output) == commits


def test_no_secret_of_a_subject_is_kept_and_the_newest_commits_are() -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    (*_, newest) = commits = commits_after([FIRST] * MOST_COMMITS, "commit", f"[main 1234abc] Add {key}")
    assert key not in newest.subject
    assert (newest.id, len(commits)) == ("1234abc", MOST_COMMITS)
