"""Which warning of the ceiling guard a conversation has had: one for each five points of the window.

Written by the ceiling guard alone.
"""

from shared import files, paths

POINTS = 5


def is_new(root: str, conversation: str, used: int) -> bool:
    """Whether nothing was said yet at this height, which is remembered; `used` in percent."""
    bucket = str(used // POINTS).encode()
    path = paths.ceiling_bucket(root, conversation)
    known = files.read_or_none(path)
    if known == bucket or (known is not None and known.isdigit() and int(known) > int(bucket)):
        if known != bucket:
            files.write_atomic(path, bucket)  # fallen: the next rise is told again
        return False
    files.write_atomic(path, bucket)
    return True


def forget(root: str, conversation: str) -> None:
    """Re-arm: the conversation is below the ceiling."""
    files.remove(paths.ceiling_bucket(root, conversation))
