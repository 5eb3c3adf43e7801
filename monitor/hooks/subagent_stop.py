"""The hook that receives a compaction's summary: save it for the SessionStart that follows.

The client writes the summary to the transcript only after that event, but passes it to this one before, as the last
message of a subagent without a type (docs/client.md, "Compaction").
"""

import msgspec

from monitor.checkpoints import words as saved_words
from monitor.checkpoints.folder import folder_of, newest
from monitor.hook import HookEvent, Reply
from monitor.measuring.compaction_owner import is_summary_own
from monitor.session import Session, project_of
from shared import paths
from shared.project_files import ACKNOWLEDGED
from shared.secrets.masking import masked

_THOUGHT, _OPENING, _CLOSING = "</analysis>", "<summary>", "</summary>"
"""The end of the part that the client leaves out of a summary, and the tags around the rest."""


class SubagentStopEvent(HookEvent):
    agent_type: str | None = None
    last_assistant_message: str = ""


def handle(event: SubagentStopEvent, session: Session) -> Reply | None:
    """Return None. The first summary goes to the words of PreCompact's checkpoint; later ones may be subagents'."""
    answer = event.last_assistant_message.rpartition(_THOUGHT)[2]
    summary = answer.partition(_OPENING)[2].partition(_CLOSING)[0].strip()  # empty for other subagents without a type
    project = project_of(session, event.cwd)
    if event.agent_type != "" or not summary or project is None or not paths.is_id(event.session_id):
        return None
    if not is_summary_own(event.session_id, session):
        return None
    unannounced = newest(folder_of(session, project), without=ACKNOWLEDGED)
    stored = (item for item in unannounced if item.checkpoint.session_info.session_id == event.session_id)
    own = next(stored, None)
    words = own.checkpoint.words if own and own.checkpoint.is_before_compaction else None
    if own is not None and words is not None and not words.summary:
        saved = msgspec.structs.replace(words, summary=masked(summary[: saved_words.LONGEST_SUMMARY]))
        saved_words.write(saved_words.path_of(session.root, project.directory, own.name), saved, session.now)
    return None
