"""Every decoder of outside input, by name: fuzzed by test_decoders.py, and with coverage by fuzzer.py."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.torture.decoders import client, ours, person, repository
from tests.torture.decoders.decoder import Decoder

DECODERS: dict[str, Callable[[Path], Decoder]] = {
    "status line payload": client.status_line_payload,
    "hook event": client.hook_event,
    "line of a transcript": client.transcript_line,
    "line for the history": client.line_for_the_history,
    "transcript to export": client.transcript_copy,
    "checkpoint": repository.checkpoint,
    "ORCHESTRATION.yaml": repository.orchestration_yaml,
    "ignore file": repository.ignore_file,
    "shell command": repository.shell_command,
    "git's files": repository.git_file,
    "instruction file": repository.instruction_file,
    "config.toml": person.configuration_file,
    "variables": person.variables,
    "settings.json": person.settings_file,
    "installed.json": person.installers_record,
    "goal": ours.goal_file,
    "start-up bundle": ours.start_up_bundle,
    "history.sqlite": ours.history_store,
    **{name: partial(ours.state_file, name) for name in ours.STATE_FILES},
}
"""Each is prepared in a home of its own, by a function that another process can be given."""
