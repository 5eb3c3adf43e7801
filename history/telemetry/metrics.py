"""The metrics: what each is called, its unit (UCUM), and the question to the store that it answers.

A question's columns are `hour` (epoch seconds, whole hours), figures, and attributes, whose names have a dot. No
session's id is among them, so that what an engine keeps grows with models and projects and not with sessions.
`:since` is in epoch seconds.
"""

import msgspec

from history.store.schema import PartKind, urgency
from shared.gauge.levels import Level

MODEL = "gen_ai.response.model"
"""The conventions' name for the model that answered, which is the one that transcripts name."""
PROJECT = "tidegauge.project"
LEVEL = "tidegauge.level"
OUTCOME = "tidegauge.outcome"


class Metric(msgspec.Struct, frozen=True):
    name: str
    unit: str
    description: str


def _metric(name: str, unit: str, description: str) -> Metric:
    return Metric(f"tidegauge.context.{name}", unit, description)


class Question(msgspec.Struct, frozen=True):
    sql: str
    metrics: dict[str, Metric]
    """Each figure's metric, by its column."""


# CROSS JOIN, below, is SQLite's word for a join in this order: of a year's calls only the last month's are read.
_LOCATIONS = """
    WITH locations AS (
        SELECT cycles.id AS cycle, transcripts.id AS transcript, agent, version, paths.name AS project
        FROM cycles JOIN transcripts ON transcripts.id = cycles.transcript
        LEFT JOIN paths ON paths.id = transcripts.project
        WHERE transcripts.last_at >= :since
    )
"""
_BOUNDS = ", ".join(f"('{level.name}', {int(level)})" for level in Level)

SESSIONS = Question(
    f"""{_LOCATIONS}, bounds (level, urgency) AS (VALUES {_BOUNDS}), reached AS (
        SELECT bounds.level, min(at) AS at, model, version, project
        FROM locations CROSS JOIN calls USING (cycle) JOIN bounds ON {urgency("calls.level")} >= bounds.urgency
        WHERE agent IS NULL
        GROUP BY transcript, bounds.level
    )
    SELECT at / 3600 * 3600 AS hour, count(*) AS sessions, names.text AS "{MODEL}", project AS "{PROJECT}",
        level AS "{LEVEL}", version AS "tidegauge.client.version"
    FROM reached JOIN names ON names.id = model
    WHERE at >= :since GROUP BY 1, 3, 4, 5, 6
    """,
    {
        "sessions": _metric(
            "sessions",
            "{session}",
            "Sessions that reached a level for the first time; NORMAL is reached with the first answer.",
        ),
    },
)
UNWARNED = Question(
    f"""{_LOCATIONS}, crossings AS (
        SELECT cycle, min(step) AS step, at, model, version, project, transcript AS session
        FROM locations CROSS JOIN calls USING (cycle)
        WHERE level <> '{Level.NORMAL.name}' AND agent IS NULL AND abandoned IS NULL
        GROUP BY cycle
    ), silent AS (
        SELECT min(at) AS at, model, version, project
        FROM crossings
        WHERE cycle NOT IN (SELECT cycle FROM warnings) AND 5 <= (
            SELECT count(DISTINCT later.id) FROM calls AS later JOIN parts ON parts.call = later.id
            WHERE later.cycle = crossings.cycle AND later.step > crossings.step AND kind = {PartKind.TOOL:d}
        )
        GROUP BY session
    )
    SELECT at / 3600 * 3600 AS hour, count(*) AS sessions, names.text AS "{MODEL}", project AS "{PROJECT}",
        version AS "tidegauge.client.version"
    FROM silent JOIN names ON names.id = model
    WHERE at >= :since GROUP BY 1, 3, 4, 5
    """,
    {
        "sessions": _metric(
            "unwarned", "{session}", "Sessions that reached WARNING, ran five more rounds of tools and got no message."
        ),
    },
)
COMPACTIONS = Question(
    f"""{_LOCATIONS}, newest AS (
        SELECT cycle, max(step), model FROM calls
        WHERE cycle IN (SELECT cycle FROM compactions WHERE at >= :since) GROUP BY cycle
    )
    SELECT at / 3600 * 3600 AS hour, count(*) AS compactions, sum(milliseconds) / 1000.0 AS seconds,
        names.text AS "{MODEL}", project AS "{PROJECT}", "trigger" AS "tidegauge.trigger"
    FROM compactions JOIN locations USING (cycle) LEFT JOIN newest USING (cycle) LEFT JOIN names ON names.id = model
    WHERE at >= :since GROUP BY 1, 4, 5, 6
    """,
    {
        "compactions": _metric("compactions", "{compaction}", "Compactions."),
        "seconds": _metric("compaction.time", "s", "Time that compactions took, where known."),
    },
)
WARNINGS = Question(
    f"""{_LOCATIONS}
    SELECT at / 3600 * 3600 AS hour, count(*) AS warnings, project AS "{PROJECT}", level AS "{LEVEL}"
    FROM warnings JOIN locations USING (cycle) WHERE at >= :since GROUP BY 1, 3, 4
    """,
    {"warnings": _metric("warnings", "{warning}", "Messages to the agent about its window.")},
)
OUTCOMES = Question(
    f"""{_LOCATIONS}
    SELECT at / 3600 * 3600 AS hour, count(*) AS warnings, project AS "{PROJECT}", level AS "{LEVEL}",
        outcome AS "{OUTCOME}"
    FROM warnings JOIN locations USING (cycle) WHERE at >= :since AND outcome IS NOT NULL GROUP BY 1, 3, 4, 5
    """,
    {"warnings": _metric("warning.outcomes", "{warning}", "Messages to the agent by what followed, once known.")},
)
COUNTED = (SESSIONS, UNWARNED, COMPACTIONS, WARNINGS, OUTCOMES)
"""Questions for figures that are added up: counters that only rise."""

PEAKS = Question(
    f"""{_LOCATIONS}
    SELECT at / 3600 * 3600 AS hour, names.text AS "{MODEL}", project AS "{PROJECT}",
        max(fill * 1.0 / coalesce(tokens, 1e12)) AS rank,  -- where no window is known, by the tokens alone
        fill, tokens AS window, fill * 1.0 / tokens AS utilization, {urgency("level")} AS level,
        ends_at - fill AS distance
    FROM locations CROSS JOIN calls USING (cycle) JOIN windows ON windows.id = window JOIN names ON names.id = model
    WHERE at >= :since GROUP BY 1, 2, 3
    """,
    {
        "fill": _metric("fill", "{token}", "Tokens in the window at the hour's fullest answer."),
        "window": _metric("window", "{token}", "The window's size at the hour's fullest answer."),
        "utilization": _metric("utilization", "1", "Fill by window size, at the hour's fullest answer."),
        "level": _metric(
            "level", "1", f"0 NORMAL to {max(Level).value} {max(Level).name}, at the hour's fullest answer."
        ),
        "distance": _metric(
            "distance", "{token}", "Tokens left until the client compacts or refuses, at the hour's fullest answer."
        ),
    },
)
"""Each hour's gauges. SQLite takes the other columns from the row with the largest `rank`."""
