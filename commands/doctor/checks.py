"""Every check, in the order of the chain: from the client's settings to what reaches the agent."""

from collections.abc import Callable, Iterator

from commands.doctor import client
from commands.doctor.finding import CheckFinding
from commands.doctor.installation import answers, copies, interpreter, registration, state
from commands.environment.environment import Environment

DoctorCheck = Callable[[Environment], Iterator[CheckFinding]]

LINKS: tuple[DoctorCheck, ...] = (
    registration.client_directory,
    registration.readable,
    registration.permission,
    registration.status_line_entry,
    registration.hook_entries,
    registration.launchers,
    interpreter.interpreter,
    state.last_hook,
    state.configuration,
    client.trust,
)
"""Checks of what can keep warnings from a session; they are quick, and leave no trace."""

OTHERS: tuple[DoctorCheck, ...] = (
    interpreter.packages,
    client.companion_files,
    answers.status_line_answers,
    answers.monitor_answers,
    answers.wrapped_answers,
    copies.second_copy,
    copies.other_monitors,
    state.run_directory,
    state.unreadable,
    state.history,
    state.collector,
    client.version,
    client.token_reminder,
)


def find(checks: tuple[DoctorCheck, ...], environment: Environment) -> list[CheckFinding]:
    return [finding for check in checks for finding in check(environment)]
