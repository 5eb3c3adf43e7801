"""The nearest peer: GSD's status line and monitor, fetched from npm at a pinned version."""

import json
import os
import shutil
import subprocess
import time
from typing import NamedTuple

PACKAGE, VERSION = "get-shit-done-cc", "1.42.3"


class Peer(NamedTuple):
    """The peer: the path of its hooks, the directory with their files, and their session."""

    hooks: str
    temporary: str
    session: str

    @property
    def status_line(self) -> list[str]:
        return ["node", os.path.join(self.hooks, "gsd-statusline.js")]

    @property
    def monitor(self) -> list[str]:
        return ["node", os.path.join(self.hooks, "gsd-context-monitor.js")]

    def write_bridge(self, remaining: int) -> None:
        """Write the bridge that its status line would have written just now."""
        record = {
            "session_id": self.session,
            "remaining_percentage": remaining,
            "used_pct": 100 - remaining,
            "timestamp": int(time.time()),
        }
        with open(self._file(""), "w", encoding="utf-8") as file:
            json.dump(record, file)

    def forget(self) -> None:
        """Remove its record of past warnings, so that it warns again."""
        if os.path.exists(self._file("-warned")):
            os.unlink(self._file("-warned"))

    def _file(self, kind: str) -> str:
        return os.path.join(self.temporary, f"claude-ctx-{self.session}{kind}.json")


def fetch(directory: str, temporary: str, session: str) -> Peer | str:
    """The peer, installed under `directory` if it isn't there yet; or the reason why it can't be installed."""
    if not shutil.which("node"):
        return "node is not installed"
    package = os.path.join(directory, "node_modules", PACKAGE)
    if _version(package) != VERSION:
        if not shutil.which("npm"):
            return "npm is not installed"
        os.makedirs(directory, exist_ok=True)
        quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        command = ["npm", "install", *quiet, "--prefix", directory, f"{PACKAGE}@{VERSION}"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if _version(package) != VERSION:
            reason = result.stderr.strip()[:200] or "no reason given"
            return f"npm could not install {PACKAGE} {VERSION}: {reason}"
    return Peer(os.path.join(package, "hooks", "dist"), temporary, session)


def _version(package: str) -> str | None:
    try:
        with open(os.path.join(package, "package.json"), encoding="utf-8") as file:
            result: str = json.load(file)["version"]
    except (OSError, KeyError, ValueError):
        return None
    return result
