"""The profile of an installation: which parts are on where nobody has set them.

It is chosen when Tidegauge is installed, and lies among the installer's choices, where no project's file can reach it.
The installer takes the names from here before there is an environment.
"""

CORE, FULL = PROFILES = ("core", "full")
"""Quiet: the defaults as shared.settings.config has them; and with every part on."""
ADDED_BY_FULL = (
    "hooks.ceiling_guard", "hooks.read_guard", "hooks.staleness", "hooks.tag_every_prompt",
    "pivot.export_before_compaction",
)  # fmt: skip
"""The switches that `full` turns on, by their dotted names."""
