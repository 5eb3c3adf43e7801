"""The profile of an installation: which parts are on where nobody has set them.

It is chosen when Tidegauge is installed, or by `tidegauge config profile`, and lies among the installer's choices,
where no project's file can reach it. The installer takes the names from here before there is an environment.
"""

CORE, FULL = PROFILES = ("core", "full")
"""Quiet: the defaults as shared.config has them; and with every part on."""
ADDED_BY_FULL = (
    "hooks.ceiling_guard", "hooks.read_guard", "hooks.staleness", "hooks.tag_every_prompt",
    "pivot.export_before_compaction",
)  # fmt: skip
"""The switches that `full` turns on, by their dotted names."""


def read(root: str) -> str:
    """The profile in force. An installation from before there were profiles wrote no choices down, and stays full."""
    from shared import files, lenient, paths  # noqa: PLC0415  msgspec is not there yet when the installer runs

    document = files.read_or_none(paths.choices(root))
    if document is None:
        return FULL
    return FULL if lenient.decode_or(document, dict, {}).get("profile") == FULL else CORE


def write(root: str, profile: str) -> None:
    """Choose `profile`; the installer's other choices stay as they are. Raises OSError."""
    import msgspec  # noqa: PLC0415  see above

    from shared import files, lenient, paths  # noqa: PLC0415  see above

    path = paths.choices(root)
    others = lenient.decode_or(files.read_or_none(path) or b"{}", dict, {})
    files.write_atomic(path, msgspec.json.format(msgspec.json.encode(others | {"profile": profile})) + b"\n")
