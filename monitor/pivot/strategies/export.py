"""Export: save the whole session, to read it or to continue from it."""

import errno
import os

from monitor.checkpoints.save import save
from monitor.exporting import folder
from monitor.exporting.copy import copy, start
from monitor.numbered_folder import OutsideProjectError
from monitor.pivot.strategies.strategy import Context, File, Outcome
from shared.files import files
from shared.process.boundary import attempt
from shared.project_files import ARCHIVE, READABLE

_LARGEST_UNASKED = 1 << 30
"""Bytes of a transcript, which no session reaches: unrequested copies would take many minutes."""


def carry_out(context: Context) -> Outcome:
    """Write both copies and a checkpoint. Unless somebody waits for the copies, they may be unfinished on return:
    masking a megabyte takes a third of a second or more.
    """
    session, project, transcript = context.session, context.project, context.conversation.transcript
    if (size := files.size(transcript)) < 0:
        raise FileNotFoundError(f"the transcript cannot be read: {transcript}")
    if size > _LARGEST_UNASKED and not context.is_asked:
        raise OSError(errno.EFBIG, "too large for an export that nobody asked for", transcript)
    with folder.new_export(session.root, project, session.config.pivot.export_directory, "export") as directory:
        if context.is_asked:
            head, foot = "Session exported:", f"The copies hold {copy(transcript, directory)}"
            written = [
                File(os.path.join(directory.path, ARCHIVE), "the transcript, compressed"),
                File(os.path.join(directory.path, READABLE), "the session as Markdown"),
            ]
        else:
            start(session.root, transcript, directory)
            head = "The session is being exported; its two copies end in .partial until they are whole."
            foot = "Secrets that look like keys are masked in them."
            written = [File(directory.path, "the two copies, when they are whole")]
    if checkpoint := attempt("export", session.root, _checkpoint, context):
        written.append(File(checkpoint, "a checkpoint of the work"))
    return Outcome("export", tuple(written), "\n".join([head, *(file.line for file in written), foot]))


def _checkpoint(context: Context) -> str | None:
    """The checkpoint's path; None if its folder would lie outside the project."""
    try:
        return save(context.conversation, context.session, context.project, "export", context.verdict).path
    except OutsideProjectError:
        return None
