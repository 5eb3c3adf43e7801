"""The client's plugin: the parts that the code knows better than any writer, above all the hooks.

A plugin has one table of hooks for everybody: that of the core profile. For more parts, let the installer register
the hooks; then those of the plugin are silent (plugin/hooks/run).
"""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from installer.program import client_files, source
from shared.registrations import Registration, enabled
from shared.settings.config import Hooks

REPOSITORY = Path(__file__).parent.parent
PLUGIN = REPOSITORY / "plugin"
NAME, OWNER = "tidegauge", {"name": "The Tidegauge authors"}
_SUMMARY = "Shows how full Claude Code's context window is, and tells the agent in time."
_MARK = "Made by python -m docs.generate from installer/client_files."
_ROOT = "${CLAUDE_PLUGIN_ROOT}"
_ADDRESS = re.compile(r"^( +/plugin marketplace add ).+$", re.MULTILINE)


def repository() -> str:
    """The address of the public repository, "" without one."""
    return str(tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["tool"]["tidegauge"]["repository"])


def files() -> dict[Path, str]:
    """The contents of each generated file."""
    version, address = source.version(str(REPOSITORY)).split()[0], repository()
    manifest = {"name": NAME, "version": version, "description": _SUMMARY, "author": OWNER, "license": "MIT"}
    manifest |= {"homepage": address, "repository": address} if address else {}
    listing = {"name": NAME, "source": "./plugin", "description": _SUMMARY}
    marketplace = {"name": NAME, "description": _SUMMARY, "owner": OWNER, "plugins": [listing]}
    readme = (PLUGIN / "README.md").read_text(encoding="utf-8")
    contents = {
        REPOSITORY / ".claude-plugin" / "marketplace.json": _json(marketplace),
        PLUGIN / ".claude-plugin" / "plugin.json": _json(manifest),
        PLUGIN / "hooks" / "hooks.json": _json({"description": _SUMMARY, "hooks": hooks()}),
        PLUGIN / "README.md": _ADDRESS.sub(lambda line: f"{line[1]}{address or 'PATH-OF-YOUR-CLONE'}", readme),
    }
    return contents | {PLUGIN / name: _client_file(name) for name in client_files.NAMES}


def hooks() -> dict[str, list[dict[str, Any]]]:
    """Each event's groups, from the installer's own table."""
    result: dict[str, list[dict[str, Any]]] = {}
    for entry in enabled(msgspec.structs.asdict(Hooks())):
        handler = {"type": "command", "command": _command(entry), "timeout": entry.timeout}
        result.setdefault(entry.event, []).append({"matcher": entry.matcher, "hooks": [handler]})
    return result


def _command(entry: Registration) -> str:
    launcher = f"{entry.launcher or 'monitor-event'} {'' if entry.launcher else entry.argument}".rstrip()
    return f'sh "{_ROOT}/hooks/run" {launcher}'


def _client_file(name: str) -> str:
    template = (REPOSITORY / "installer" / "client_files" / Path(name).name).read_text(encoding="utf-8")
    return template.replace("@MARK@", _MARK).replace("@COMMAND@", f'"{_ROOT}/bin/tidegauge"')


def _json(document: Any) -> str:
    return json.dumps(document, indent=2) + "\n"
