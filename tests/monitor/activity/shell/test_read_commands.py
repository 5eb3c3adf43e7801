import pytest

from monitor.activity.shell.read_commands import is_read_only


@pytest.mark.parametrize(
    "command",
    [
        "cat src/app.py",
        "grep -rn 'old|new' src 2>/dev/null | head -20",
        "cd src && rg --files | sort | uniq -c",
        "sed -n '1,40p' src/app.py",
        "find . -name '*.py' | wc -l",
        "git show HEAD:src/app.py | head",
        'grep -rn "a > b" src',
        "grep -rn 'a > b' src",
        "echo start; ls",
        "cat " + "a" * (1_000 - len("cat ")),
    ],
)
def test_commands_that_show_something_are_lookups(command: str) -> None:
    assert is_read_only(command)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "make",
        "cat a.py > b.py",
        "sed -i 's/a/b/' a.py",
        "find . -name '*.pyc' -delete",
        "find . -name '*.py' | xargs rm",
        "cat a.py && rm a.py",
        "cat $(made)",
        "git status",
        "echo done",
        "grep -q x a.py && make",
        "sed -e s/a/b/ a.py && make",
        "sed s/a/b/ a.py",
        "sed -e s/a/b/ a.py",
        "sed s/n/m/ main.py",
        "git",
        "cat " + "a" * 1_000,
    ],
)
def test_commands_that_do_more_or_show_nothing_are_not_lookups(command: str) -> None:
    assert not is_read_only(command)
