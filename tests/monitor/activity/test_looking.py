import pytest

from monitor.activity.looking import file_in, is_look, program_in


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
        "git",
        "cat " + "a" * 1_000,
    ],
)
def test_what_does_more_or_shows_nothing_is_none(command: str) -> None:
    assert not is_look(command)


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("cat src/app.py", "src/app.py"),
        ("sed -n '1,40p' src/app.py | head", "src/app.py"),
        ("tail -n 20 build.log", "build.log"),
        ("cat a.py b.py", ""),
        ("cd src && cat a.py", ""),
        ("grep x a.py", ""),
        ("cat", ""),
        ("cat a.py;", "a.py"),
        ("head -c 2.5 'a.py' b.py", ""),
        ("cat a.py 2>err.log", "a.py"),
        ("cat Makefile", ""),
    ],
)
def test_the_file_that_is_shown_is_named(command: str, file: str) -> None:
    assert file_in(command) == file


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("npm test 2>&1 | grep -E 'a|b'", "npm test"),
        ("grep 'a|b' x | npm test", ""),
        ("(npm test) 2>&1 > /dev/null", "(npm test)"),
        ("npm test || true | tail", "npm test || true"),
        ("cd web && npm test | tail", "cd web && npm test"),
        ("gh pr diff 142 | head", ""),
        ("cd web && git diff | head", ""),
        ("", ""),
    ],
)
def test_what_is_run_is_told_from_what_filters_its_output(command: str, program: str) -> None:
    assert program_in(command).strip() == program
