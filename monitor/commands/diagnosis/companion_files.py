"""Whether `/token-status` and its agent are where the client looks for them."""

import os
from collections.abc import Iterator

from installer import choices, companions
from monitor.commands.diagnosis.finding import REPAIR, CheckFinding, ok, warning
from monitor.commands.diagnosis.surroundings import Surroundings
from shared import files

_SUBJECT = "companions"


def companion_files(place: Surroundings) -> Iterator[CheckFinding]:
    """Those that the installation placed; a file that the person has changed is theirs."""
    if place.own_plugin is not None:
        yield ok(_SUBJECT, f"from the {place.own_plugin.scope}")
        return
    if not choices.load(place.layout).companions:
        yield ok(_SUBJECT, "left out when it was installed (--no-companions)")
        return
    planned = companions.plan(place.layout, wanted=True)
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
        yours = f"; {' and '.join(planned.kept)} changed by you" if planned.kept else ""
        yield ok(_SUBJECT, f"/token-status and its agent{yours}")
