"""A home of the client's own: nothing of this machine reaches it but PATH."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

API_KEY = "k-test-0000000000000"  # made up: the scripted model takes any


def prepare(home: Path, project: Path) -> None:
    """Answers the client's first-run questions and has it trust `project`; keeps what it wrote itself."""
    project.mkdir(parents=True, exist_ok=True)
    state = home / ".claude.json"
    known = json.loads(state.read_text()) if state.exists() else {}
    known |= {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "bypassPermissionsModeAccepted": True,
        "customApiKeyResponses": {"approved": [API_KEY[-20:]], "rejected": []},
    }
    trust = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    known["projects"] = known.get("projects", {}) | {str(project): trust}
    state.write_text(json.dumps(known))


def environment(home: Path, url: str, more: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of a client whose model answers at `url`."""
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": API_KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "IS_SANDBOX": "1",  # else the client refuses bypassPermissions to root
        **more,
    }
