"""Every sentence of the guards: what is held back, why, and what to do instead."""

from shared.reading import Reading


def ceiling(tool: str, name: str, used: int, reading: Reading, percentage: int, *, is_blocked: bool) -> str:
    """On loading a capability at or above the ceiling."""
    what = f"{tool} {name}".strip()
    verdict = f"{what} is blocked" if is_blocked else f"{what} adds to a window that is over its ceiling"
    return (
        f"Context ceiling: {used}% of the window is in use ({reading.tokens:,} of {reading.window:,} tokens, window"
        f" size: {reading.window_source}), the ceiling is {percentage}%. {verdict}. Make room first: summarise"
        " finished work (/context-summarization or /compact), then load only what the next step needs."
        " DEV_TEAM_CONTEXT_CEILING_PCT moves the ceiling, DEV_TEAM_CONTEXT_WINDOW names the window's size,"
        " DEV_TEAM_CONTEXT_STRICT=on blocks, DEV_TEAM_CONTEXT_CEILING=off switches the guard off."
    )


def ignored(path: str, rule: str, source: str, allow: str) -> str:
    """On reading what an ignore rule keeps out of the window."""
    return (
        f"Blocked: {path} matches the rule `{rule}` of {source}, which keeps it out of the context window."
        " Read the project's own sources or its documentation instead."
        f" If this file is really needed, ask the user; the line `!{path}` in {allow} lets it through."
    )


def budget(room: int, used: int) -> str:
    """To a subagent whose caller has little room for its answer."""
    return (
        f"Your caller's context window is {used}% full: about {room:,} tokens are left for your answer and all that"
        " follows it. Come back short: conclusions and file paths, no listings."
    )
