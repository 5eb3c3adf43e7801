"""What a project may set in its `.claude/tidegauge.toml`, and within which bounds.

The file comes with a repository, so its author may wish the person harm. It may fit the levels to the
project's work, and can neither silence them nor flood the agent. All else is the person's: it may not run a
command, choose a directory, name an address, set a text, switch anything off or on, or change the display.
"""

MAY_SET: dict[str, tuple[float, float]] = {
    "levels.warning.remaining": (20, 60),
    "levels.warning.every": (2, 20),
    "levels.warning.compact_margin_tokens": (10_000, 40_000),
    "levels.warning.max_tokens": (50_000, 2_000_000),
    "levels.critical.remaining": (15, 40),
    "levels.critical.every": (1, 10),
    "levels.critical.compact_margin_tokens": (5_000, 20_000),
    "levels.critical.max_tokens": (35_000, 2_000_000),
    "levels.exhausted.remaining": (8, 25),
    "levels.exhausted.every": (1, 5),
    "levels.exhausted.compact_margin_tokens": (2_500, 10_000),
    "levels.exhausted.max_tokens": (20_000, 2_000_000),
    "ceiling.percentage": (20, 60),
    "ceiling.max_tokens": (40_000, 200_000),
    "prompt_tag.tiers.low": (0.40, 0.70),
    "prompt_tag.tiers.warning": (0.50, 0.80),
    "prompt_tag.tiers.critical": (0.60, 0.88),
    "prompt_tag.tiers.emergency": (0.70, 0.95),
    "pivot.levels.warning": (30, 65),
    "pivot.levels.alert": (50, 80),
    "pivot.levels.critical": (65, 92),
    "pivot.levels.emergency": (80, 97),
}
"""The least and the most of each setting that a project may set: every one is a number."""
