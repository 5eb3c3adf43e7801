"""`python -I -m statusline`: the status line, for a person who tries it by hand."""

from shared.paths import installed_root
from shared.process.boundary import run

run("statusline.line", installed_root())
