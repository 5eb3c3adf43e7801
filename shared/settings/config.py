"""The configuration: one typed record whose defaults are its documentation, and the sources of its values."""

from typing import Annotated, Any, Literal

import msgspec

from shared.gauge.levels import LevelRules, PivotLevels, Tiers

WRAPPED_BYTES, WRAPPED_SECONDS = 1 << 18, 2.0
"""The most that a wrapped status line may print and take; one that needs more is broken."""
WindowTokens = Annotated[int, msgspec.Meta(ge=1_000, le=2_000_000)]
SEGMENT_NAMES = (
    "model", "directory", "context", "forecast", "compaction", "limits",
    "cache", "cost", "changes", "duration", "pr", "worktree", "agent",
)  # fmt: skip
"""The segments' names, in their default order (statusline/segments/__init__.py)."""
_FIVE_NUMBERS = msgspec.Meta(
    pattern=r"^\d+(\.\d+)?( \d+(\.\d+)?){4}\Z", max_length=100, description="five numbers, such as `1 1.25 2 0.1 5`"
)
_RELATIVE_PATH = msgspec.Meta(
    pattern=r"^[\w][\w./ -]*\Z", max_length=200, description="a relative path, such as NOTES.md"
)
_ABSOLUTE_PATH = msgspec.Meta(pattern=r"^([~/\\]|[A-Za-z]:)", max_length=1000, description="an absolute path")
_ADDRESS = msgspec.Meta(
    pattern=r"^https?://[\w.:\[\]-]+(/[\w./~%+-]*)?\Z",
    max_length=500,
    description="an address, such as https://collector.example.com",
)


class Window(msgspec.Struct, frozen=True):
    """The context window."""

    size: WindowTokens | None = None
    """The window's tokens, whatever the client and the transcript say, until more are in use. Unset: detected."""
    models: dict[str, WindowTokens] = {}
    """The same by model id, in any provider's spelling; wins over `size`. In a variable: `ID=TOKENS, ID=TOKENS`."""


class Hooks(msgspec.Struct, frozen=True):
    """What the agent is told, part by part; shared/settings/profile.py lists what else `full` turns on."""

    context_warnings: bool = True
    """Whether the agent is told how full its window is, by messages, tags, a subagent's budget and the ceiling guard's
    warning, and of rate limits that are nearly used up. Off, nothing tells it; a strict ceiling still blocks."""
    notices: bool = True
    """Whether you are shown notices with your prompts, and desktop notifications. Off, only the line and what you ask
    for."""
    ceiling_guard: bool = False
    """Whether the agent is warned about loading agents and skills above the ceiling."""
    subagent_budget: bool = True
    """Whether a subagent is told how much room its caller has for the answer, from WARNING on."""
    read_guard: bool = False
    """Whether reads of ignored directories are blocked."""
    prompt_tag: bool = True
    """Whether prompts carry a tag that says how full the window is, from WARNING on."""
    tag_every_prompt: bool = False
    """Whether the tag also comes below WARNING."""
    checkpoint: bool = True
    """Whether a checkpoint is written before a compaction, and when CRITICAL and EXHAUSTED are reached."""
    compaction_alert: bool = True
    """Whether the first prompt after a compaction says what was saved before it."""
    resumption: bool = True
    """Whether a session starts with what an unacknowledged checkpoint holds."""
    staleness: bool = False
    """Whether the agent is told when it writes an ORCHESTRATION.yaml with an `updated_at` older than a checkpoint."""
    history: bool = True
    """Whether a session is added to the history when it ends, once `tidegauge history sync` has started one."""
    desktop_notification: bool = False
    """Whether the person gets a desktop notification when CRITICAL or EXHAUSTED is reached."""
    pivot: bool = True
    """Whether a session near the limit is told what to do, and saved at the last level."""


CEILING = 40
"""Percent from which the ceiling guard acts by default in most windows."""


class CeilingSettings(msgspec.Struct, frozen=True):
    """The ceiling guard, which keeps agents and skills from being loaded above the ceiling."""

    percentage: Annotated[int, msgspec.Meta(ge=1, le=100)] | None = None
    """Percent of the window in use, rounded down, from which the guard acts; unset: 40, and in windows over 400,000
    tokens where WARNING begins."""
    strict: bool = False
    """Whether it blocks. Off, or while the window's size isn't known, it only warns."""


class ReadGuard(msgspec.Struct, frozen=True):
    """The read guard, which `hooks.read_guard` switches on."""

    ignore: tuple[str, ...] = (
        "node_modules/", "bower_components/", "__pycache__/", ".venv/", "venv/", ".tox/",
        "dist/", "build/", "target/", ".next/", ".nuxt/",
    )  # fmt: skip
    """What must not be read, in gitignore's syntax; a project's .tidegaugeignore adds rules, or lifts some with `!`."""


class PromptTag(msgspec.Struct, frozen=True):
    """The tag that each prompt carries."""

    tiers: Tiers = Tiers()


class CheckpointSettings(msgspec.Struct, frozen=True):
    """What is saved before a compaction."""

    directory: Annotated[str, msgspec.Meta(min_length=1, max_length=1000)] | None = None
    """The directory for checkpoints; unset: the project's .claude/tidegauge/checkpoints."""
    keep: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 20
    """How many checkpoints a directory keeps; the oldest go first."""
    include_prompts: bool = True
    """Whether the text of prompts, the last answer and a compaction's summary is kept, in your own data directory. Off,
    nothing of them is."""


class Pivot(msgspec.Struct, frozen=True):
    """What is done with a session near the limit."""

    levels: PivotLevels = PivotLevels()
    auto_export_enabled: bool = True
    """Whether a session that ends at its limit is exported at EXHAUSTED, or at emergency where that comes first."""
    export_before_compaction: bool = False
    """Whether a session that the client compacts at its limit is exported as well."""
    export_directory: Annotated[str, msgspec.Meta(min_length=1, max_length=1000)] | None = None
    """The directory for exports; unset: the project's .claude/tidegauge/exports."""
    keep_exports: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 10
    """How many exports a project keeps; the oldest go first, but none that has a file of yours in it."""


class Notices(msgspec.Struct, frozen=True):
    """What you are told with your prompts."""

    cost_tokens: Annotated[int, msgspec.Meta(ge=0, le=2_000_000)] = 200_000
    """Tokens in use from which a notice says what a full window costs, again at each further 100,000; 0: never."""


class Messages(msgspec.Struct, frozen=True):
    """How the agent is told."""

    style: Literal["directive", "advisory"] = "directive"
    """`directive` asks for the steps; `advisory` states the facts and leaves the decision to the user's wishes."""
    summary_file: Annotated[str, _RELATIVE_PATH] = "PROJECT-SUMMARY.md"
    """The file in which the agent is asked to save its state."""


class StatusLine(msgspec.Struct, frozen=True):
    """What the person sees."""

    lines: tuple[tuple[str, ...], ...] = (SEGMENT_NAMES,)
    """The segments of each line, in order."""
    hide: tuple[str, ...] = ()
    """Segments that are switched off, wherever they are in `lines`."""
    color: Literal["auto", "truecolor", "256", "16", "none"] = "auto"
    """`auto` follows NO_COLOR, TERM and COLORTERM."""
    ascii: bool = False
    """Whether only ASCII characters are drawn."""
    wrapped: Literal["alone", "above", "below"] = "below"
    """Where our line goes if it wraps your own status line: below it, above it, or nowhere (`alone`)."""


class BridgeSettings(msgspec.Struct, frozen=True):
    """The file between the status line and the monitor."""

    directory: Annotated[str, _ABSOLUTE_PATH] | None = None
    """Its directory, an absolute path; unset: our private one. Other programs look in the system's temporary
    directory."""


class HistorySettings(msgspec.Struct, frozen=True):
    """The numbers that are kept over sessions, from the first `tidegauge history sync` on."""

    hash_paths: bool = False
    """Whether paths are kept only as hashes. Once hashed, a store stays hashed."""
    keep_days: Annotated[int, msgspec.Meta(ge=1, le=36_500)] | None = None
    """How many days are kept; unset: all."""
    prices: dict[str, Annotated[str, _FIVE_NUMBERS]] = {}
    """By model id, what tokens cost relative to each other: `INPUT WRITE_5M WRITE_1H READ OUTPUT`."""


class TelemetrySettings(msgspec.Struct, frozen=True):
    """What `tidegauge history sync` sends to a collector (docs/team.md)."""

    endpoint: Annotated[str, _ADDRESS] | None = None
    """An address that takes OTLP over HTTP, such as `https://collector.example.com`; unset: nothing is sent."""
    headers: dict[str, str] = {}
    """Headers of each request, such as a token. The file must then be readable only by you (mode 600)."""
    headers_variable: Annotated[str, msgspec.Meta(min_length=1, max_length=100)] | None = None
    """The name of a variable that holds further headers: `NAME=VALUE, NAME=VALUE`."""
    certificate: Annotated[str, msgspec.Meta(min_length=1, max_length=1000)] | None = None
    """A file of certificates to check the collector's against; unset: the usual public authorities."""
    timeout: Annotated[float, msgspec.Meta(gt=0, le=60)] = 10.0
    """How many seconds a sync may spend on sending; the rest goes with the next."""


class Config(msgspec.Struct, frozen=True):
    """Every setting, with its default."""

    window: Window = Window()
    levels: LevelRules = LevelRules()
    hooks: Hooks = Hooks()
    messages: Messages = Messages()
    notices: Notices = Notices()
    ceiling: CeilingSettings = CeilingSettings()
    read_guard: ReadGuard = ReadGuard()
    prompt_tag: PromptTag = PromptTag()
    checkpoint: CheckpointSettings = CheckpointSettings()
    pivot: Pivot = Pivot()
    statusline: StatusLine = StatusLine()
    bridge: BridgeSettings = BridgeSettings()
    history: HistorySettings = HistorySettings()
    telemetry: TelemetrySettings = TelemetrySettings()


FILE_ONLY = frozenset(f"telemetry.{name}" for name in TelemetrySettings.__struct_fields__)
"""Settings that only the person's own file may set: neither a project nor a variable, which a project can set (the
client's `env`), may decide where anything is sent."""
SECRET = frozenset({"telemetry.headers"})
"""Settings whose values are never shown or logged."""

ENVIRONMENT, PROJECT, USER, DEFAULT = "environment", "project", "user", "default"
"""The sources of a value; the first wins."""


class Layer(msgspec.Struct, frozen=True):
    """One source of settings (settings.py reads them, layers.py merges them)."""

    name: str
    """The file that errors name; for the environment, the text `environment`."""
    values: Any
    """The values, nested as in TOML; the environment's leaves are texts."""
    source: str = USER


class Settings(msgspec.Struct, frozen=True):
    """The configuration in force, and a line for each setting that could not be used."""

    config: Config
    problems: tuple[str, ...] = ()
    sources: dict[str, str] = {}
    """The source of each key that has been set."""
