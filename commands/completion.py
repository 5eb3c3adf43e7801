"""`tidegauge completion`: a script that lets a shell complete our command lines."""

import argparse
import re

from commands.command import ALL_RIGHT

SUMMARY = "print a script that completes these commands in bash, zsh or fish"
EXAMPLES = (
    ('eval "$(tidegauge completion bash)"', "in ~/.bashrc"),
    ("tidegauge completion zsh > _tidegauge", "in a directory of your fpath"),
    ("tidegauge completion fish > FILE", "~/.config/fish/completions/tidegauge.fish"),
)
FAILURE = "the script can't be made"
_HEAD = re.compile(r"\A(#compdef .*\n\s*)?(?:# .*\n)+")
"""shtab's own instructions, which differ from ours."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish")


def run(options: argparse.Namespace, root: str) -> int:  # noqa: ARG001  every command's arguments
    import shtab  # noqa: PLC0415  it makes a static script, so that no completion ever starts Python

    script = shtab.complete(options.parser([]), options.shell)
    print(_HEAD.sub(r"\1# Printed by tidegauge completion, whose --help says where it goes.\n", script, count=1))
    return ALL_RIGHT
