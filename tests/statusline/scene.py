"""Captured payloads, and a status measured from one at a fixed time."""

import json
from pathlib import Path
from typing import Any

import msgspec

from shared.files.lenient import record_or_empty
from shared.gauge.levels import Level, LevelRules
from shared.gauge.limit import Limit
from shared.gauge.verdict import Verdict, verdict_on
from shared.gauge.window import Reading, WindowSource, remaining_percentage
from shared.settings.config import Config
from statusline.measuring.measurement import observe
from statusline.measuring.session_samples import SessionSamples
from statusline.measuring.status import Status
from statusline.payload import Payload
from statusline.segment import Segment

PAYLOADS = Path(__file__).parents[1] / "payloads" / "statusline"
NAMES = sorted(path.stem for path in PAYLOADS.glob("*.json"))
NOW = 1795272100.0  # a little over two hours before the limits of everything.json are reset
NO_TRANSCRIPT = -1


def captured(name: str) -> bytes:
    return (PAYLOADS / f"{name}.json").read_bytes()


def payload_with(name: str, **blocks: Any) -> bytes:
    """The captured payload with some of its blocks replaced."""
    return json.dumps(json.loads(captured(name)) | blocks).encode()


def status_of(
    document: bytes | dict[str, Any],
    root: Path,
    config: Config | None = None,
    problems: tuple[str, ...] = (),
    samples: SessionSamples | None = None,
    **facts: Any,
) -> Status:
    """The status measured from a payload, with some facts of the verdict replaced; `root` need not exist."""
    stdin = document if isinstance(document, bytes) else json.dumps(document).encode()
    status = observe(record_or_empty(stdin, Payload), NO_TRANSCRIPT, config or Config(), str(root), {})
    verdict = msgspec.structs.replace(status.verdict, **facts) if status.verdict else None
    return msgspec.structs.replace(
        status, now=NOW, problems=problems, verdict=verdict, samples=samples or SessionSamples()
    )


def with_tokens(
    tokens: int,
    window: int = 200_000,
    *,
    limit: Limit | None = None,
    level: Level | None = None,
    tool_uses_left: int | None = None,
    samples: SessionSamples | None = None,
) -> Status:
    """A status with only a verdict and the samples before it; by default the level follows from the tokens."""
    reading = Reading(remaining_percentage(tokens, window), tokens, window, "statusline", WindowSource.BRIDGE, NOW)
    result = verdict_on(reading, limit, LevelRules()).level if level is None else level
    return Status(Payload(), NOW, Verdict(reading, result, limit, tool_uses_left), samples or SessionSamples())


def text(segment: Segment | None, form: int = -1) -> str | None:
    """A segment's text in one of its forms, by default the fullest."""
    return None if segment is None else "".join(part.text for part in segment[form].parts)
