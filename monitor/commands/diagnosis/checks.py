"""Every check, in the order of the chain: from the client's settings to what reaches the agent."""

from collections.abc import Callable, Iterator

from monitor.commands.diagnosis import (
    answers,
    client,
    companion_files,
    copies,
    interpreter,
    registration,
    sessions,
    state,
    telemetry,
)
from monitor.commands.diagnosis.finding import CheckFinding
from monitor.commands.diagnosis.surroundings import Surroundings

Check = Callable[[Surroundings], Iterator[CheckFinding]]

LINKS: tuple[Check, ...] = (
    registration.client_directory,
    registration.readable,
    registration.permission,
    registration.status_line_entry,
    registration.hook_entries,
    registration.launchers,
    interpreter.interpreter,
    sessions.last_hook,
    state.configuration,
    client.trust,
)
"""What stands between a session and its warnings; quick, and without any trace."""

OTHERS: tuple[Check, ...] = (
    interpreter.packages,
    interpreter.startup_bundle,
    companion_files.companion_files,
    sessions.newest_bridge,
    answers.status_line_answers,
    answers.monitor_answers,
    answers.wrapped_answers,
    copies.second_copy,
    copies.other_monitors,
    state.run_directory,
    state.unreadable,
    state.learned_facts,
    telemetry.collector,
    sessions.log,
    client.version,
    client.token_reminder,
    client.running,
)


def find(checks: tuple[Check, ...], place: Surroundings) -> list[CheckFinding]:
    return [finding for check in checks for finding in check(place)]
