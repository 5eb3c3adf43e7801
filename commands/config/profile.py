"""The profile: which parts are on where nobody has set them."""

import argparse

from commands.command import ALL_RIGHT, CommandError
from commands.terminal import safe
from shared import gate, paths
from shared.settings import settings


def show_or_set(options: argparse.Namespace, root: str) -> int:
    """`tidegauge config profile`; settings.json follows with the next run of the installer, its only editor."""
    before, chosen = settings.read_profile(root), options.profile
    if chosen is None:
        print(before)
        return ALL_RIGHT
    try:
        settings.write_profile(root, chosen)
    except OSError as problem:
        raise CommandError(f"{safe(paths.choices(root))}: cannot be written: {problem.strerror}") from None
    gate.remove_all(root)
    print(f"profile = {chosen}")
    if chosen != before:
        print("Now run: tidegauge repair. It updates the client's settings.json to match.")
    return ALL_RIGHT
