import pytest

from monitor.activity.shell.read_commands import file_part, is_look, is_look_at_state


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
        "make help 2>&1",
        "./tools/fix --help",
        "make " + "a" * (1_000 - len("make  --help")) + " --help",
        "cat " + "a" * (1_000 - len("cat ")),
        "git log --help",
        "man rsync",
    ],
)
def test_what_shows_something_is_a_look(command: str) -> None:
    assert is_look(command)


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
        "make && make help",
        "make help > help.txt",
        "make " + "a" * 1_000 + " --help",
        "make helpers",
    ],
)
def test_what_does_more_or_shows_nothing_is_none(command: str) -> None:
    assert not is_look(command)


@pytest.mark.parametrize(
    ("command", "is_known"),
    [
        ("git status", True),
        ("git log --oneline -10 2>/dev/null | head", True),
        ("git diff --stat && git status --short", True),
        ("git diff && make", False),
        ("git diff > changes.txt", False),
        ("git commit -m status", False),
        ("ls && git status", False),
        ("cat a.py", False),
    ],
)
def test_what_git_says_of_the_work_is_told_from_what_it_does(command: str, *, is_known: bool) -> None:
    assert is_look_at_state(command) is is_known


@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("cat src/app.py", ("src/app.py", 1, 2000)),
        ("cat src/app.py 2>/dev/null", ("src/app.py", 1, 2000)),
        ("cat src/app.py | head -30", ("src/app.py", 1, 30)),
        ("cat src/app.py | grep -A 5 total", ("src/app.py", 0, 0)),
        ("cat src/app.py | head -30 | grep total", ("src/app.py", 0, 0)),
        ("head src/app.py", ("src/app.py", 1, 10)),
        ("head -n 200 src/app.py", ("src/app.py", 1, 200)),
        ("sed -n '20,40p' src/app.py", ("src/app.py", 20, 40)),
        ("sed -n '20,40p' src/app.py | head -5", ("src/app.py", 20, 24)),
        ("sed -n -e '1,9p' -e '20,40p' src/app.py", ("src/app.py", 0, 0)),
        ("sed -n '/total/p' src/app.py", ("src/app.py", 0, 0)),
        ("tail -n 20 build.log", ("build.log", 0, 0)),
        (f"head -n {'9' * 900} src/app.py", ("src/app.py", 1, 9_999_999)),
        (f"sed -n '1,{'9' * 900}p' src/app.py", ("src/app.py", 0, 0)),
        ("cat a.py b.py", ("", 0, 0)),
        ("cd src && cat a.py", ("", 0, 0)),
        ("grep x a.py", ("", 0, 0)),
        ("cat", ("", 0, 0)),
        ("cat a.py;", ("a.py", 1, 2000)),
        ("head -c 2.5 'a.py' b.py", ("", 0, 0)),
        ("cat a.py 2>err.log", ("a.py", 1, 2000)),
        ("cat Makefile", ("", 0, 0)),
    ],
)
def test_the_file_that_is_shown_is_named_with_its_lines(command: str, part: tuple[str, int, int]) -> None:
    assert file_part(command) == part
