"""Export: the session is saved whole, to be looked into and gone on from."""

import os

from monitor.checkpoints.save import save
from monitor.exporting import background, folder
from monitor.exporting.copy import copy
from monitor.numbered_folder import OutsideProjectError
from monitor.pivot.strategies.strategy import Context, File, Outcome
from shared.files import files
from shared.process.boundary import attempt
from shared.project_files import ARCHIVE, READABLE


def carry_out(context: Context) -> Outcome:
    """Both copies and a checkpoint. Where nobody waits for it the copies may still be under way when this returns:
    masking a megabyte takes over half a second, which an agent's tool use would wait for.
    """
    session, project, transcript = context.session, context.project, context.conversation.transcript
    if files.size(transcript) < 0:
        raise FileNotFoundError(f"the transcript cannot be read: {transcript}")
    contents = None
    with folder.added(session.root, project, session.config.pivot.export_directory, "export") as directory:
        if context.is_asked:
            contents = copy(transcript, directory)
        else:
            background.start(session.root, transcript, directory)
    written = [File(directory.path, "the two copies, when they are whole")]
    if context.is_asked:
        written = [
            File(os.path.join(directory.path, ARCHIVE), "the transcript, compressed"),
            File(os.path.join(directory.path, READABLE), "the session as Markdown"),
        ]
    checkpoint = attempt("export", session.root, _checkpoint, context)
    if checkpoint:
        written.append(File(checkpoint, "a checkpoint of the work"))
    return Outcome("export", tuple(written), _text(written, contents))


def _checkpoint(context: Context) -> str | None:
    """Where the checkpoint lies; None where the project has no place for one."""
    try:
        return save(context.conversation, context.session, context.project, "export", context.reading).path
    except OutsideProjectError:
        return None


def _text(written: list[File], contents: str | None) -> str:
    lines = ["Session exported:"]
    if contents is None:
        lines = ["The session is being exported; its two copies end in .partial until they are whole."]
    lines += [file.line for file in written]
    if contents is not None:
        lines.append(f"The copies hold {contents}")
    else:
        lines.append("Secrets that look like keys are masked in them.")
    return "\n".join(lines)
