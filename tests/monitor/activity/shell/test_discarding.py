import pytest

from monitor.activity.shell.discarding import discarded_by


@pytest.mark.parametrize(
    ("command", "names", "is_all", "by_git"),
    [
        ("git checkout -- src/a.py b.py", {"a.py", "b.py"}, False, True),
        ("git checkout HEAD~1 -- 'src/a.py'", {"a.py"}, False, True),
        ("cd x && git restore a.py", {"a.py"}, False, True),
        ("git restore .", set(), True, True),
        ("git -C /x reset --hard HEAD", set(), True, True),
        ("git revert --no-edit HEAD", set(), True, True),
        ("git stash && git stash drop", set(), True, True),
        ("rm -f src/a.py", {"a.py"}, False, False),
        ("git rm a.py", {"a.py"}, False, False),
    ],
)
def test_what_a_command_takes_away_is_known(command: str, names: set[str], *, is_all: bool, by_git: bool) -> None:
    found = discarded_by(command)
    assert found is not None
    assert found[:3] == (frozenset(names), is_all, by_git)


def test_only_some_commands_take_commits_away() -> None:
    commands = ("git revert HEAD", "git reset --hard HEAD~1", "git reset --hard", "git checkout -- a.py")
    found = [discarded_by(command) for command in commands]
    assert [one is not None and one.is_committed for one in found] == [True, True, False, False]


@pytest.mark.parametrize(
    "command",
    [
        "make",
        "git checkout -b fix/a.py && git add a.py",
        "git restore --staged a.py",
        "git stash pop",
        "git stash drop",
        "git reset HEAD a.py",
        "git revert --abort",
        "git checkout -b fix && make reset --hard",
        "git checkout -b fix && sudo checkout a.py",
        "",
    ],
)
def test_what_keeps_the_files_takes_nothing_away(command: str) -> None:
    assert discarded_by(command) is None


@pytest.mark.parametrize(("length", "is_read"), [(1_000, True), (1_001, False)])
def test_a_long_command_is_a_program_of_its_own(length: int, *, is_read: bool) -> None:
    assert (discarded_by("rm a.py " + "b" * (length - 8)) is not None) is is_read
