"""The commits that commands make."""

import pytest

from monitor.activity.shell.commits import MOST_COMMITS, Commit, GitCommand, commits_after, git_command_in

FIRST, ADDED = Commit("aaaaaaa", "First"), Commit("1234abc", "Add it")
COMMIT = GitCommand()


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git commit -m 'Add it; then git push'", COMMIT),
        ("cd shop && git add . && git -C /shop commit -qm x && git push origin", GitCommand(may_fail_later=True)),
        ("npm test && git commit -qm x && git push origin", COMMIT),
        ("rtk git commit --amend --no-edit", GitCommand(amends=True)),
        ("git commit -m \"$(cat <<'EOF'\nAdd it\n\ngit push\nEOF\n)\"", COMMIT),
        ("git commit -F - <<'EOF'\nAdd it\n\ngit push\nEOF", COMMIT),
        ("git rebase main", GitCommand(commits=False, rebases=True)),
        ("git commit -m x && git pull --rebase", GitCommand(rebases=True, may_fail_later=True)),
        ("git commit --dry-run", None),
        ("cd $(mktemp -d) && git init -q && git commit -qm initial", None),
        ("git stash push", None),
        ("echo git commit", None),
        ("git log --grep commit", None),
    ],
)
def test_a_command_that_commits_or_rebases_is_recognised(command: str, expected: GitCommand | None) -> None:
    assert git_command_in(command) == expected


@pytest.mark.parametrize(
    ("command", "is_logged"),
    [
        ("git commit -q -F - <<'MSG' && git log --oneline -1\nAdd it\nMSG\ngit push -q", True),
        ("git commit -qm x && git log --oneline -n 2 2>&1", True),
        ("git commit -qm x; git log --oneline -1", False),
        ("git diff --quiet || git commit -qm x && git log --oneline -1", False),
        ("git log --oneline -1 && git commit -qm x && git log --oneline -1", False),
        ("git commit -qm x && git log --oneline --reverse", False),
        ("git commit -qm x && git log --oneline other", False),
    ],
)
def test_a_log_shows_a_commit_where_it_follows_one_that_was_made(command: str, is_logged: bool) -> None:
    known = git_command_in(command)
    assert known is not None
    assert known.is_logged is is_logged
    made = commits_after([FIRST], known, "remote:\n1234abc Add it\naaaaaaa First")
    assert made == ([FIRST, ADDED] if is_logged else [FIRST])


@pytest.mark.parametrize(
    ("command", "output", "commits"),
    [
        (COMMIT, "ok\n[main 1234abc] Add it\n 1 file changed", [FIRST, ADDED]),
        (COMMIT, "[main (root-commit) 1234abc] Add it", [FIRST, ADDED]),
        (COMMIT, "[main 1234abc] Add it\n ! [rejected] main", [FIRST, ADDED]),
        (COMMIT, "nothing to commit", [FIRST]),
        (COMMIT, "1234abc Add it", [FIRST]),
        (GitCommand(amends=True), "[main 1234abc] Add it", [ADDED]),
        (GitCommand(amends=True), "nothing", [FIRST]),
        (None, "[main 1234abc] Add it", [FIRST]),
        (GitCommand(commits=False, rebases=True), "[detached HEAD 1234abc] Add it", [FIRST]),
    ],
)
def test_a_commit_is_recognised_by_gits_output(command: GitCommand | None, output: str, commits: list[Commit]) -> None:
    assert commits_after([FIRST], command, output) == commits


@pytest.mark.parametrize("may_fail_later", [True, False])
def test_in_a_failed_commands_output_only_text_that_only_git_prints_counts(may_fail_later: bool) -> None:
    command = GitCommand(may_fail_later=may_fail_later, is_logged=True)
    commits = commits_after([FIRST], command, "[main 1234abc] Add it\n ! [rejected] main", is_error=True)
    assert commits == ([FIRST, ADDED] if may_fail_later else [FIRST])
    assert commits_after([FIRST], command, "1234abc Add it", is_error=True) == [FIRST]


def test_a_rebase_removes_the_ids_of_the_commits_before_it() -> None:
    rebase, output = GitCommand(rebases=True), "Rebasing (1/1)\rSuccessfully rebased and updated refs/heads/main."
    first = Commit("", "First")
    assert commits_after([FIRST], rebase, f"{output}\n[main 1234abc] Add it") == [first, ADDED]
    assert commits_after([FIRST], rebase, f"[main 1234abc] Add it\n{output}") == [first, Commit("", "Add it")]
    assert commits_after([FIRST], COMMIT, output) == [FIRST]
    assert commits_after([FIRST], rebase, "Could not apply 1234abc") == [FIRST]


@pytest.mark.parametrize(
    ("command", "cwd", "elsewhere"),
    [
        ("cd /home/dev/lib && git commit -m x", "/home/dev/shop", "/home/dev/lib"),
        ("cd ../lib; git add . && git commit -m x", "/home/dev/shop", "/home/dev/lib"),
        ("git -C ../lib commit -m 'x -C /a'", "/home/dev/shop", "/home/dev/lib"),
        ("git commit -m x", "/home/dev/lib", "/home/dev/lib"),
        ("git -C ../lib rebase main", "/home/dev/shop", "/home/dev/lib"),
        ("(cd ../lib && make) && git commit -m x", "/home/dev/shop", ""),
        ("cd ../lib && make; cd ../shop && git commit -m x", "/home/dev/shop", ""),
        ("cd web && git commit -m 'x' -m '-C /a'", "/home/dev/shop", ""),
        ("git commit -m x", "/home/dev/shop/.claude/worktrees/a", ""),
        ("cd .. && git commit -m x", "/home/dev/shop", ""),
        ("cd $REPO && git -C ~/lib commit -m x", "/home/dev/shop", ""),
        ("cd /home/dev/lib && git commit -m x", "", "/home/dev/lib"),
        ("git commit -m x", "", ""),
    ],
)
def test_commits_outside_the_sessions_directory_are_recognised(command: str, cwd: str, elsewhere: str) -> None:
    known = git_command_in(command, cwd, "/home/dev/shop")
    assert known is not None
    assert known.elsewhere == elsewhere


def test_each_directory_has_its_own_commits_to_amend_and_rebase() -> None:
    there = Commit("bbbbbbb", "There", "/lib")
    amended = GitCommand(amends=True, elsewhere="/lib")
    assert commits_after([there, FIRST], amended, "[main 1234abc] Add it") == [
        FIRST,
        Commit("1234abc", "Add it", "/lib"),
    ]
    rebase, output = GitCommand(rebases=True), "Successfully rebased and updated refs/heads/main."
    assert commits_after([there, FIRST], rebase, output) == [there, Commit("", "First")]


def test_no_secret_in_a_subject_is_kept_and_only_the_newest_commits_are() -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    (*_, newest) = commits = commits_after([FIRST] * MOST_COMMITS, COMMIT, f"[main 1234abc] Add {key}")
    assert key not in newest.subject
    assert (newest.id, len(commits)) == ("1234abc", MOST_COMMITS)


def test_the_parts_of_a_subject_stay_apart() -> None:
    """No rule matches a key with a tab in it; without the tab it would be masked."""
    (commit,) = commits_after([], COMMIT, "[main 1234abc] Add AKIAIOSF\tODNN7EXAMPLE")
    assert commit.subject == "Add AKIAIOSF ODNN7EXAMPLE"
