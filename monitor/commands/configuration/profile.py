"""The profile: which parts are on where nobody has set them."""

import argparse

from monitor.commands.command import ALL_RIGHT, CommandError
from monitor.commands.terminal import safe
from monitor.warnings import gate
from shared import paths, profile


def show_or_set(options: argparse.Namespace, root: str) -> int:
    """`tidegauge config profile`; settings.json follows with the next run of the installer, its only editor."""
    chosen = options.profile
    if chosen is None:
        print(profile.read(root))
        return ALL_RIGHT
    before = profile.read(root)
    try:
        profile.write(root, chosen)
    except OSError as problem:
        raise CommandError(f"{safe(paths.choices(root))}: cannot be written: {problem.strerror}") from None
    gate.remove_all(root)
    print(f"profile = {chosen}")
    if chosen != before:
        print("Now run: tidegauge repair. It updates the client's settings.json to match.")
    return ALL_RIGHT
