"""`python -I -m monitor`: a hook's process, for a person who tries it by hand."""

from shared.paths import installed_root
from shared.process.boundary import run

run("monitor.dispatch", installed_root())
