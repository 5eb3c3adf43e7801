"""All our directories and file names, and the check of the ids that become part of them.

`root` is Tidegauge's directory inside the client's configuration directory: program, launchers and
run-time state. The person's files (configuration, log, history) are where platformdirs says, resolved
once by the installer: asking platformdirs costs 10 ms.
"""

import os
import sys
from collections.abc import Callable
from functools import cache

import msgspec

from shared import project_files
from shared.client import client
from shared.files import files

_ID_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_RUN = "run"


class Directories(msgspec.Struct, frozen=True):
    """The person's directories, as absolute paths."""

    config: str
    log: str
    history: str


def is_id(text: str) -> bool:
    """Whether a session's or agent's id may become a file name: `[A-Za-z0-9_-]{1,128}`."""
    return 0 < len(text) <= 128 and _ID_CHARACTERS.issuperset(text)


def client_directory() -> str:
    return os.environ.get(client.CONFIG_DIRECTORY_VARIABLE) or os.path.join(os.path.expanduser("~"), client.DIRECTORY)


def installed_root() -> str:
    """Our root, for a process that was not started by the installer's entry scripts."""
    above = os.path.dirname(sys.prefix)
    return above if os.path.exists(_directories_file(above)) else os.path.join(client_directory(), "tidegauge")


@cache
def directories(root: str) -> Directories:
    """The person's directories, as the installer resolved them or as platformdirs does now; cached per process."""
    return files.load(_directories_file(root), Directories, None) or resolve_directories()


def resolve_directories() -> Directories:
    import platformdirs  # noqa: PLC0415  10 ms that only the installer pays

    return Directories(
        config=platformdirs.user_config_dir("tidegauge", appauthor=False),
        log=platformdirs.user_log_dir("tidegauge", appauthor=False),
        history=platformdirs.user_data_dir("tidegauge", appauthor=False),
    )


def _personal_file(directory: str, name: str) -> Callable[[str], str]:
    """Return a function from the root to the path of `name` in one of the person's `directories`."""
    return lambda root: os.path.join(getattr(directories(root), directory), name)


config_file = _personal_file("config", "config.toml")
log_file = _personal_file("log", "tidegauge.log")
checkpoint_key = _personal_file("history", project_files.KEY_NAME)
"""The key that proves which checkpoints are ours (shared.project_files); outside every project."""
words_directory = _personal_file("history", "goals")
"""The texts that checkpoints refer to: prompts, and the agent's last answer. The directory keeps its old name."""
history_store = _personal_file("history", "history.sqlite")
"""The numbers stored across sessions (history.store.store)."""
report = _personal_file("history", "report.html")
"""The page that `tidegauge report` writes by default."""


def project_file(directory: str) -> str:
    return os.path.join(directory, client.DIRECTORY, "tidegauge.toml")


def run_directory(root: str) -> str:
    """The directory of the run-time state; pruned (shared.files.pruning)."""
    return os.path.join(root, _RUN)


def bridge(root: str, session_id: str, elsewhere: str | None = None) -> str:
    """The path of a session's bridge; `elsewhere` is the configured directory."""
    directory = os.path.expanduser(elsewhere) if elsewhere else run_directory(root)
    return os.path.join(directory, f"claude-ctx-{session_id}.json")


def _run_file(form: str) -> Callable[[str, str], str]:
    """Return a function from the root and a session's, conversation's or process's id to a path, named by `form`."""
    return lambda root, name: os.path.join(root, _RUN, form % name)


session_samples = _run_file("samples-%s.json")
"""What the status line stores about a session between redraws."""
window_note = _run_file("window-%s.json")
session_run = _run_file("session-%s.json")
gate = _run_file("gate-%s")
gate_notes = _run_file("uses-%s")
"""The launcher's note of each tool use since the gate was written."""
subagents_mark = _run_file("subagents-%s")
"""Set once a session has started a subagent: from then on the launcher must tell their events apart."""
memory = _run_file("memory-%s.json")
activity = _run_file("activity-%s.json")
failure_mark = _run_file("failed-%s")


def _root_file(name: str) -> Callable[[str], str]:
    return lambda root: os.path.join(root, name)


_directories_file = _root_file("directories.json")
learned = _root_file("learned.json")
choices = _root_file("choices.json")
"""What the person chose when installing."""
settings_lock = _root_file(os.path.join(_RUN, "settings.lock"))
"""Held by a command while it changes one of our settings files."""
wrapped = _root_file("wrapped.json")
"""The person's previous status line, verbatim; exists only while it is wrapped."""


def subagent_transcript(transcript: str, session_id: str, agent_id: str) -> str:
    """Where the client writes a subagent's own transcript (docs/client.md, "Subagents")."""
    folder = os.path.join(os.path.dirname(transcript), session_id, client.SUBAGENTS)
    path = os.path.join(folder, f"agent-{agent_id}.jsonl")
    return path if os.path.exists(path) else _workflow_transcript(folder, os.path.basename(path)) or path


def _workflow_transcript(folder: str, name: str) -> str | None:
    """The transcript called `name` in a workflow's folder."""
    workflows = os.path.join(folder, client.WORKFLOWS)
    try:
        candidates = (os.path.join(workflows, workflow, name) for workflow in os.listdir(workflows))
    except OSError:  # the session has none
        return None
    return next(filter(os.path.exists, candidates), None)
