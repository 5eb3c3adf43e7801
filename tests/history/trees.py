"""Trees of transcripts as a client leaves them, their stores, and the contents of both, counted in two ways."""

import json
from pathlib import Path
from typing import Any

from history import sync
from history.store import store
from shared import paths
from shared.gauge.wording import CLOSING, OPENING
from shared.settings.config import Config
from tests.transcripts import Transcript

PROJECT = "-home-dev-shop"
Rows = dict[str, list[tuple[Any, ...]]]

_ROWS = {
    "calls": (
        "SELECT calls.key, transcripts.key, cycles.number, step, abandoned, calls.at, model.text, windows.key, input,"
        " cache_creation, cache_read, output, fill, growth, level, rebuild, rebuilt FROM calls"
        " JOIN cycles ON cycles.id = cycle JOIN transcripts ON transcripts.id = transcript"
        " JOIN names AS model ON model.id = model JOIN windows ON windows.id = calls.window"
    ),
    "parts": (
        "SELECT calls.key, number, kind, certainty, tokens, bytes, names.text, directories.name, paths.name, kinds.text"
        " FROM parts JOIN calls ON calls.id = call LEFT JOIN names ON names.id = parts.name"
        " LEFT JOIN paths ON paths.id = parts.path LEFT JOIN paths AS directories ON directories.id = paths.directory"
        " LEFT JOIN names AS kinds ON kinds.id = subagent"
    ),
    "compactions": (
        "SELECT compactions.key, transcripts.key, number, at, trigger, before, after, summary, milliseconds"
        " FROM compactions JOIN cycles ON cycles.id = cycle JOIN transcripts ON transcripts.id = transcript"
    ),
    "warnings": (
        "SELECT warnings.key, transcripts.key, number, step, at, level, outcome"
        " FROM warnings JOIN cycles ON cycles.id = cycle JOIN transcripts ON transcripts.id = transcript"
    ),
    "cycles": "SELECT key, number, answers FROM cycles JOIN transcripts ON transcripts.id = transcript",
    "transcripts": "SELECT key, path, session, agent, version, first_at, last_at, position FROM transcripts",
}


def root_in(home: Path) -> str:
    """A Tidegauge in a client's configuration directory, with directories of its own."""
    root = home / ".claude" / "tidegauge"
    root.mkdir(parents=True)
    places = {name: str(home / name) for name in ("config", "log", "history")}
    (root / "directories.json").write_text(json.dumps(places))
    return str(root)


def client_of(root: str) -> str:
    return str(Path(root).parent)


def transcript(root: str, session: str = "first", project: str = PROJECT) -> Transcript:
    return Transcript(Path(client_of(root)) / "projects" / project / f"{session}.jsonl")


def synced(root: str, config: Config | None = None) -> sync.SyncResult:
    return sync.everything(root, client_of(root), config or Config())


def ask(root: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with store.for_reading(root) as opened:
        return [tuple(row) for row in opened.execute(statement, values)]


def rows(root: str) -> Rows:
    """All the store's rows, without its own ids."""
    return {name: sorted(ask(root, statement), key=repr) for name, statement in _ROWS.items()}


def drop_store(root: str) -> None:
    for path in Path(paths.history_store(root)).parent.glob("history.sqlite*"):
        path.unlink()


def warn(on: Transcript, level: str = "WARNING") -> None:
    """Write one of our messages as the client records it."""
    text = f"{OPENING}\nCONTEXT WINDOW {level} \u2014 30% remaining (70% used).\n{CLOSING}"
    on.attachment(type="hook_additional_context", content=[text], hookEvent="PostToolUse")


def counted(root: str) -> tuple[int, int, int, int, int]:
    """Calls and their tokens (input, cache creation, cache read, output), counted from the lines independently."""
    calls: dict[tuple[str, str], tuple[int, int, int, int]] = {}
    for path in Path(client_of(root)).rglob("projects/**/*.jsonl"):
        for text in path.read_bytes().splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                continue
            message = line.get("message") or {}
            if line["type"] != "assistant" or line.get("isApiErrorMessage") or message["model"] == "<synthetic>":
                continue
            names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
            usage = [int(message["usage"].get(name) or 0) for name in names]
            key = (message["id"], line.get("requestId") or "")
            calls[key] = max(calls.get(key, (0, 0, 0, 0)), (usage[0], usage[1], usage[2], usage[3]), key=sum)
    sums = [sum(usage[place] for usage in calls.values()) for place in range(4)]
    return len(calls), sums[0], sums[1], sums[2], sums[3]


def stored(root: str) -> tuple[int, int, int, int, int]:
    """The same counts from the store."""
    (counts,) = ask(
        root,
        "SELECT count(*), coalesce(sum(input), 0), coalesce(sum(cache_creation), 0), coalesce(sum(cache_read), 0),"
        " coalesce(sum(output), 0) FROM calls",
    )
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def turn(on: Transcript, tokens: int, name: str) -> None:
    """Write a prompt, an answer that calls two tools, and their results."""
    on.prompt()
    on.answer(tokens, id=f"msg_{name}", tool_use_ids=(f"a{name}", f"b{name}"))
    on.result(f"a{name}", "x" * 500)
    on.result(f"b{name}", "y" * 1_500)


def tree(root: str) -> None:
    """Write a session with a compaction and a warning, its fork, its subagent, and another project's session."""
    first = transcript(root)
    turn(first, 20_000, "1")
    turn(first, 140_000, "2")
    warn(first)
    first.synthetic()
    first.answer(5, id="msg_error", error=True, tool_use_ids=())
    fork = first.path.read_bytes()
    first.boundary()
    first.summary("what was done")
    turn(first, 12_000, "3")
    first.path.with_name("second.jsonl").write_bytes(fork)
    second = transcript(root, "second")
    turn(second, 150_000, "4")
    turn(first.subagent("a1"), 9_000, "5")
    turn(transcript(root, "third", "-home-dev-other"), 30_000, "6")
