"""What stood in a settings file before our entries, from whatever is left that tells."""

from installer import files
from installer.install_error import InstallError
from installer.layout import Layout
from installer.settings import record, settings, status_line
from installer.settings.record import Entry
from installer.settings.registration import Previous
from installer.settings.text.document import Malformed


def find(layout: Layout, entries: dict[str, Entry]) -> Previous:
    """What the record says; when our folder has been deleted by hand, what the newest backup does."""
    recorded = record.previous(layout, entries)
    if layout.settings in entries or recorded.status_line is not None or not _has_ours(layout):
        return recorded
    return recorded._replace(status_line=_from_backup(layout))


def _has_ours(layout: Layout) -> bool:
    try:
        text = settings.text_of(layout.settings, settings.read(layout.settings))
        return status_line.command(text, layout) is not None
    except (InstallError, Malformed):
        return False  # whoever changes the file will say so


def _from_backup(layout: Layout) -> str | None:
    for path in reversed(settings.backups(layout.settings)):
        try:
            text = settings.text_of(path, files.read(path))
            if status_line.command(text, layout) is None:
                return status_line.foreign(text, layout)
        except (InstallError, Malformed, OSError):
            continue
    return None
