"""`tidegauge completion`: a script with which a shell completes our command lines."""

import argparse

from monitor.commands.command import ALL_RIGHT
from monitor.commands.configuration import words

SUMMARY = "print a script that completes these commands in bash, zsh or fish"

_EPILOG = (
    'In bash: eval "$(tidegauge completion bash)" in ~/.bashrc. In zsh: tidegauge completion zsh > _tidegauge, '
    "in a directory of your fpath. In fish: tidegauge completion fish > ~/.config/fish/completions/tidegauge.fish."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument("shell", metavar="SHELL", choices=tuple(words.PREAMBLES), help="bash, zsh or fish")


def run(options: argparse.Namespace, root: str) -> int:  # noqa: ARG001  every command's arguments
    import shtab  # noqa: PLC0415  it makes a static script, so that no completion ever starts Python

    preamble = words.PREAMBLES[options.shell]()
    print(shtab.complete(options.parser([]), options.shell, preamble=preamble))
    return ALL_RIGHT
