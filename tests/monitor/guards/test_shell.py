import pytest

from monitor.guards.shell import read_paths

READ = [
    ("cat a/x", ["/p/a/x"]),
    ("cat 'a b/x' /abs/y", ["/p/a b/x", "/abs/y"]),
    ("npm run build && cat dist/out.js", ["/p/dist/out.js"]),
    ("make; head -n 5 log | grep -n foo", ["/p/log", "/p"]),
    ("grep -rn a_pattern lib", ["/p/lib"]),
    ("grep -e a_pattern lib", ["/p/lib"]),
    ("rg -g '!a_glob' a_pattern src", ["/p/src"]),
    ("sed -n '1,5p' x", ["/p/x"]),
    ("find lib -name '*.js' -path ./other", ["/p/lib"]),
    ("tree -I pattern", ["/p"]),
    ("ls", ["/p"]),
    ("cd lib && ls", ["/p/lib"]),
    ("cd lib/.. && cat x", ["/p/x"]),
    ("cat < x", ["/p/x"]),
    ("cat src/a > out 2>&1", ["/p/src/a"]),
    ("echo $(cat x)", ["/p/x"]),
    ('echo "$(cat x)"', ["/p/x"]),
    ("echo `cat x`", ["/p/x"]),
    ("diff <(cat a) b", ["/p/a"]),
    ("bash -c 'cat x'", ["/p/x"]),
    ("sudo -n env A=1 cat x", ["/p/x"]),
    ("timeout 5 cat x", ["/p/x"]),
    ("if true; then cat x; fi", ["/p/x"]),
    ("for f in a; do cat x; done", ["/p/x"]),
    ("true\ncat x", ["/p/x"]),
    ("cat ~/x", ["/home/me/x"]),
]
GO_AHEAD = [
    "npm install",
    "npm run build",
    ".venv/bin/python x.py",
    "node_modules/.bin/eslint src",
    "source .venv/bin/activate && pytest",
    "rm -rf node_modules",
    "cp -r dist /srv",
    "mkdir -p dist",
    "echo node_modules",
    "cat 'never closed",
    "",
    "&& ||",
]


@pytest.mark.parametrize(("command", "paths"), READ)
def test_paths_that_a_command_line_prints_are_found(
    command: str, paths: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/me")

    assert [path for path in read_paths(command, "/p") if path != "/p" or "/p" in paths] == paths


@pytest.mark.parametrize("command", GO_AHEAD)
def test_commands_that_print_nothing_of_it_go_ahead(command: str) -> None:
    assert list(read_paths(command, "/p")) == []


def test_nesting_ends() -> None:
    command = "cat x"
    for _ in range(50):
        command = f"echo $({command})"

    assert list(read_paths(command, "/p")) == ["/p/x"]
    assert set(read_paths('echo "$(' * 50 + "cat x", "/p")) <= {"/p/x"}
