"""Export: the session is saved whole, to be looked into and gone on from."""

import os

from monitor.checkpoints.save import save
from monitor.exporting import background, folder
from monitor.exporting.copy import Copied, copy
from monitor.numbered_folder import OutsideProjectError
from monitor.pivot.strategies.strategy import Context, File, Outcome
from shared.files import files
from shared.process.boundary import attempt
from shared.project_files import ARCHIVE, READABLE

SUMMARY = "save the session: a masked copy of the transcript, a readable one, and a checkpoint"


def carry_out(context: Context) -> Outcome:
    """Both copies and a checkpoint. A long transcript's copies may still be under way when this returns."""
    session, project, transcript = context.session, context.project, context.conversation.transcript
    size = files.size(transcript)
    if size < 0:
        raise FileNotFoundError(f"the transcript cannot be read: {transcript}")
    is_later = context.most_bytes is not None and size > context.most_bytes
    copied = None
    with folder.added(session.root, project, session.config.pivot.export_directory, "export") as directory:
        if is_later:
            background.start(session.root, transcript, directory)
        else:
            copied = copy(transcript, directory)
    written = [File(directory.path, "the two copies, when they are whole")]
    if not is_later:
        written = [
            File(os.path.join(directory.path, ARCHIVE), "the transcript, compressed"),
            File(os.path.join(directory.path, READABLE), "the session as Markdown"),
        ]
    checkpoint = attempt("export", session.root, _checkpoint, context)
    if checkpoint:
        written.append(File(checkpoint, "a checkpoint of the work"))
    return Outcome("export", tuple(written), _text(written, copied))


def _checkpoint(context: Context) -> str | None:
    """Where the checkpoint lies; None where the project has no place for one."""
    try:
        return save(context.conversation, context.session, context.project, "export", context.reading).path
    except OutsideProjectError:
        return None


def _text(written: list[File], copied: Copied | None) -> str:
    lines = ["Session exported:"]
    if copied is None:
        lines = ["The session is being exported; its two copies end in .partial until they are whole."]
    lines += [file.line for file in written]
    if copied is not None:
        lines.append(f"The copies hold {copied.text}")
    else:
        lines.append("Secrets that look like keys are masked in them.")
    return "\n".join(lines)
