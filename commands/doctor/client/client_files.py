"""Whether `/token-status` and its agent are where the client looks for them."""

import os
from collections.abc import Iterator

from commands.doctor.finding import REPAIR, CheckFinding, ok, warning
from commands.environment.environment import Environment
from installer import choices
from installer.program import client_files
from installer.settings import record
from shared.files import files

_SUBJECT = "companions"


def companion_files(environment: Environment) -> Iterator[CheckFinding]:
    """The client files that the installation placed; one that the person has changed is theirs."""
    if environment.own_plugin is not None:
        yield ok(_SUBJECT, f"from the {environment.own_plugin.scope}")
        return
    if not choices.load(environment.layout).companions:
        yield ok(_SUBJECT, "left out when it was installed (--no-companions)")
        return
    if record.projects(environment.layout):
        yield ok(_SUBJECT, "not placed by an installation for a project alone")
        return
    planned = client_files.plan(environment.layout, wanted=True)
    if planned.problem:
        yield warning(_SUBJECT, f"no /token-status: {planned.problem}")
        return
    missing = [path for path, _ in planned.written if not os.path.exists(path)]
    outdated = [path for path, new in planned.written if path not in missing and files.read_or_none(path) != new]
    if missing:
        yield warning(_SUBJECT, f"there is no {' and no '.join(missing)}", REPAIR)
    elif outdated:
        yield warning(_SUBJECT, f"{outdated[0]} is of another version than this program", REPAIR)
    else:
        yours = f"; {' and '.join(planned.personal)} changed by you" if planned.personal else ""
        yield ok(_SUBJECT, f"/token-status and its agent{yours}")
