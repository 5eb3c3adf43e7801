"""Texts of the person's requests and decisions: in a few lines, or quoted in full."""

from collections.abc import Callable, Iterator

from monitor.activity.requests import DECISIONS, UserRequest
from monitor.checkpoints.texts.excerpt import excerpt
from monitor.checkpoints.token_budget import MOST_CHARACTERS, Section, tokens
from monitor.checkpoints.words import LONGEST, MissingWords, SessionWords, is_task
from shared.text.plain import code, elide, one_line, untagged

_FEWEST, _MOST_DECIDED = 12, 3
_LONGEST_QUESTION = 80
_LONGEST_INSTRUCTION = 3_000
"""Characters of the newest instruction; each earlier one gets half as many."""
_TASKS = 3
"""Last requests that are quoted at length, besides the first task."""


def request_text(request: UserRequest, longest: int = 2 * LONGEST) -> str:
    """The text of a request, with what it answers or refuses."""
    if request.kind == "answer":
        return f"{one_line(request.about, _LONGEST_QUESTION)} \u2192 {elide(request.text, longest)}"
    if request.kind == "refusal":
        refused = f"refused {code(request.about, _LONGEST_QUESTION)}" if request.about else "refused"
        return f"{refused}, and said: {elide(request.text, longest)}" if request.text else refused
    if request.kind == "plan":
        return f"approved the plan {request.text}".strip()
    return elide(request.text, longest)


def first_task(words: SessionWords) -> UserRequest | None:
    """The first request that says what to do, else the first request."""
    requests = words.asked
    return next((request for request in requests if is_task(request)), requests[0] if requests else None)


def newest_task(words: SessionWords, earlier: UserRequest | None = None) -> str:
    """The newest request, followed by the newest task if it isn't one itself, unless that task is `earlier`.

    The newest comes first, so that only the task before it may be cut off. A refusal that says what to do instead
    counts as a request.
    """
    requests = [one for one in words.requests if one.kind not in DECISIONS or (one.kind == "refusal" and is_task(one))]
    if not requests:
        return ""
    newest = requests[-1]
    task = next((request for request in reversed(requests) if is_task(request)), newest)
    return newest.text if task in (newest, earlier) else f"{newest.text} (after: {task.text})"


def short(words: SessionWords | None, budget: int, safe: Callable[[str], str]) -> list[Section]:
    """The first task, the newest request and decisions, in at most `budget` tokens once escaped by `safe`."""
    if words is None or not words.requests:
        return []
    if isinstance(words, MissingWords):
        texts = {"Asked, and not in the summary": [request_text(request) for request in words.requests]}
    else:
        texts = _texts_of(words)
    longest = max(_FEWEST, MOST_CHARACTERS * budget)  # more can't fit
    while True:
        sections = [Section(label, [_joined(parts, longest)]) for label, parts in texts.items()]
        text = "\n".join(f"{section.label}: {safe(section.items[0])}" for section in sections)
        if tokens(text + "\n") <= budget or longest <= _FEWEST:
            return sections
        longest = longest * 9 // 10


def _joined(parts: list[str], longest: int) -> str:
    """Join parts in one line of about `longest` characters; the longest are cut, so that the last one fits."""
    room, most = longest - 3 * (len(parts) - 1), longest
    while most > _FEWEST and sum(min(len(part), most) for part in parts) > room:
        most = max(_FEWEST, most * 9 // 10)
    return " | ".join(one_line(part, most) for part in parts)


def _texts_of(words: SessionWords) -> dict[str, list[str]]:
    first = first_task(words)
    newest = newest_task(words, first)
    texts = {"First asked": [first.text], "Last asked": [newest]} if first else {}
    if first is not None and first.text == newest:
        texts = {"Asked": [newest]}
    if decided := words.decided[-_MOST_DECIDED:]:
        texts["Decided"] = [request_text(request) for request in reversed(decided)]
    return texts


def quoted(words: SessionWords | None, budget: int, *, after: int = 0, tasks: str = "") -> Iterator[str]:
    """The requests from `after` on and the last answers, as Markdown of `budget` tokens; `tasks` are the open ones."""
    if words is None:
        return
    now, longest = "\n".join([*words.steps, words.answer, *words.remarks[-_TASKS:], tasks]), LONGEST
    while (needed := tokens("\n".join(_quoted(words, longest, after, now)))) > budget and longest > _FEWEST:
        # The quoted text shrinks no faster than its bound, so this never cuts more than necessary.
        longest = max(_FEWEST, min(longest * 4 // 5, longest * budget // needed))
    yield from _quoted(words, longest, after, now)


def _quoted(words: SessionWords, longest: int, after: int, now: str) -> Iterator[str]:
    whole = {id(request) for request in (first_task(words), *words.asked[-_TASKS:])}
    requests = words.requests[after:]
    if requests:
        yield from ("## What the user asked and decided" + (", after that account" if after else ""), "")
    for number, request in enumerate(requests):
        if number == 1 and words.left_out and not after:
            yield from (f"*{words.left_out} more are left out.*", "")
        room = longest if id(request) in whole else max(_FEWEST, longest // 4)
        yield from _quotation(excerpt(request_text(request), room, now))
    if words.instructions:
        yield from ("## What the agent was told to follow", "")
    for number, text in enumerate(reversed(words.instructions)):
        yield from _quotation(excerpt(text, max(_FEWEST, min(longest, _LONGEST_INSTRUCTION) >> number), now))
    yield from _list("What the agent stated on the way", words.remarks, longest)
    if words.finished:
        text = elide(words.finished, longest) if words.is_answered else excerpt(words.finished, longest, now)
        since = "" if words.is_answered else ", before newer requests or steps"
        yield from (f"## What the agent answered last{since}", "", *_quotation(text))
    if words.under_way:
        part = max(_FEWEST, longest // 2) if words.finished else longest
        yield from ("## What the agent was saying when this was saved", "", *_quotation(elide(words.under_way, part)))
    yield from _list("What failed before its last steps, and may be fixed since", words.failures, longest)
    yield from _list("What it did last", words.steps, longest)


def _list(heading: str, items: tuple[str, ...], longest: int) -> Iterator[str]:
    """The newest items, in order, as many as fit into the room for one text, but at least two."""
    if not items:
        return
    lines: list[str] = []
    for item in reversed(items):
        if len(lines) > 1 and sum(map(len, lines)) > longest:
            break
        lines.insert(0, f"- {untagged(one_line(item, longest))}")
    yield from (f"## {heading}", "", *lines, "")


def _quotation(text: str) -> Iterator[str]:
    yield from (f"> {line}".rstrip() for line in untagged(text).splitlines())
    yield ""
