"""The goal of a session, read from its transcript. Apart from its record: what reads transcripts is long to load."""

from monitor.activity import reader
from monitor.activity.activity import Activity, Place
from monitor.activity.client_prompts import INTERRUPTION
from monitor.checkpoints.goal import LONGEST, Goal, cut
from shared import files, lines
from shared.plain import plain
from shared.secrets.masking import masked


def goal_of(activity: Activity, transcript: str) -> Goal | None:
    """What the transcript still says at the places that `activity` knows; None without a prompt."""
    texts = (_text_at(transcript, place) for place in activity.prompts)
    prompts = tuple(text for text in texts if text and not text.startswith(INTERRUPTION))
    if not prompts:
        return None
    answer = _text_at(transcript, activity.answer) if activity.answer else ""
    return Goal(prompts, max(0, activity.log.prompts - len(activity.prompts)), answer)


def _text_at(transcript: str, place: Place) -> str:
    """What is said in the line at `place`, safe to be kept; empty when it cannot be read."""
    try:
        with open(files.open_regular(transcript), "rb") as file:
            file.seek(place.offset)
            said = reader.words_in(file.readline(lines.LONGEST))
    except (OSError, ValueError):
        return ""
    said = cut(masked(cut(said, 8 * LONGEST)), LONGEST)  # never cut within a secret and then look for it
    return "\n".join(plain(line.replace("\t", "    "), 2 * LONGEST) for line in said.splitlines()).strip()
