"""Files that a shell command writes are found where the command names them."""

import pytest

from monitor.activity.shell.written import files_written
from tests import processor_time

SCRIPT = """python3 - <<'EOF'
import pathlib
p = pathlib.Path("src/cart.py")
p.write_text(p.read_text().replace("a", "b"))
EOF"""


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("cat > docs/guide.md <<'EOF'\n# Guide > all\nEOF", ["docs/guide.md"]),
        ("cat <<EOF >> docs/guide.md\ncat > no.md\nEOF\nls", ["docs/guide.md"]),
        ('echo "a > b" >> "notes.txt"', ["notes.txt"]),
        ("printf x | tee -a log.txt", ["log.txt"]),
        ("sed -i '' 's/a.b/c/' src/cart.py src/form.py", ["src/cart.py", "src/form.py"]),
        ("cd /shop/src && sed -i 's/a/b/' cart.py && pytest", ["src/cart.py"]),
        (SCRIPT, ["src/cart.py"]),
        ("python -c \"open('a.txt', 'w').write('x')\"", ["a.txt"]),
        ("python -c \"print(open('a.txt').read())\"", []),
        ("cat > test_cart.py <<'EOF'\np = Path('b.txt')\np.write_text('x')\nEOF", ["test_cart.py"]),
        ("npm test > out.log 2>&1", []),
        ("cat a.py 2>/dev/null", []),
        ("grep -n 'x > y' a.py | head", []),
        ("echo x > /tmp/scratch.txt", []),
        ('cat > "$DIR/a.md" <<EOF\nx\nEOF', []),
        ("cd /tmp && git init && echo x > file.txt", []),
        ("git init x && cd x && echo x > file.txt", []),
        ("sed -n '1,5p' a.py", []),
        ("x" * 50_000 + " > a.py", []),
    ],
)
def test_the_files_of_the_project_that_a_command_writes(command: str, paths: list[str]) -> None:
    assert list(files_written(command, "/shop")) == [f"/shop/{path}" for path in paths]


def test_a_name_is_relative_to_the_shells_directory() -> None:
    assert files_written("echo x > a.md", "/shop", "/shop/docs") == ("/shop/docs/a.md",)
    assert files_written("cd api && echo x > a.md", "/shop", "/shop/docs") == ("/shop/docs/api/a.md",)
    assert files_written("echo x > a.md", "/shop", "/elsewhere") == ()


@pytest.mark.parametrize("text", ["\n" * 39_000, "open(" * 7_900, "tee " * 9_900, "> " * 19_000])
@pytest.mark.parametrize("program", ["cat > a.py", "python -c open(x, 'w')"])
def test_no_command_takes_long_to_parse(program: str, text: str) -> None:
    with processor_time.at_most(0.3):
        files_written(f"{program}\n{text}", "/shop")
