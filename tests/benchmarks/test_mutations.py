"""Each mutation changes one thing, a seed reproduces its sample, and the tests run with the mutations."""

import ast
from pathlib import Path

import pytest

from benchmarks.mutation import mutations
from benchmarks.mutations import FOLDERS, LEAST, Copy, mirrored, sample, wider
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.any_python


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ("a < b", ["(a <= b)"]),
        ("a < b <= c", ["(a <= b <= c)", "(a < b < c)"]),
        ("a in b", ["(a not in b)"]),
        ("a and b", ["(a or b)"]),
        ("not a", ["bool(a)"]),
        ("a + b", ["(a - b)"]),
        ("7", ["8"]),
        ("True", ["False"]),
        ("a()", ["pass"]),
        ("é, 'è', a is b", ["é, 'è', (a is not b)"]),
        ("if a:\n    b += c", ["if (not a):\n    b += c", "if a:\n    pass"]),
        ("def f():\n    return a", ["def f():\n    return None"]),
        ("def f():\n    return None", []),
        ("a: int | None", []),
        ("f'{1} {a < b}'", []),
        ("if TYPE_CHECKING:\n    import a", []),
        ("class A(B, frozen=True):\n    c = 1", ["class A(B, frozen=True):\n    c = 2"]),
        ("zip(a, b, strict=True)", ["pass"]),
        ("zip(a, b, strict=False)", ["pass", "zip(a, b, strict=True)"]),
        ("a(strict=True)", ["pass", "a(strict=False)"]),
    ],
)
def test_each_mutation_changes_one_thing(source: str, faults: list[str]) -> None:
    text = source.encode()

    assert [mutation.applied(text).decode() for mutation in mutations("a.py", text)] == faults


def test_every_mutant_is_valid_python() -> None:
    path = "monitor/pivot/patterns/confusion.py"
    source = Path(REPOSITORY, path).read_bytes()
    mutants = [mutation.applied(source) for mutation in mutations(path, source)]

    assert len({ast.dump(ast.parse(mutant)) for mutant in [source, *mutants]}) == len(mutants) + 1


def test_a_seed_reproduces_its_sample_and_every_room_is_in_it() -> None:
    first, again, other = (sample(FOLDERS, 120, seed) for seed in (1, 1, 2))

    assert first == again != other
    assert all(sum(mutation.path.startswith(folder) for mutation in first) >= LEAST for folder in FOLDERS)


def test_a_file_is_tested_by_its_own_tests_first_and_then_its_rooms() -> None:
    assert mirrored("monitor/pivot/patterns/clash.py") == ["tests/monitor/pivot/patterns/test_clash.py"]
    assert wider("monitor/pivot/patterns")[:2] == ["tests/monitor/pivot", "tests/monitor/hooks"]
    assert mirrored("monitor/hooks/pre_tool_use.py") == ["tests/monitor/guards/test_pre_tool_use.py"]
    assert wider("shared/secrets")[0] == "tests/shared"


def test_a_mutation_is_in_what_the_tests_import_and_removed_afterwards(tmp_path: Path) -> None:
    path = "shared/text/plain.py"
    source = Path(REPOSITORY, path).read_bytes()
    copy = Copy(tmp_path / "copy")

    assert all("test_plain.py" in copy.killer(mutation) for mutation in list(mutations(path, source))[:1])
    assert copy.failure(mirrored(path)) == ""
    assert Path(REPOSITORY, path).read_bytes() == source
