import pytest

from monitor.guards.reading.shell import read_paths
from tests import processor_time

READ = [
    ("cat a/x", ["/p/a/x"]),
    ("cat 'a b/x' /abs/y", ["/p/a b/x", "/abs/y"]),
    ("npm run build && cat dist/out.js", ["/p/dist/out.js"]),
    ("make; head -n 5 log | grep -n foo", ["/p/log"]),
    ("grep -rn foo", ["/p"]),
    ("grep -rn a_pattern lib", ["/p/lib"]),
    ("grep -e a_pattern lib", ["/p/lib"]),
    ("grep -A 3 a_pattern lib", ["/p/lib"]),
    ("grep -n a_pattern lib", ["/p/lib"]),
    ("grep --include '*.py' -rE a_pattern lib", ["/p/lib"]),
    ("rg -g '!a_glob' a_pattern src", ["/p/src"]),
    ("sed -n '1,5p' x", ["/p/x"]),
    ("awk -F , -v n=1 '$1 ~ /dist/ {print}' x", ["/p/x"]),
    ("grep -F -v a_pattern x", ["/p/x"]),
    ("jq --arg n dist . x", ["/p/x"]),
    ("find lib -name '*.js' -path ./other", ["/p/lib"]),
    ("tree -L 2 -I pattern", ["/p"]),
    ("ls -A --ignore other lib", ["/p/lib"]),
    ("sort -o sorted x", ["/p/x"]),
    ("tail -f -n 5 x", ["/p/x"]),
    ("ls", ["/p"]),
    ("cd lib && ls", ["/p/lib"]),
    ("cd lib/.. && cat x", ["/p/x"]),
    ("cat < x", ["/p/x"]),
    ("cat src/a > out 2>&1", ["/p/src/a"]),
    ("echo $(cat x)", ["/p/x"]),
    ("echo `cat x`", ["/p/x"]),
    ("diff <(cat a) b", ["/p/a"]),
    ("sudo -n env A=1 cat x", ["/p/x"]),
    ("timeout 5 cat x", ["/p/x"]),
    ("if true; then cat x; fi", ["/p/x"]),
    ("for f in a; do cat x; done", ["/p/x"]),
    ("true\ncat x", ["/p/x"]),
    ("cat ~/x", ["/home/me/x"]),
    ("cat ~no\0body/x", ["/p/~no\0body/x"]),
    ("cat ~no\ud800body/x", ["/p/~no\ud800body/x"]),
    ("cat $'a/x'", ["/p/a/x"]),
    ("cat \\\n a/x", ["/p/a/x"]),
    ("cat a/\\\nx a/$'y'", ["/p/a/x", "/p/a/y"]),
    ('for f; do cat a "$f"; done', ["/p/a", "/p/$f"]),
    ("(cd a && make); cat y", ["/p/y"]),
    ("while read l; do echo $l; done < a/x", ["/p/a/x"]),
    ("cd b; (cd a && make); cat y", ["/p/b/y"]),
    ("cat x; pushd ../other && cat y; popd", ["/p/x"]),
    ("cat d?st/x {a,b}/x */y", ["/p/d?st/x", "/p/{a,b}/x", "/p/*/y"]),
    ("base64 -w 0 a/x", ["/p/a/x"]),
    ("cat a#b # c", ["/p/a#b"]),
    ("cat a# b #c", ["/p/a#", "/p/b"]),
    ("(cat a); cat b # it's c", ["/p/a", "/p/b"]),
    ("cat 'a' # it's b", ["/p/a"]),
    ("cat '# a' b", ["/p/# a", "/p/b"]),
    ("cat <<EOF b\ncat a\nEOF\ncat c", ["/p/b", "/p/c"]),
    ("cat << EOF b\ncat a\nEOF\ncat c", ["/p/b", "/p/c"]),
    ("echo $((1<<2))\ncat a", ["/p/a"]),
    ("cat <<'A B'\ncat a\nA B\ncat c", ["/p/c"]),
    ("cat <<\"it's\"\ncat a\nit's\ncat c", ["/p/c"]),
    ("cat <<EOF\n\nEOF\ncat c", ["/p/c"]),
    ('git commit -m "$(cat <<EOF\na 3" disk\nEOF\n)" && cat a', ["/p/a"]),
    ("grep -r a_pattern", ["/p"]),
    ("egrep --recursive a_pattern", ["/p"]),
    ("wc -l a --files0-from=r", ["/p/a"]),
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
    "cat > src.py <<'EOF'\nls node_modules/a\nEOF",
    'cat > src.py << "EOF"\nit\'s\nls node_modules/a\nEOF\n',
    "tee a <<-EOF <<B\n\tcat a\n\tEOF\ncat b\nB\n",
    'git commit -m "$(cat <<\'EOF\'\ncat dist/x is "bad", isn\'t it\nEOF\n)"',
    "echo a # cat dist/x",
    "# don't\necho a",
    "cat <<< dist/x",
    "cd dist && make | tail -n 5",
    "cd dist && make | rg error",
    "git diff -- dist/x",
    "git add dist/x",
    "for f in dist/*; do echo $f; done",
    "bash -c 'make dist'",
    "grep a_pattern",
    "grep --color a_pattern",
    "cat -r",
    "sort -r",
    "#cat dist/x",
]


@pytest.mark.parametrize(("command", "paths"), READ)
def test_paths_that_a_command_line_prints_are_found(
    command: str, paths: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/me")

    assert [path for path in read_paths(command, "/p") if path != "/p" or "/p" in paths] == paths


@pytest.mark.parametrize("command", GO_AHEAD)
def test_commands_that_do_not_print_it_are_allowed(command: str) -> None:
    assert list(read_paths(command, "/p")) == []


def test_substitutions_outside_quotes_are_searched() -> None:
    command = "cat x"
    for _ in range(50):
        command = f"echo $({command})"

    assert list(read_paths(command, "/p")) == ["/p/x"]


@pytest.mark.parametrize(
    "command", ["<<A " * 200_000 + "\nA\n" * 60_000, "cat " + "'\"" * 3_000_000, "cat x;" * 400_000]
)
def test_a_command_of_megabytes_takes_no_time(command: str) -> None:
    with processor_time.at_most(1):
        assert list(read_paths(command, "/p")) == []
