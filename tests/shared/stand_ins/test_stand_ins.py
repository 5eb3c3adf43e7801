import decimal
import json
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from shared import bundle

PATHS = [str(Path(__file__).parents[3]), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
BEGIN = f"import sys; sys.path += {PATHS!r}; from shared import bundle\n"
BARE = [sys.executable, "-I", "-S", "-B", "-c"]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundle") / "startup.bundle"
    subprocess.run([*BARE, BEGIN + f"bundle.write({str(path)!r})"], check=True)
    return path


def value(path: Path, expression: str) -> Any:
    """Of an expression in a process that has started as ours do."""
    start = f"bundle.use({str(path)!r})\nimport json, msgspec, statusline.line, monitor.dispatch\n"
    done = subprocess.run([*BARE, BEGIN + start + f"print(json.dumps({expression}))"], capture_output=True, check=False)
    assert done.stderr == b""
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", sorted(bundle.STAND_INS))
def test_a_process_starts_without_the_module_itself(written: Path, name: str) -> None:
    origin = value(written, f"sys.modules[{name!r}].__file__")

    assert Path(origin).parts[-3:-1] == ("shared", "stand_ins")


@pytest.mark.parametrize("name", sorted(bundle.STAND_INS))
def test_what_the_import_system_asks_does_not_bring_the_module(written: Path, name: str) -> None:
    is_wrapped, origin = value(
        written, f"[hasattr(sys.modules[{name!r}], '__wrapped__'), sys.modules[{name!r}].__file__]"
    )

    assert is_wrapped is False
    assert Path(origin).parts[-3:-1] == ("shared", "stand_ins")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("msgspec.json.schema(int)", {"type": "integer"}),
        ("[msgspec.json.schema_components([int])[1], msgspec.json.schema(str)]", [{}, {"type": "string"}]),
        ("isinstance(msgspec.inspect.type_info(int), msgspec.inspect.IntType)", True),
        ("sys.modules['uuid'].uuid4().version", 4),
        ("sys.modules['decimal'].getcontext().prec", decimal.getcontext().prec),
    ],
)
def test_who_uses_the_module_gets_it(written: Path, expression: str, expected: object) -> None:
    assert value(written, expression) == expected
