"""A scratch installation: this tree's processes, started as the client starts the installed ones."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

from installer.program import launchers
from shared.settings.profile import FULL
from tests import forks

REPOSITORY = Path(__file__).parents[1]
_MODULES = {"monitor": "monitor.dispatch", "statusline": "statusline.line"}
_PATHS = [str(REPOSITORY), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
_ENTRY = '''"""Stands for what install.py writes: starts {module} without searching for packages."""
import sys
sys.dont_write_bytecode = True
sys.path += {paths!r}
try:
    from shared.process.boundary import run
except ImportError:
    sys.exit(0)  # a half-replaced environment: silence, never an error in the client
run({module!r}, {root!r})
'''


def install(home: Path, profile: str = FULL) -> Path:
    """Install into `home` and return the root, by default with every part on, and without any run-time state."""
    root = home / ".claude" / "tidegauge"
    (root / "bin").mkdir(parents=True)
    (root.parent / "commands").mkdir(exist_ok=True)
    (root.parent / "commands" / "token-status.md").touch()
    kinds = {"config": "config", "log": "log", "history": "data"}
    (root / "directories.json").write_text(json.dumps({kind: str(home / name) for kind, name in kinds.items()}))
    choose_profile(root, profile)
    (root / "environment").symlink_to(sys.prefix, target_is_directory=True)
    for name, module in _MODULES.items():
        write_entry(root, name, module, _PATHS)
    return root


def choose_profile(root: Path, profile: str) -> None:
    """Record the profile as the installer does."""
    (root / "choices.json").write_text(json.dumps({"profile": profile}))


def install_launchers(root: Path) -> None:
    """Write the scripts that settings.json names, and the files they read, into the root."""
    for name, source in launchers.PACKAGED.items():
        shutil.copy(REPOSITORY / source, root / "bin" / name)


def write_entry(root: Path, name: str, module: str, paths: list[str]) -> None:
    """Have the process `name` run `module`, searched for in `paths` alone."""
    (root / "bin" / f"{name}.py").write_text(_ENTRY.format(module=module, paths=paths, root=str(root)))


def _is_ours(root: Path, name: str) -> bool:
    """Whether the process is as `install` left it."""
    ours = _ENTRY.format(module=_MODULES[name], paths=_PATHS, root=str(root)) if name in _MODULES else None
    return (root / "bin" / f"{name}.py").read_text() == ours


def command(root: Path, name: str = "monitor") -> list[str]:
    return [sys.executable, "-I", "-S", str(root / "bin" / f"{name}.py")]


def environment(root: Path) -> dict[str, str]:
    """The environment of a process of ours, with nothing of the person who runs the tests."""
    environ = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in os.environ}
    return environ | {"HOME": str(root.parents[1])}


def run(
    root: Path, stdin: bytes, environ: Mapping[str, str] | None = None, name: str = "monitor", timeout: float = 30
) -> subprocess.CompletedProcess[bytes]:
    """Run a process on `stdin`, with `environ` added to its environment, and return its answer."""
    words, everything = command(root, name), environment(root) | dict(environ or {})
    if forks.can_run(environ or {}) and _is_ours(root, name):
        return forks.run(words[-1:], stdin, environ=everything, timeout=timeout)
    return subprocess.run(words, input=stdin, capture_output=True, env=everything, timeout=timeout, check=False)


def log(root: Path) -> list[str]:
    """The log's lines about failures."""
    path = root.parents[1] / "log" / "tidegauge.log"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
