import json
import marshal
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from monitor.dispatch import HOOKS
from shared.process import bundle

PATHS = [str(Path(__file__).parents[3]), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
BARE = [sys.executable, "-I", "-S"]
BEGIN = f"import sys; sys.path += {PATHS!r}; from shared.process import bundle\n"
LOADERS = """
def loaders(prefix):
    specs = [getattr(module, '__spec__', None) for name, module in sys.modules.items() if name.startswith(prefix)]
    return {spec.name: type(spec.loader).__name__ for spec in specs if spec is not None}
"""
LINE = "import statusline.line; print(json.dumps(loaders('statusline.line')))"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of this tree, as the installer writes it."""
    path = tmp_path_factory.mktemp("bundle") / "startup.bundle"
    program = BEGIN + f"bundle.write({str(path)!r})"
    subprocess.run([*BARE, "-B", "-X", "no_debug_ranges", "-c", program], check=True)
    return path


def answer(path: Path, program: str) -> Any:
    """The JSON output of `program` in a process that imports from the bundle at `path`."""
    begin = BEGIN + f"bundle.use({str(path)!r})\nimport json\n" + LOADERS
    result = subprocess.run([*BARE, "-c", begin + program], capture_output=True, text=True, check=False)
    assert result.stderr == ""
    return json.loads(result.stdout)


def is_used(path: Path) -> bool:
    return bool(answer(path, LINE) == {"statusline.line": "Bundle"})


def bundle_with(written: Path, directory: Path, contents: bytes) -> Path:
    path = directory / written.name
    path.write_bytes(contents)
    return path


@pytest.mark.parametrize("module", [*bundle.PROCESSES, *bundle.OFTEN, *sorted(set(HOOKS.values()))])
def test_the_bundle_holds_everything_a_process_imports(written: Path, module: str) -> None:
    document = answer(written, f"import {module}\nprint(json.dumps(loaders('')))")

    assert document[module] == "Bundle"
    # The test itself imports json, which imports the interpreter's modules that it needs.
    ours = {
        name: kind for name, kind in document.items() if name.partition(".")[0] in {"shared", "statusline", "monitor"}
    }
    assert {name for name, kind in ours.items() if kind != "Bundle"} == {
        "shared",
        "shared.process",
        "shared.process.bundle",
    }
    assert "SourceFileLoader" not in {kind for name, kind in document.items() if name.startswith(("msgspec", "typing"))}


def test_extension_modules_are_loaded_from_their_files(written: Path) -> None:
    program = "import msgspec; print(json.dumps([msgspec.json.decode('[1]'), loaders('msgspec._core')]))"

    assert answer(written, program) == [[1], {"msgspec._core": "ExtensionFileLoader"}]


def test_modules_outside_the_bundle_are_found_beside_those_in_it(written: Path) -> None:
    program = "import monitor.dispatch, commands.command; print(json.dumps(loaders('')))"
    loaders = answer(written, program)

    assert (loaders["monitor.dispatch"], loaders["commands.command"]) == ("Bundle", "SourceFileLoader")


def test_a_traceback_names_the_source(written: Path) -> None:
    program = (
        "from shared.settings import toml_file\n"
        "try: toml_file.parse(b'=')\n"
        "except ValueError as problem: code = problem.__traceback__.tb_next.tb_frame.f_code\n"
        "print(json.dumps([code.co_filename, code.co_firstlineno, toml_file.__file__]))"
    )
    name, line, origin = answer(written, program)

    assert name == origin
    assert Path(name).read_text(encoding="utf-8").splitlines()[line - 1].startswith("def parse(")


def test_unused_data_is_left_out(written: Path) -> None:
    program = "from shared.settings import toml_file; print(json.dumps([toml_file.__doc__, toml_file.parse.__doc__]))"

    assert answer(written, program) == [None, None]


def test_another_interpreters_bundle_is_ignored(written: Path, tmp_path: Path) -> None:
    version = sys.version.encode()
    other = bundle_with(written, tmp_path, written.read_bytes().replace(version, b"2" + version[1:], 1))

    assert is_used(written)
    assert not is_used(other)


def beginning(written: Path) -> int:
    """Bytes before the index: the interpreter's version, a size and a hash."""
    contents = written.read_bytes()
    return contents.index(sys.version.encode()) + len(sys.version.encode()) + 1 + 4 + 8


GARBAGE = [b"", b"\0" * 4096, b"\xff" * 4096, marshal.dumps((sys.version, {}))]


@pytest.mark.parametrize("garbage", GARBAGE)
@pytest.mark.parametrize("length", [0, 12, 8, 1])
def test_garbage_is_ignored(written: Path, tmp_path: Path, garbage: bytes, length: int) -> None:
    """Cut from the beginning, from the size, from the hash, and within the hash."""
    start = beginning(written) - length if length else 0
    path = bundle_with(written, tmp_path, written.read_bytes()[:start] + garbage)

    assert not is_used(path)


def test_a_missing_bundle_is_no_problem(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        assert not is_used(path)


def test_a_damaged_module_is_imported_from_its_file(written: Path, tmp_path: Path) -> None:
    contents = bytearray(written.read_bytes())
    contents[contents.rindex(b"SEGMENTS")] ^= 1
    path = bundle_with(written, tmp_path, bytes(contents))
    document = answer(path, "import statusline.line; print(json.dumps(loaders('statusline')))")

    assert sorted(document.values()).count("SourceFileLoader") == 1
    assert set(document.values()) == {"Bundle", "SourceFileLoader"}


@pytest.mark.parametrize("share", [0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_bundle_costs_only_its_missing_modules(written: Path, tmp_path: Path, share: float) -> None:
    contents = written.read_bytes()
    path = bundle_with(written, tmp_path, contents[: int(len(contents) * share)])
    document = answer(path, "import monitor.dispatch, statusline.line; print(json.dumps(loaders('')))")

    assert {"monitor.dispatch", "statusline.line", "msgspec._core"} <= set(document)
