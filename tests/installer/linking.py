"""install.py with a linked program: copying, compiling and bundling it takes seconds.

It is the installer of that program too, so a repair is as quick. For tests of what the installer writes and
says; tests of the installed program run install.py itself (`copying`).
Its commands are tried only where INSTALLER_TRIES is set (`trying`).
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve()
REPOSITORY = HERE.parents[2]


def link(directory: str, target: str) -> None:
    """Do what `source.copy` does, with links: nothing writes into them, and removing them removes nothing else."""
    from installer.program import source  # noqa: PLC0415  importable only once the repository is on the path

    Path(target, "requirements").mkdir(parents=True)
    for name in (*source.PACKAGES, "pyproject.toml", "CHANGELOG.md", "LICENSE"):
        Path(target, name).symlink_to(os.path.realpath(os.path.join(directory, name)))
    Path(target, "install.py").symlink_to(HERE)
    for name in ("program", "watch", "otlp"):
        page = f"requirements/{name}.txt"
        Path(target, page).symlink_to(os.path.realpath(os.path.join(directory, page)))
    Path(target, source.COMMIT).write_text(f"{source.commit(directory)}\n")


def main() -> int:
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(REPOSITORY))
    from installer import command, removal  # noqa: PLC0415  see above
    from installer.checking import check  # noqa: PLC0415  see above
    from installer.layout import Layout  # noqa: PLC0415  see above
    from installer.program import program, source  # noqa: PLC0415  see above

    def answers(wanted: check.Commands, layout: Layout) -> check.Answers:
        return check.Answers(wanted.status_line and "a line", wanted.hook and "a warning", (1, 1))

    if "INSTALLER_TRIES" not in os.environ:
        check.run = answers
    removal._SETTLING = 0  # noqa: SLF001  no session is running
    source.copy = link
    program._COMPILE = ""  # noqa: SLF001  what is linked is compiled already
    program._write_bundle = lambda layout, packages: None  # noqa: ARG005, SLF001  speed alone, and never of links
    directory = os.path.dirname(os.path.abspath(__file__))
    return command.main(sys.argv[1:], directory if directory != str(HERE.parent) else str(REPOSITORY))


if __name__ == "__main__":
    sys.exit(main())
