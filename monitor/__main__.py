"""`python -I -m monitor`: the `tidegauge` command with arguments, a hook's process without."""

import sys

from shared.paths import installed_root


def main() -> None:
    """Run the hook that stdin names, or the command that the arguments name."""
    if len(sys.argv) > 1 or sys.stdin.isatty():  # a person, not the client
        from monitor.commands import run  # noqa: PLC0415  argparse and rich output are no hook's business

        sys.exit(run(sys.argv[1:], installed_root()))
    from shared.boundary import run as answer  # noqa: PLC0415  see above

    answer("monitor.dispatch", installed_root())


main()
