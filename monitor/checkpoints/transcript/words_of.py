"""Read the words of a session from its transcript. Apart from their record, as the readers are slow to import."""

import msgspec

from monitor.activity.activity import Activity, LinePosition, RequestPosition
from monitor.activity.checks.failures import without_directory
from monitor.activity.checks.reason import reason_of
from monitor.activity.requests import DECISIONS, UserRequest, requests_in
from monitor.checkpoints.compaction import own_words
from monitor.checkpoints.transcript.remark import LONGEST as LONGEST_REMARK
from monitor.checkpoints.transcript.remark import is_announcement, statement
from monitor.checkpoints.transcript.steps import MOST as MOST_STEPS
from monitor.checkpoints.transcript.steps import OUTCOME, TARGET, start_of, steps_since
from monitor.checkpoints.words import LONGEST, LONGEST_SUMMARY, MOST, SessionWords
from shared import effort
from shared.client import client
from shared.secrets.masking import masked_in_time
from shared.text.plain import code, elide, one_line, plain
from shared.transcript import jsonl
from shared.transcript.line import TranscriptLine, line_in

_MOST_REMARKS = 4_000
"""Characters of statements that are kept, approximately."""
_MARGIN = 64_000
"""Characters of a longer text that are searched for secrets besides those stored: a third of them before the stored
end, which is more than a private key has.
"""
_MOST_FAILURES = 5
_PLAN = "## Approved Plan:\n"
_NEWEST_REQUEST = "(Here came the newest request.)"


def words_of(activity: Activity, transcript: str) -> SessionWords | None:
    """The words that the transcript still has at the positions in `activity`; None without any request."""
    requests = _requests(activity, transcript)
    if not requests:
        return None
    summarised = activity.summary.offset if activity.summary else -1
    # Answers from before a summary are in it, and may be outdated by then.
    finished = _text_at(transcript, activity.finished_answer, since=summarised)
    # Since the newest request, but no further back than the remarks for the steps shown.
    begins = max((at.offset for at in (*activity.remarks[-MOST_STEPS:][:1], *activity.requests[-1:])), default=0)
    steps = steps_since(transcript, begins, activity.offset, activity.log.directory)
    summary = _text_at(transcript, activity.summary, LONGEST_SUMMARY)
    words = SessionWords(
        requests=_bounded([request for _, request in requests]),
        left_out=max(0, activity.request_count - len(activity.requests)),
        instructions=_instructions(activity, transcript),
        answer=_text_at(transcript, activity.answer, since=summarised),
        finished="" if is_announcement(finished) else finished,
        steps=steps,
        failures=_failures(activity, transcript, steps),
        summary=own_words(summary),
        since=sum(position.offset < summarised for position, _ in requests),
        has_newer=activity.has_newer,
    )
    return msgspec.structs.replace(words, remarks=_remarks(activity, transcript, words))


def _requests(activity: Activity, transcript: str) -> list[tuple[RequestPosition, UserRequest]]:
    """The requests with secrets masked, and with what they refused.

    A decision is listed once, where it was made last: the client may ask again, and each of several answers in a line
    has a position, at which all of them are read.
    """
    requests = []
    for position in sorted([*activity.requests, *activity.decisions], key=lambda position: position.offset):
        line = _line_at(transcript, position)
        for request in requests_in(line) if line is not None else ():
            about = request.about or (position.about if request.kind == "refusal" else "")
            # A server's error may imitate the client's refusal, with words of the person.
            text = "" if position.about.startswith(client.SERVER_TOOL) else _clipped(request.text)
            clipped = UserRequest(request.kind, text, _clipped(about, LONGEST // 8))
            requests.append((position, clipped))
    newest = {request: position for position, request in requests}
    return [
        (position, request)
        for position, request in requests
        if request.kind not in DECISIONS or newest[request] is position
    ]


def _instructions(activity: Activity, transcript: str) -> tuple[str, ...]:
    """The instructions of commands and skills to the agent, and the last approved plan."""
    plans = [position for position in activity.decisions if position.kind == "plan"][-1:]
    positions = sorted([*activity.instructions, *plans], key=lambda position: position.offset)
    texts = [_plan_at(transcript, at) if at in plans else _text_at(transcript, at) for at in positions]
    newest = {text.lstrip().partition("\n")[0]: text for text in texts}  # the same skill may be loaded again
    return tuple(text for text in texts if text and newest[text.lstrip().partition("\n")[0]] is text)


def _plan_at(transcript: str, position: LinePosition) -> str:
    """The plan, as the client repeats it at its approval."""
    line = _line_at(transcript, position)
    results = [block.result for block in line.message.blocks] if line is not None and line.message else []
    return _clipped(next((text.partition(_PLAN)[2] for text in results if _PLAN in text), ""))


def _failures(activity: Activity, transcript: str, steps: tuple[str, ...]) -> tuple[str, ...]:
    """The newest failed commands since the last compaction, with the reason; not those in `steps` or failing checks."""
    since = activity.summary.offset if activity.summary else -1
    listed = [without_directory(failure.command) for failure in activity.failures]
    failures: list[str] = []
    for command, attempt in reversed(activity.attempts.items()):
        quoted = code(command, TARGET).replace(start_of(activity.log.directory), "")
        is_elsewhere = any(step.startswith(quoted) for step in steps) or any(one in quoted for one in listed)
        if attempt.offset < since or is_elsewhere or len(failures) == _MOST_FAILURES:
            continue
        if why := reason_of(attempt, transcript):
            why = one_line(why, OUTCOME).replace(start_of(activity.log.directory), "")
            failures.append(f"{quoted}: {why}{' (passed since)' if attempt.has_passed else ''}")
    return tuple(reversed(failures))


def _remarks(activity: Activity, transcript: str, words: SessionWords) -> tuple[str, ...]:
    """The agent's statements since the last compaction, except those that are handed on whole."""
    whole = {activity.finished_answer, activity.answer if words.under_way else None}
    since = activity.summary.offset if activity.summary else -1
    newest_request = activity.requests[-1].offset if activity.requests else -1
    remarks: list[str] = []
    for position in reversed(activity.remarks):
        if position.offset <= since or sum(map(len, remarks)) > _MOST_REMARKS:
            break
        longest = LONGEST // 8 if position == activity.answer else LONGEST_REMARK
        stated = statement(_text_at(transcript, position), longest) if position not in whole else ""
        if stated and position.offset < newest_request and _NEWEST_REQUEST not in remarks:
            remarks.append(_NEWEST_REQUEST)
        remarks += [stated] if stated else []
    return tuple(reversed(remarks))


def _bounded(requests: list[UserRequest]) -> tuple[UserRequest, ...]:
    longest = LONGEST
    while sum(min(len(request.text), longest) for request in requests) > MOST:
        longest = longest * 3 // 4
    return tuple(msgspec.structs.replace(request, text=elide(request.text, longest)) for request in requests)


def _text_at(transcript: str, position: LinePosition | None, longest: int = LONGEST, *, since: int = -1) -> str:
    """The text of the line at `position`, safe to store; empty if it can't be read or is before byte `since`."""
    line = _line_at(transcript, position) if position and position.offset >= since else None
    return _clipped(line.message.text, longest) if line is not None and line.message else ""


def _line_at(transcript: str, position: LinePosition) -> TranscriptLine | None:
    return None if effort.is_over() else line_in(jsonl.line_at(transcript, position.offset))


def _clipped(text: str, longest: int = LONGEST) -> str:
    # Mask before the final cut, which may be within a secret.
    masked = masked_in_time(elide(text, min(8 * longest, longest + _MARGIN)))
    lines = elide(masked, longest).splitlines()
    return "\n".join(plain(line.replace("\t", "    "), 2 * longest) for line in lines).strip()
