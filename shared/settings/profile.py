"""The profile of an installation: which parts are on by default.

It is one of the installer's choices, which no project's file can reach. Standard library only: the installer loads it.
"""

CORE, FULL = PROFILES = ("core", "full")
"""The first has the quiet defaults of shared.settings.config, the second has every part on."""
ADDED_BY_FULL = (
    "hooks.ceiling_guard", "hooks.read_guard", "hooks.staleness", "hooks.tag_every_prompt",
    "pivot.export_before_compaction",
)  # fmt: skip
"""The switches that `full` turns on, by their dotted names."""
