"""A home for the client alone: only PATH reaches it from this machine."""

import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path

API_KEY = "k-test-0000000000000"  # made up: the scripted model accepts any

FOREIGN_LINE = "HARBOUR"
FOREIGN_STDIN = "foreign-stdin.json"


def prepare(home: Path, trusted: Path) -> None:
    """Answer the client's first-run questions, and have it trust every project below `trusted`.

    Only for a home that no client has run in: clients write this file from memory, over whatever is new in it.
    """
    state = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "bypassPermissionsModeAccepted": True,
        "fullscreenUpsellSeenCount": 3,  # else 2.1.330 asks after some sessions whether to try another renderer
        "customApiKeyResponses": {"approved": [API_KEY[-20:]], "rejected": []},
        "projects": {str(trusted): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
    }
    (home / ".claude.json").write_text(json.dumps(state))


def add_status_line(home: Path) -> None:
    """Give the person their own status line, which shows a word and the width; a file keeps its whole stdin."""
    script = home / "status-line.sh"
    keep_stdin = f'cat >"$HOME/stdin.$$" && mv "$HOME/stdin.$$" "$HOME/{FOREIGN_STDIN}"'
    script.write_text(f'#!/bin/sh\n{keep_stdin}\necho "{FOREIGN_LINE} $COLUMNS"\n')
    script.chmod(0o755)
    settings = {"statusLine": {"type": "command", "command": shlex.quote(str(script)), "padding": 0}}
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text(json.dumps(settings))


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
        "BUN_JSC_useDFGJIT": "0",  # the engine's second compiler takes a fifth of so short a run, and speeds up none
        **more,
    }
