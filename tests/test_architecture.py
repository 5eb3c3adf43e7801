"""The architecture's rules: who may import whom, and what a process started at every tool call may load."""

import ast
import graphlib
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

pytestmark = pytest.mark.any_python

TREE = Path(__file__).parents[1]
PACKAGES = ("shared", "statusline", "monitor", "history", "installer", "commands")
MAY_IMPORT = {
    "shared": {"shared"},
    "statusline": {"statusline", "shared"},
    "monitor": {"monitor", "shared"},
    "history": {"history", "shared"},
    "installer": {"installer"},  # it runs before the environment exists
    "commands": {"commands", "monitor", "statusline", "history", "installer", "shared"},
}
"""The house from its cellar up: nobody imports from above, and the two processes of the client never each other."""
WITHOUT_PACKAGES = (
    "shared.registrations",
    "shared.client",
    "shared.files",
    "shared.project_files",
    "shared.settings.profile",
    "shared.settings.toml_file",
    "shared.text",
)
"""What the installer may import all the same: these need nothing but the standard library."""
INTO_HISTORY = {("monitor/hooks/session_end.py", "history"), ("monitor/pivot/cost.py", "history")}
"""Who in the monitor reaches into the history: a session that ends, and what a new one would begin with."""
TOO_SLOW = {
    "argparse", "asyncio", "concurrent", "dataclasses", "email", "http", "importlib.metadata", "inspect", "json",
    "logging", "pathlib", "platformdirs", "psutil", "shutil", "socket", "subprocess", "tempfile", "threading",
    "tomlkit", "tomllib", "traceback", "unittest", "urllib", "wcwidth",
}  # fmt: skip
PROCESSES = ["statusline.line", "monitor.dispatch"]
MOST_LOOSE = 10
"""Modules that may lie loose in one folder; more of them want rooms."""
STOREYS = (
    ("dispatch",),
    ("hooks",),
    ("prompts", "pivot"),
    ("checkpoints", "exporting", "guards", "speakers"),
    ("activity", "measuring", "memory"),
    ("hook", "session", "numbered_folder", "command_line"),
)
"""The monitor from the top down: rooms, and the modules that lie loose next to them.

The process starts hooks; these say what prompts and the pivot have worked out; those use checkpoints, exports, guards
and speakers, which rest on what was measured, what is remembered and what the agent has done. A room may import from
its own storey and from any below, never from one above.
"""


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (TREE / folder).rglob("*.py"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_bytes())))


def imported(path: Path) -> Iterator[str]:
    for node in nodes_of(path):
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

    assert {pair for pair in ours - INTO_HISTORY if pair[1] not in MAY_IMPORT[package]} == set()


def module_of(path: Path) -> str:
    parts = path.relative_to(TREE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sources(*PACKAGES)}


@cache
def imports_of(module: str) -> set[str]:
    """Our modules that `module` imports, at its top or in a function, by a statement or from a table."""
    path = MODULES[module]
    texts = {node.value for node in nodes_of(path) if isinstance(node, ast.Constant)}
    names = {name for name in texts if isinstance(name, str) and "." in name}
    return ({*imported(path), *names} & MODULES.keys()) - {module}


def place_in_monitor(module: str) -> str:
    """The room of a monitor module, or the module's own name where it lies loose."""
    return module.split(".")[1] if module.count(".") else ""


def circle_in(graph: dict[str, set[str]]) -> list[str]:
    """One import cycle, from a member back to itself; empty if there is none."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as problem:
        return list(problem.args[1])
    return []


def test_modules_form_no_import_cycle() -> None:
    assert circle_in({module: imports_of(module) for module in MODULES}) == []


def test_no_room_of_the_monitor_imports_from_one_above_it() -> None:
    height = {place: storey for storey, places in enumerate(reversed(STOREYS)) for place in places}
    upwards = {
        (module, name)
        for module, name in imports_within_monitor()
        if height[place_in_monitor(name)] > height[place_in_monitor(module)]
    }

    assert upwards == set()


def room_of(module: str, folder: str) -> str:
    """The dotted part of `folder` that holds a module: a room, or the module itself where it lies loose."""
    return module.removeprefix(f"{folder}.").partition(".")[0]


@pytest.mark.parametrize("folder", sorted({".".join(path.parent.relative_to(TREE).parts) for path in MODULES.values()}))
def test_rooms_form_no_import_cycle_at_any_depth(folder: str) -> None:
    graph: dict[str, set[str]] = {}
    for module in MODULES:
        names = imports_of(module) if module.startswith(f"{folder}.") else set()
        inside = {room_of(name, folder) for name in names if name.startswith(f"{folder}.")}
        graph.setdefault(room_of(module, folder), set()).update(inside - {room_of(module, folder)})

    assert circle_in(graph) == []


def imports_within_monitor() -> set[tuple[str, str]]:
    """Pairs of a module and a module that it imports from another room."""
    return {
        (module, name)
        for module in MODULES
        if module.startswith("monitor.")
        for name in imports_of(module)
        if name.startswith("monitor.") and place_in_monitor(name) != place_in_monitor(module)
    }


def test_every_room_of_the_monitor_has_its_storey() -> None:
    loose = {path.stem for path in (TREE / "monitor").glob("*.py")} - {"__init__"}
    rooms = {path.parent.name for path in (TREE / "monitor").glob("*/__init__.py")}

    assert (loose | rooms) - {place for storey in STOREYS for place in storey} == set()


def test_no_folder_holds_more_than_ten_modules() -> None:
    loose: dict[str, int] = {}
    for path in MODULES.values():
        folder = path.parent.relative_to(TREE).as_posix()
        loose[folder] = loose.get(folder, 0) + (path.name not in {"__init__.py", "__main__.py"})

    assert {folder: count for folder, count in loose.items() if count > MOST_LOOSE} == {}


def test_tests_mirror_the_tree() -> None:
    rooms = {path.parent.relative_to(TREE).as_posix() for path in sources(*PACKAGES) if path.name != "__init__.py"}
    tests = sources(*(f"tests/{package}" for package in PACKAGES))
    tested = {path.parent.relative_to(TREE / "tests").as_posix() for path in tests if path.name.startswith("test_")}

    assert rooms - tested == set(), "rooms without tests"
    assert tested - rooms == set(), "tests of rooms that are not there"


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


def test_class_names_are_unique() -> None:
    where: dict[str, list[str]] = {}
    for path in sources(*PACKAGES, "benchmarks", "docs"):
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where.setdefault(node.name, []).append(str(path.relative_to(TREE)))

    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}


def is_wide(node: ast.AST) -> bool:
    """Whether an except clause swallows everything; undoing something and re-raising is not catching."""
    if not isinstance(node, ast.ExceptHandler) or isinstance(node.body[-1], ast.Raise):
        return False
    return node.type is None or (isinstance(node.type, ast.Name) and node.type.id in {"Exception", "BaseException"})


def test_only_the_boundary_catches_everything() -> None:
    wide = {
        path.relative_to(TREE).as_posix()
        for path in sources(*PACKAGES)
        if any(is_wide(node) for node in nodes_of(path))
    }

    assert wide == {"shared/process/boundary.py"}


def test_only_paths_asks_for_directories() -> None:
    asking = {path.name for path in sources(*PACKAGES) if "platformdirs" in set(imported(path))}

    assert asking == {"paths.py"}


def test_one_file_reaches_the_network_and_one_function_loads_it() -> None:
    """The installer's package managers are processes of their own."""
    network = {"requests", "urllib3", "opentelemetry", "google", "http", "socket", "urllib.request", "ssl", "asyncio"}
    reaching = {
        path.relative_to(TREE).as_posix()
        for path in sources(*PACKAGES)
        if any(name in network or name.partition(".")[0] in network for name in imported(path))
    }

    assert reaching == {"history/telemetry/collector.py"}
    loading = {module for module in MODULES if "history.telemetry.collector" in imports_of(module)}
    assert loading == {"history.telemetry.sending"}
    starting = {module for module in MODULES if "history.telemetry.sending" in imports_of(module)}
    assert starting == {"commands.history.command"}


@pytest.mark.parametrize("module", PROCESSES)
def test_hot_processes_load_nothing_slow(module: str, tmp_path: Path) -> None:
    """A list of modules, not a stopwatch: it is as right on a busy machine as on an idle one."""
    payload = next((TREE / "tests" / "payloads" / ("statusline" if "line" in module else "hooks")).glob("*.json"))
    program = (
        "import sys; sys.path[:0] = sys.argv[3:]\n"
        "sys.modules['typing_extensions'] = None\n"  # the tools bring it along, no installation has it
        "import shared.process.boundary, shared.process.stdin, importlib\n"
        "importlib.import_module(sys.argv[1]).main(sys.stdin.buffer.read(), sys.argv[2])\n"
        "print(*sys.modules)"
    )
    (tmp_path / "directories.json").write_text('{"config":"/nowhere","log":"/nowhere","history":"/nowhere"}')
    site = os.path.dirname(os.path.dirname(msgspec.__file__ or ""))
    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, module, str(tmp_path), str(TREE), site],
        input=payload.read_bytes(),
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        capture_output=True,
        check=True,
    )

    loaded = set(result.stdout.decode().split("\n")[-2].split())
    assert module in loaded
    assert loaded & TOO_SLOW == set()
