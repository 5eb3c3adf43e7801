"""Spawn: continue the work in a new session, from a prompt with its state."""

import os
import re
import shlex
import sys

from monitor import command_line
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.compaction import carried_over
from monitor.checkpoints.project.repository import workplace
from monitor.checkpoints.save import describe, save
from monitor.checkpoints.texts import orchestration_sections, requests, sections
from monitor.checkpoints.texts.summary import summary_lines
from monitor.checkpoints.token_budget import Section, compose
from monitor.checkpoints.words import SessionWords
from monitor.pivot.strategies.strategy import Context, File, Outcome
from monitor.session import Project
from shared.client.client import SESSION_VARIABLE
from shared.process.boundary import attempt
from shared.secrets.masking import masked
from shared.text.plain import elide, name_end, one_line, untagged, whole_seconds

BUDGET, REQUESTS_BUDGET = 1_200, 3_000
"""Tokens for the measured state, and for the requests, answers and steps since."""
LONGEST_SUMMARY = 24_000
"""Characters of the client's own summary in the prompt; the middle of a longer one is left out."""
ACCOUNT = "## The account of the session that filled its window"
_ANALYSES = (
    (re.compile("<analysis>"), re.compile("</analysis>")),
    (
        re.compile(r"^Analysis:[ \t]*$", re.MULTILINE),
        re.compile(r"(?=^Summary:[ \t]*$)", re.MULTILINE),
    ),
)
"""The start and end of the summariser's analysis, which older clients leave in the summary."""


def carry_out(context: Context) -> Outcome:
    """Write the prompt's file and a checkpoint that it names, and say how to start."""
    session, project = context.session, context.project
    facts = (context.conversation, session, project, "spawn", context.verdict)
    saved = attempt("spawn", session.root, save, *facts)
    checkpoint, path = (saved.checkpoint, saved.path) if saved else (describe(*facts), None)
    prompt = masked(continuation(checkpoint, path, project))
    asks_agent = ACCOUNT not in prompt and context.is_asked and bool(session.environ.get(SESSION_VARIABLE))
    document = f"{prompt}\n\n{ACCOUNT}\n\n" if asks_agent else f"{prompt}\n"
    written = [context.save("spawn", "continuation.md", document, "the prompt for the new session")]
    start = command(written[0].path, workplace(project))
    if saved:
        written.append(File(saved.path, "the checkpoint that it names"))
    if asks_agent:
        return Outcome("spawn", tuple(written), _request(written, start))
    if saved and saved.is_proven:
        start = command_line.resume(session, saved.number)
    lines = ["The prompt for a new session is written:", *(file.line for file in written)]
    lines += ["To start the new session, in the project's directory:", f"    {start}"]
    return Outcome("spawn", tuple(written), "\n".join(lines))


def continuation(checkpoint: Checkpoint, path: str | None, project: Project) -> str:
    """The new session's prompt on the work so far; `path` is the checkpoint's file."""
    state, info = checkpoint.resumption_state, checkpoint.session_info
    place, last = one_line(workplace(project), 300), project.working_directory
    if last and not os.path.isdir(last):
        place += f" (it last worked in {one_line(last, 300)}, which is gone)"
    head = (
        f"Go on with the work of session {info.session_id} in {place}"
        f" ({sections.fill(checkpoint)}% full). This was measured in it at {whole_seconds(checkpoint.timestamp)} UTC;"
        " look at the files themselves before you rely on it."
    )
    parts = [
        *orchestration_sections.recovery(state),
        sections.tasks(checkpoint, 20),
        sections.failing(checkpoint, 5),
        sections.commits(checkpoint, 5),
        sections.checks(checkpoint, 5),
        Section("Read first", [name_end(project.short_path(place), 160) for place in checkpoint.documents]),
        sections.edited(checkpoint, project, 12),
        sections.branch(checkpoint, 12),
        *orchestration_sections.details(state),
        sections.prompts(checkpoint),
        sections.read(checkpoint, project, 10),
        Section("More", [sections.path_text(path, project)] if path else [], keeps_end=True),
    ]
    lines = [f"- {line.label}: {untagged(line.text)}" for line in summary_lines(checkpoint, project)]
    short = "\n".join(["## In short", "", *lines]) if lines else ""
    account, since = _account(checkpoint)
    tasks = "\n".join(task.text for task in checkpoint.todo)
    words = "\n".join(requests.quoted(checkpoint.words, REQUESTS_BUDGET, after=since, tasks=tasks))
    foot = "Say in a few sentences what you understand the task to be and what comes next, then go on with that."
    measured = compose("## Where the work stands", parts, foot, BUDGET, untagged)
    return "\n\n".join(part for part in (head, short, account, words.strip(), measured) if part)


def _account(checkpoint: Checkpoint) -> tuple[str, int]:
    """The client's own summary, which is the best account there is, and the number of requests that it can cover."""
    words, info = checkpoint.words or SessionWords(), checkpoint.session_info
    summary, is_newest = words.summary, checkpoint.is_before_compaction
    if is_newest and not summary:  # the hook that saves it didn't run
        summary = masked(carried_over(info.transcript_path, info.transcript_size).summary)
    if not summary:  # the checkpoint's own compaction hasn't happened
        summary, is_newest = words.earlier_summary, False
    if not summary:
        return "", 0
    since = len(words.requests) if is_newest else words.since
    text, age = untagged(elide(_without_analysis(summary).removeprefix("Summary:").strip(), LONGEST_SUMMARY)), ""
    if checkpoint.compacted_at and not is_newest:  # something came after it
        at = whole_seconds(checkpoint.compacted_at)
        age = f", at {at} UTC. Everything else here is newer, and holds where the two differ"
    return f"{ACCOUNT}\n\nThe client wrote it when it compacted the conversation{age}.\n\n{text}", since


def _without_analysis(summary: str) -> str:
    for opening, closing in _ANALYSES:
        begins = opening.search(summary)
        ends = closing.search(summary, begins.end()) if begins else None
        summary = summary[: begins.start()] + summary[ends.end() :] if begins and ends else summary
    return summary.strip()


def command(path: str, directory: str, *, is_windows: bool = sys.platform == "win32") -> str:
    """The command that starts a new session in `directory` with the prompt in the file at `path`."""
    if is_windows:  # PowerShell's notation, in which a quotation mark is doubled
        quoted = [f"'{text.replace(chr(39), 2 * chr(39))}'" for text in (directory, path)]
        return f"Set-Location {quoted[0]}; claude (Get-Content -Raw {quoted[1]})"
    return f'cd {shlex.quote(directory)} && claude "$(cat {shlex.quote(path)})"'


def _request(written: list[File], start: str) -> str:
    """The request to the agent for an account of this session, which it can give better than any rule."""
    wanted = (
        "Write it now, under the last heading of the first file: what the user asked for and decided, what is done and"
        " why so, what failed and for what cause, what is under way, and the next step. At most 800 words, no secrets."
    )
    head = "The prompt for a new session is written, but for an account of this one."
    foot = "Then tell the user how to start the new session:"
    return "\n".join([head, *(file.line for file in written), wanted, foot, f"    {start}"])
