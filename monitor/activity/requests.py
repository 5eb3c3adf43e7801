"""The person's requests and decisions in a transcript's lines: the one list that everything uses.

A request is a prompt, a slash command or a skill with its arguments, an answer to the client's question, the words of a
refusal of a call or plan, or a prompt written while the agent worked. The client's own commands, and what bots,
monitors and background tasks write in the person's name, are not requests.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal

import msgspec

from monitor import command_line
from shared.client import client
from shared.files import lenient
from shared.text.word_set import word_set
from shared.transcript.line import Attachment, ContentBlock, PromptOrigin, TranscriptLine

RequestKind = Literal["prompt", "command", "queued", "answer", "refusal", "plan"]
"""The kind of a request. `queued` was written while the agent worked; the last three are decisions."""
DECISIONS = frozenset({"answer", "refusal", "plan"})
PLAN_HANDED_OVER = "Implement the following plan:"
"""The start of the client's prompt that carries a plan into an emptied window, in the same transcript or a new one."""
_MACHINES = frozenset({"system", "loop_wakeup", "schedule_wakeup", "poll_event"})
"""The source that newer clients give for a prompt that nobody typed; older ones give none."""
_PERSON = frozenset({"", "human"})
_CLIENTS_WORDS = re.compile(
    rf"{re.escape(client.INTERRUPTION)}|Operation stopped by hook|(?:\w+ )?operation (?:blocked|stopped) by hook"
)
"""The start of a text that the client writes in the person's place."""
_CLIENT_COMMANDS = word_set("""
    add-dir agents allowed-tools app approved-tools autocompact bashes btw bug chrome clear color compact config context
    continue copy cost desktop diff doctor effort exit export extra-usage fast feedback focus fork heapdump help hooks
    ide insights install install-github-app install-slack-app keybindings login logout mcp memory migrate-installer
    mobile model new output-style passes permissions plugin plugins privacy-settings quit rate-limit-options recap
    release-notes reload-plugins remote-control remote-env rename reset resume rewind sandbox scroll-speed session
    settings skills stats status statusline stickers stop tasks teleport terminal-setup theme think-back todos
    tui upgrade usage vim voice web-setup workflows
""")
"""Slash commands that the client carries out without the agent; they ask for no work."""
_NEED_WORDS = frozenset({"plan", "goal", "loop"})
"""Commands that are a request only with arguments."""
_COMMAND = re.compile(r"<command-name>\s*/?([^<\s]{1,100})\s*</command-name>")
_ARGUMENTS, _ARGUMENTS_END = "<command-args>", "</command-args>"
_TYPED_COMMAND = re.compile(r"/([A-Za-z][\w:.-]{0,80})(?:\s|$)")
_ADDITION = re.compile(r"<(ide_\w+|system-reminder)>")
"""The start of what the client adds to a prompt."""
_EVENT = re.compile(
    r"<(?:task-notification|local-command-|bash-(?:input|stdout|stderr)|user-memory-input|teammate-message|channel|command-)"
    r"|<([a-z]+[_-][\w-]*)(?: [^>]*)?>(?s:.*)</\1>\Z"
)
"""A program's text in the person's name: a known element, or one that is the whole text."""
_REFUSED = re.compile(
    r"The user doesn't want to (?:proceed with this tool use|take this action)"
    r"|The agent proposed a plan that was rejected"
)
"""The start of a refused call's result. A failed tool may print the same, after its exit code."""
_WORDS_OF_REFUSAL = re.compile(r"the user said:\s*\n(.*?)(?:\n\nNote: The user's next message|\Z)", re.DOTALL)
_CLARIFICATION = "The user wants to clarify these questions"
_ANSWERED_QUESTION = re.compile(r'(?m)^[ \t]*- "(.*?)"\n\s+Answer: (.+)')
_MOST_ANSWERS = 20
"""Answers in one result; the client asks four questions at a time."""
_ANSWERED = re.compile(r"(?:User has answered your questions|Your questions have been answered|The user answered):")
_APPROVED = re.compile(r"User has approved your plan")
_PLAN_FILE = re.compile(r"Your plan has been saved to: (\S[^\n]*)")
_LOADED = " is already loaded above"
"""The client's text in place of a skill that the agent already has."""
_HEAD = 2_000


class UserRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """One request, in the person's own words."""

    kind: RequestKind
    text: str
    """The text; for an approved plan, the path of the client's plan file."""
    about: str = ""
    """The question answered, or what was refused."""
    tool_use_id: str = ""
    """The call that was answered or refused."""


class _Decision(lenient.LenientRecord):
    """The client's record of its questions or of a plan; a tool may print the same words, but can't write this."""

    answers: dict[str, Any] = msgspec.field(default_factory=dict)
    annotations: dict[str, Any] = msgspec.field(default_factory=dict)
    plan: str = ""
    filePath: str = ""


def requests_in(line: TranscriptLine) -> list[UserRequest]:
    """The requests in a line, in order; none in a subagent's line or the client's own."""
    if line.isSidechain or line.isMeta or line.isCompactSummary:
        return []
    if line.type == "queue-operation":
        return _waiting(line) if line.operation == "enqueue" else []
    if line.type == "attachment":
        return _queued(line)
    is_persons = line.promptSource not in _MACHINES and (line.origin or PromptOrigin()).kind in _PERSON
    if line.type != "user" or line.message is None or not is_persons:
        return []
    if results := [block for block in line.message.blocks if block.type == "tool_result"]:
        return [request for block in results for request in _decisions(block, line)]
    return _typed(line.message.text, "prompt")


def retracted_in(line: TranscriptLine) -> list[UserRequest]:
    """Queued texts that are no requests: taken out to be rewritten, or the agent's own, such as a wake-up."""
    if line.type == "queue-operation":
        return _waiting(line) if line.operation == "popAll" else []
    if line.type != "user" or line.message is None or line.promptSource not in _MACHINES:
        return []
    return _typed(line.message.text, "queued")


def is_instruction(line: TranscriptLine, *, is_after_command: bool) -> bool:
    """Whether a line holds the instructions of a command or a skill to the agent."""
    if line.isSidechain or not line.isMeta or line.message is None or not (is_after_command or line.sourceToolUseID):
        return False
    text = line.message.text.strip()
    return bool(text) and text[0] not in "<[" and not text.startswith("Caveat:") and _LOADED not in text


def is_typed(prompt: str, source: str | None = None) -> bool:
    """Whether a person wrote `prompt`, even as a command of the client's; `source` is the client's word for it."""
    text = _without_additions(prompt)
    return source not in _MACHINES and not (_EVENT.match(text) or _CLIENTS_WORDS.match(text))


def _without_additions(text: str) -> str:
    parts, at = [], 0
    unclosed = set()  # not searched for again: from every start, that would take quadratic time
    for begun in _ADDITION.finditer(text):
        close = f"</{begun[1]}>"
        if begun.start() < at or close in unclosed:
            continue
        if (end := text.find(close, begun.end())) < 0:
            unclosed.add(close)
        else:
            parts.append(text[at : begun.start()])
            at = end + len(close)
    return "".join([*parts, text[at:]]).strip()


def _typed(text: str, kind: RequestKind) -> list[UserRequest]:
    match = _COMMAND.search(text, 0, _HEAD) if text.lstrip().startswith("<command-") else None
    if match:
        arguments, end, _ = text.partition(_ARGUMENTS)[2].partition(_ARGUMENTS_END)
        return _command(match[1], arguments.strip() if end else "", kind)
    text = _without_additions(text)
    if not text or not is_typed(text):
        return []
    if typed := _TYPED_COMMAND.match(text):
        return _command(typed[1], text[typed.end() :].strip(), kind)
    return [UserRequest(kind, text)]


def _command(name: str, arguments: str, kind: RequestKind) -> list[UserRequest]:
    is_ours = f"/{name.lower()}" in command_line.SLASH_COMMANDS
    if is_ours or name.lower() in _CLIENT_COMMANDS or (name in _NEED_WORDS and not arguments):
        return []
    return [UserRequest("queued" if kind == "queued" else "command", f"/{name} {arguments}".strip())]


def _waiting(line: TranscriptLine) -> list[UserRequest]:
    """The prompt in a line of the client's queue."""
    text = lenient.decode_or(bytes(line.content), str, "")
    return [] if text.startswith("{") else _typed(text, "queued")


def _queued(line: TranscriptLine) -> list[UserRequest]:
    """The prompt written while the agent worked, as newer clients pass it to the agent."""
    attached = line.attachment or Attachment()
    if attached.type != "queued_command" or (attached.origin or PromptOrigin()).kind not in _PERSON:
        return []
    prompt = attached.prompt
    if isinstance(prompt, list):
        prompt = "\n".join(str(block.get("text", "")) for block in prompt if isinstance(block, dict))
    return _typed(prompt, "queued") if isinstance(prompt, str) else []


def _decisions(block: ContentBlock, line: TranscriptLine) -> Iterator[UserRequest]:
    """The person's decisions in a tool's result: answers, refusals, a plan's approval."""
    head = bytes(block.content)[:_HEAD]
    if block.is_error:
        if b"doesn't want to" in head or b"rejected" in head:
            yield from _refusal(block)
    elif b"answered" in head or b"approved your plan" in head:
        record, result = lenient.record_or_empty(bytes(line.toolUseResult), _Decision), block.result
        if record.answers and _ANSWERED.match(result):
            yield from _answers(record, block.tool_use_id)
        elif record.plan and _APPROVED.match(result):
            file = _PLAN_FILE.search(result, 0, _HEAD)
            yield UserRequest("plan", record.filePath or (file[1].strip() if file else ""), "", block.tool_use_id)


def _answers(record: _Decision, tool_use_id: str) -> Iterator[UserRequest]:
    for question, answer in islice(record.answers.items(), _MOST_ANSWERS):
        text = ", ".join(map(str, answer)) if isinstance(answer, list) else str(answer).strip()
        annotation = record.annotations.get(question)
        notes = annotation.get("notes") if isinstance(annotation, dict) else None
        note = notes.strip() if isinstance(notes, str) else ""
        yield UserRequest("answer", text if note in text else f"{text} ({note})", question, tool_use_id)


def _refusal(block: ContentBlock) -> Iterator[UserRequest]:
    result = block.result
    if not _REFUSED.match(result):
        return
    match = _WORDS_OF_REFUSAL.search(result)
    words = match[1].strip() if match else ""
    if words.startswith(_CLARIFICATION):
        for match in islice(_ANSWERED_QUESTION.finditer(words), _MOST_ANSWERS):
            yield UserRequest("answer", match[2].strip(), match[1], block.tool_use_id)
        return
    yield UserRequest("refusal", words, "", block.tool_use_id)
