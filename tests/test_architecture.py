"""The house keeps its shape: who may import whom, and what a process started at every tool call may load."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

TREE = Path(__file__).parents[1]
PACKAGES = ("shared", "statusline", "monitor", "installer")
MAY_IMPORT = {
    "shared": {"shared"},
    "statusline": {"statusline", "shared"},
    "monitor": {"monitor", "shared"},
    "installer": {"installer"},  # it runs before the environment exists
}
# What the installer may import all the same: these need nothing but the standard library.
WITHOUT_PACKAGES = ("monitor.registrations", "shared.client", "shared.files", "shared.toml_file")
TOO_SLOW = {
    "argparse", "asyncio", "concurrent", "dataclasses", "email", "http", "importlib.metadata", "inspect", "json",
    "logging", "pathlib", "platformdirs", "psutil", "shutil", "socket", "subprocess", "tempfile", "threading",
    "tomlkit", "tomllib", "traceback", "unittest", "urllib", "wcwidth",
}  # fmt: skip
PROCESSES = ["statusline.line", "monitor.dispatch"]


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (TREE / folder).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_only_in_the_agreed_directions(package: str) -> None:
    ours = {
        (path.relative_to(TREE).as_posix(), name.partition(".")[0])
        for path in sources(package)
        for name in imported(path)
        if name.partition(".")[0] in PACKAGES and not (package == "installer" and name.startswith(WITHOUT_PACKAGES))
    }
    # `doctor` compares what the installer wrote with what the installer would write.
    excused = {pair for pair in ours if pair[0].startswith("monitor/commands/") and pair[1] == "installer"}

    assert {pair for pair in ours - excused if pair[1] not in MAY_IMPORT[package]} == set()


@pytest.mark.parametrize("folder", ["statusline/segments", "monitor/hooks"])
def test_siblings_do_not_import_each_other(folder: str) -> None:
    package = folder.replace("/", ".")
    siblings = {
        (path.name, name)
        for path in sources(folder)
        if path.name != "__init__.py"
        for name in imported(path)
        if name.startswith(f"{package}.")
    }

    assert siblings == set()


def is_wide(node: ast.AST) -> bool:
    """Whether an except clause catches everything and keeps it; undoing and raising again is not catching."""
    if not isinstance(node, ast.ExceptHandler) or isinstance(node.body[-1], ast.Raise):
        return False
    return node.type is None or (isinstance(node.type, ast.Name) and node.type.id in {"Exception", "BaseException"})


def test_only_the_boundary_catches_everything() -> None:
    wide = {
        path.relative_to(TREE).as_posix()
        for path in sources(*PACKAGES)
        if any(is_wide(node) for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    }

    assert wide == {"shared/boundary.py"}


def test_only_paths_asks_for_directories() -> None:
    asking = {path.name for path in sources(*PACKAGES) if "platformdirs" in set(imported(path))}

    assert asking == {"paths.py"}


@pytest.mark.parametrize("module", PROCESSES)
def test_hot_processes_load_nothing_slow(module: str, tmp_path: Path) -> None:
    """A list of modules and not a stopwatch: it is as right on a busy machine as on an idle one."""
    payload = next((TREE / "tests" / "payloads" / ("statusline" if "line" in module else "hooks")).glob("*.json"))
    program = (
        "import sys; sys.path[:0] = sys.argv[3:]\n"
        "sys.modules['typing_extensions'] = None\n"  # the tools bring it along, no installation has it
        "import shared.boundary, shared.stdin, importlib\n"
        "importlib.import_module(sys.argv[1]).main(sys.stdin.buffer.read(), sys.argv[2])\n"
        "print(*sys.modules)"
    )
    (tmp_path / "directories.json").write_text('{"config":"/nowhere","log":"/nowhere","history":"/nowhere"}')
    site = os.path.dirname(os.path.dirname(msgspec.__file__ or ""))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, module, str(tmp_path), str(TREE), site],
        input=payload.read_bytes(),
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        capture_output=True,
        check=True,
    )

    loaded = set(done.stdout.decode().split("\n")[-2].split())
    assert module in loaded
    assert loaded & TOO_SLOW == set()
