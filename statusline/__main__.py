"""`python -I -m statusline`: the status line, for a person who tries it by hand."""

from shared import paths
from shared.process import boundary


def main() -> None:
    boundary.run("statusline.line", paths.installed_root())


if __name__ == "__main__":
    main()
