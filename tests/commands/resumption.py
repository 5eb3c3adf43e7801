"""The person's call of `tidegauge resume`, with a client on their PATH."""

import os
import subprocess

from tests.commands.person import Person

CLIENT = """#!/bin/sh
pwd
printf '%s:%s' "$#" "$1"
"""
WISH = "Add a voucher field. Don't touch the payment provider."


def resume(person: Person, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return person.tidegauge("resume", *arguments, environ=environ)


def client_on_path(person: Person, script: str = CLIENT) -> str:
    program = person.home / "programs" / "claude"
    program.parent.mkdir()
    program.write_text(script)
    program.chmod(0o755)
    return f"{program.parent}{os.pathsep}{os.environ['PATH']}"
