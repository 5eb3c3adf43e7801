"""Tables of what can be set and shown, from the records and the registry that the programs themselves use."""

import ast
import inspect
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect as types

from docs.markdown import table
from monitor.pivot.decision import MATRIX, OTHERWISE
from monitor.pivot.strategies import STRATEGIES
from shared.gauge import wording
from shared.gauge.levels import Level, LevelRules, PivotLevel, PivotLevels, begins_at
from shared.gauge.limit import Limit
from shared.gauge.verdict import verdict_on
from shared.gauge.window import Reading, WindowSource
from shared.settings.config import FILE_ONLY, Config
from shared.settings.profile import ADDED_BY_FULL
from shared.settings.settings import variable
from statusline.segments import SEGMENTS


class Setting(NamedTuple):
    """One key of the configuration."""

    key: str
    kind: str
    default: str
    meaning: str


def settings() -> str:
    """One table per section of the configuration."""
    sections: dict[str, list[Setting]] = {}
    for setting in all_settings():
        sections.setdefault(setting.key.rpartition(".")[0], []).append(setting)
    return "\n".join(_section(name, result) for name, result in sections.items())


def all_settings() -> list[Setting]:
    """Every key, in the order in which shared/settings/config.py declares them."""
    return list(_settings(Config(), ""))


def segments() -> str:
    """The segments in their default order."""
    rows = ((f"`{name}`", " ".join((inspect.getdoc(render) or "").split())) for name, render in SEGMENTS.items())
    return table(("segment", "shows"), rows)


def levels() -> str:
    """The levels by default."""
    rules = LevelRules()
    head = ("level", "begins at", "but with at most", "at the latest before a compaction", "message at most every")
    rows = [(Level.NORMAL.name, f"more than {100 - rules.bounds[0]:g}% left", "", "", "never")]
    for level, rule in rules.above(Level.NORMAL):
        most = f"{rule.max_tokens:,} tokens left" if rule.max_tokens else ""
        margin = f"{rule.compact_margin_tokens:,} tokens"
        uses = "tool use" if rule.every == 1 else f"{rule.every} tool uses"
        rows.append((level.name, f"{rule.remaining:g}% left", most, margin, uses))
    return table(head, rows)


def what_now() -> str:
    """The steps for the agent and for the person, just above each level's beginning, with and without compaction."""
    rows = []
    for limit in (Limit(167_000, "catalogue", is_compacted=True), Limit(177_000, "set", is_compacted=False)):
        for level in Level:
            verdict = verdict_on(_reading_at(level, limit), limit, LevelRules())
            steps = " ".join(wording.agent_steps(verdict, "PROJECT-SUMMARY.md")) or "nothing"
            name = level.name if limit.is_compacted else f"{level.name}, compaction off"
            if limit.is_compacted or steps != "nothing":
                rows.append((f"{verdict.used}%", name, steps, wording.person_step(verdict)))
    return table(("in use", "level", "the agent is asked", "you"), rows)


def _reading_at(level: Level, limit: Limit) -> Reading:
    """A window of 200,000 tokens in which the level has just begun, on a whole percent; half full at NORMAL."""
    rule = LevelRules().rule(level)
    percent = begins_at(rule, 200_000, limit.tokens) // 2_000 + 1 if rule else 50
    return Reading(100 - percent, percent * 2_000, 200_000, "bridge", WindowSource.BRIDGE, 0)


def matrix() -> str:
    """The pivot's decisions, from the table that decides."""
    names = {"lost-in-the-middle": "lost in the middle", "any": "any", "none": "none"}
    levels = PivotLevels()
    begins = {
        PivotLevel.NORMAL: (0, levels.warning),
        PivotLevel.WARNING: (levels.warning, levels.alert),
        PivotLevel.ALERT: (levels.alert, levels.critical),
        PivotLevel.CRITICAL: (levels.critical, levels.emergency),
        PivotLevel.EMERGENCY: (levels.emergency, 100),
    }
    rows = []
    for row in (*MATRIX, *OTHERWISE):
        least, most = begins[row.level]
        strategy = f"`{row.strategy}`" if row.strategy in STRATEGIES else ""
        pattern = "any other" if row in OTHERWISE and row.pattern == "any" else names.get(row.pattern, row.pattern)
        work = "any other" if row in OTHERWISE and row.level is PivotLevel.ALERT else row.complexity
        rows.append((f"{least:g} to {most:g}", row.level.name.lower(), pattern, work, row.label, strategy))
    return table(("% of the window in use", "level", "pattern", "work", "decision", "can be carried out"), rows)


def _section(name: str, settings: list[Setting]) -> str:
    rows = []
    for setting in settings:
        key = setting.key.rpartition(".")[2]
        environ_name = "none" if setting.key in FILE_ONLY else f"`{variable(setting.key)}`"
        rows.append((f"`{key}`", setting.kind, setting.default, setting.meaning, environ_name))
    return f"### `[{name}]`\n\n{table(('key', 'type', 'default', 'meaning', 'variable'), rows)}"


def _settings(section: msgspec.Struct, prefix: str) -> Iterator[Setting]:
    explained = meanings(type(section))
    described = types.type_info(type(section))
    assert isinstance(described, types.StructType)  # noqa: S101  a section is a Struct
    for field in described.fields:
        value = getattr(section, field.name)
        if isinstance(value, msgspec.Struct):
            yield from _settings(value, f"{prefix}{field.name}.")
        else:
            meaning = explained.get(field.name, "")
            default = _default(value) + ("; full: `true`" if f"{prefix}{field.name}" in ADDED_BY_FULL else "")
            yield Setting(f"{prefix}{field.name}", _kind(field.type), default, meaning)


def meanings(record: type) -> dict[str, str]:
    """The docstring under each field of a Struct in its source."""
    body = ast.parse(inspect.getsource(record)).body[0]
    assert isinstance(body, ast.ClassDef)  # noqa: S101  the source of a class
    result = {}
    for field, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            meaning = ast.literal_eval(text.value)
            result[field.target.id] = " ".join(str(meaning).split())
    return result


def _kind(kind: types.Type) -> str:
    kind = kind.type if isinstance(kind, types.Metadata) else kind
    if isinstance(kind, types.UnionType):
        return " or ".join(_kind(part) for part in kind.types if not isinstance(part, types.NoneType))
    if isinstance(kind, types.LiteralType):
        return " or ".join(f'`"{value}"`' for value in kind.values)
    if isinstance(kind, types.VarTupleType):
        return "list of lists of names" if isinstance(kind.item_type, types.VarTupleType) else "list of names"
    if isinstance(kind, types.IntType | types.FloatType):
        return ("whole number" if isinstance(kind, types.IntType) else "number") + _range(kind)
    if isinstance(kind, types.DictType):
        return f"table: for each name a {_kind(kind.value_type)}"
    return {types.BoolType: "true or false", types.StrType: "text"}[type(kind)]


def _range(kind: types.IntType | types.FloatType) -> str:
    if kind.le is None:
        return ""
    return f", {kind.ge:,g} to {kind.le:,}" if kind.ge is not None else f", more than {kind.gt:g}, at most {kind.le:,}"


def _default(value: Any) -> str:
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if value == {}:
        return "empty"
    if isinstance(value, tuple):
        return "all, on one line" if value and isinstance(value[0], tuple) else f"`{list(value)}`"
    return f'`"{value}"`' if isinstance(value, str) else f"`{value}`"
