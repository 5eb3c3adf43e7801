"""The questions that a person at a terminal is asked."""

import argparse
import sys

from installer import arguments
from installer.install_error import InstallError
from installer.installation import Installation
from installer.messages.output import legible, say

_MOST_QUESTIONS = 3
"""Times that a question is asked before an invalid answer ends the installation."""


def ask_for_choices(chosen: argparse.Namespace, run: Installation) -> None:
    """Ask at a terminal for what can't be known, before the summary says what will be done."""
    if not can_ask(chosen):
        return
    if run.asks_for_countdown():
        question = "Should the client tell its models how many tokens are left (totalTokensReminder: countdown)? [y/N] "
        run.choose(run.choices._replace(countdown=_ask(question, "no", "yes") == "yes"))
    monitors = run.other_monitors()
    if monitors and run.choices.other_monitors is None:
        question = (
            f"Also watching the context window: {', '.join(monitors)}. Two monitors give the agent two numbers."
            " Switch the other off until you uninstall? [Y/n] "
        )
        run.choose(run.choices._replace(other_monitors="off" if _ask(question, "yes", "no") == "yes" else "keep"))
    if run.asks_for_wrapping():
        question = "Your own status line stays. Ours below it, above it, or yours alone? [Below/above/alone] "
        run.chosen_wrapping = _ask(question, *arguments.WRAPPINGS)


def confirmed(chosen: argparse.Namespace, changes: str) -> bool:
    """Ask whether to continue, showing the changes on request; without a terminal, continue."""
    answer = "yes"
    while can_ask(chosen):
        answer = _ask("Continue? [Y/n/d, which shows the difference] ", "yes", "no", "difference")
        if answer != "difference":
            break
        say(changes)
    if answer == "no":
        say("Nothing was changed.")
    return answer == "yes"


def can_ask(chosen: argparse.Namespace) -> bool:
    return not chosen.yes and sys.stdin is not None and sys.stdin.isatty()


def _ask(question: str, *answers: str) -> str:
    """Ask for one of `answers` or its beginning; Enter means the first. Raises InstallError after three wrong ones."""
    for _ in range(_MOST_QUESTIONS):
        try:
            typed = input(legible(question)).strip().lower()
        except EOFError:
            return "no" if "no" in answers else answers[0]
        match = next((answer for answer in answers if answer.startswith(typed)), None)
        if match is not None:
            return match
        say(f"Answer with {', '.join(answers[:-1])} or {answers[-1]}; Enter alone means {answers[0]}.")
    raise InstallError(f"no answer was understood, {_MOST_QUESTIONS} times; nothing was changed")
