"""The client's plugin: what of it the code knows better than any writer, above all the hooks.

A plugin has one table of hooks for everybody: that of the core profile. Whoever wants more parts has the installer
register the hooks, and then those of the plugin are silent (plugin/hooks/run).
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from installer import companions, source
from monitor.registrations import Registration, wanted
from shared.config import Hooks

REPOSITORY = Path(__file__).parent.parent
PLUGIN = REPOSITORY / "plugin"
NAME, OWNER = "tidegauge", {"name": "The Tidegauge authors"}
_SUMMARY = "Shows how full Claude Code's context window is, and tells the agent in time."
_MARK = "Made by python -m docs.generate from monitor/companions."
_ROOT = "${CLAUDE_PLUGIN_ROOT}"


def files() -> dict[Path, str]:
    """The contents of each file that is made."""
    version = source.version(str(REPOSITORY)).split()[0]
    manifest = {"name": NAME, "version": version, "description": _SUMMARY, "author": OWNER, "license": "MIT"}
    listing = {"name": NAME, "source": "./plugin", "description": _SUMMARY}
    marketplace = {"name": NAME, "description": _SUMMARY, "owner": OWNER, "plugins": [listing]}
    made = {
        REPOSITORY / ".claude-plugin" / "marketplace.json": _json(marketplace),
        PLUGIN / ".claude-plugin" / "plugin.json": _json(manifest),
        PLUGIN / "hooks" / "hooks.json": _json({"description": _SUMMARY, "hooks": hooks()}),
    }
    return made | {PLUGIN / name: _companion(name) for name in companions.NAMES}


def hooks() -> dict[str, list[dict[str, Any]]]:
    """Each event's groups, from the installer's own table."""
    found: dict[str, list[dict[str, Any]]] = {}
    for entry in wanted(msgspec.structs.asdict(Hooks())):
        handler = {"type": "command", "command": _command(entry), "timeout": entry.timeout}
        found.setdefault(entry.event, []).append({"matcher": entry.matcher, "hooks": [handler]})
    return found


def _command(entry: Registration) -> str:
    launcher = f"{entry.launcher or 'monitor-event'} {'' if entry.launcher else entry.argument}".rstrip()
    return f'sh "{_ROOT}/hooks/run" {launcher}'


def _companion(name: str) -> str:
    template = (REPOSITORY / "monitor" / "companions" / Path(name).name).read_text(encoding="utf-8")
    return template.replace("@MARK@", _MARK).replace("@COMMAND@", f'"{_ROOT}/bin/tidegauge"')


def _json(document: Any) -> str:
    return json.dumps(document, indent=2) + "\n"


def main() -> None:
    """Bring every file up to date; names those that have changed."""
    for path, contents in files().items():
        if not path.exists() or path.read_text(encoding="utf-8") != contents:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(contents, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(REPOSITORY)}\n")
