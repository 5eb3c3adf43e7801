"""How far the limit is if it comes before the window's end, and how certain that is; the compactions so far."""

from shared.config import Config
from shared.quantities import counted, tokens_text
from statusline.segment import Part, Segment, segment
from statusline.status import Status


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    ahead, so_far = _ahead(status), _so_far(status)
    if not ahead:
        return segment((52, (Part(counted(so_far, "compaction"), "dim"),))) if so_far else None
    limit = status.verdict.limit if status.verdict else None
    forms = [ahead, f"{ahead} ({limit.certainty})" if limit else ahead]
    forms += [f"{forms[-1]}, {so_far} so far"] if so_far else []
    return segment(*((56 - 2 * number, (Part(form, "dim"),)) for number, form in enumerate(forms)))


def _ahead(status: Status) -> str:
    """How far the limit is; nothing where it is the window's end, or isn't known."""
    verdict = status.verdict
    if verdict is None or verdict.limit is None or verdict.tokens_left is None:
        return ""
    if verdict.limit.tokens == verdict.reading.window:
        return ""
    left = tokens_text(verdict.tokens_left)
    return f"~{left} to compaction" if verdict.goes_on else f"~{left} to the end"


def _so_far(status: Status) -> int:
    """Compactions of the session; 0 while they are still being counted."""
    count = status.seen.compactions
    return count.number if count.is_whole else 0
