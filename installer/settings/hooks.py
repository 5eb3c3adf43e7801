"""The hooks of a settings text: ours brought in line with what is wanted, among other people's and in mixed groups."""

import functools
import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from installer.layout import Layout
from installer.settings import entries
from installer.settings.text import document, edit
from installer.settings.text.document import Element, Malformed, Node
from installer.settings.text.edit import Substitution
from shared.registrations import REGISTRATIONS, Registration

# In the command of another program that tells the agent of its context window, such as GSD's.
OTHER_MONITOR = re.compile(r"context[-_ ]?(window[-_ ]?)?(monitor|guard|warning|watch)", re.IGNORECASE)
# Stands in every command that is edited, ours of whatever installation or another monitor's, unless somebody has
# written it with escapes.
_EDITED = re.compile(rf"tidegauge|\\u|{OTHER_MONITOR.pattern}", re.IGNORECASE)


class Handler(NamedTuple):
    event: Element
    group: Element
    handlers: Node
    part: Element
    command: str
    matcher: str  # "*" where none is given


def check(text: str, wanted: Sequence[Registration]) -> None:
    """Raise Malformed where `sync` would: before an edit has moved the place of what is wrong."""
    hooks = document.parse(text).find("hooks")
    if hooks is not None:
        for registration in wanted:
            _groups(hooks, registration.event)


def created(text: str, wanted: Sequence[Registration]) -> list[str]:
    """The containers that `sync` would have to make: an event's list, or `hooks` itself."""
    events = list(dict.fromkeys(entry.event for entry in wanted))
    hooks = document.parse(text).find("hooks")
    if hooks is None:
        return ["hooks", *events] if events else []
    return [event for event in events if hooks.node.find(event) is None]


def sync(text: str, layout: Layout, wanted: Sequence[Registration], containers: Sequence[str]) -> str:
    """Leave each wanted entry there once, and no other of ours; of emptied containers only those that we made go.

    Raises Malformed where the shape is not what the client reads: it would ignore the whole file.
    """
    served = serving(find(text, layout), wanted)
    missing: dict[str, list[edit.Value]] = {}
    for registration in wanted:
        if registration not in served:
            missing.setdefault(registration.event, []).append(entries.group(registration, layout))
    text = edit.substitute(text, [*_updates(served, layout), *_additions(text, missing)])
    present = find(text, layout)
    needed = serving(present, wanted).values()
    after = drop(text, [handler for handler in present if handler not in needed], containers)
    # Of a duplicate name the client reads the last: what was removed may have hidden more of ours.
    return after if after == text else sync(after, layout, wanted, containers)


def find(text: str, layout: Layout) -> list[Handler]:
    return [handler for handler in handlers(text, edited=True) if entries.is_hook(handler.command, layout)]


def serving(present: Sequence[Handler], wanted: Sequence[Registration]) -> dict[Registration, Handler]:
    """Which handler stands for which entry: the one with its matcher, else one whose matcher is the person's."""
    pairs: dict[Registration, Handler] = {}
    rest = list(present)
    for is_exact in (True, False):
        for registration in wanted:
            fitting = (handler for handler in rest if _fits(handler, registration, is_exact=is_exact))
            handler = next(fitting, None) if registration not in pairs else None
            if handler is not None:
                pairs[registration] = handler
                rest.remove(handler)
    return pairs


def ours_of_any_root(text: str) -> list[Handler]:
    return [handler for handler in handlers(text, edited=True) if entries.is_hook_of_any_root(handler.command)]


@functools.lru_cache(maxsize=4)  # several questions are asked of the same text, which may be megabytes long
def handlers(text: str, *, edited: bool = False) -> tuple[Handler, ...]:
    """Every command handler; anything of another shape is someone else's, and is skipped.

    With `edited`, only those that may be: a settings file may have thousands of others, which aren't parsed for that.
    """
    hooks = document.parse(text).find("hooks")
    events = hooks.node.by_name.values() if hooks is not None and hooks.node.kind == "object" else ()
    return tuple(
        handler
        for event in events
        for group in (event.node.parts if event.node.kind == "array" else ())
        if not edited or _EDITED.search(text, group.start, group.node.end)
        for handler in _handlers(event, group)
    )


def _handlers(event: Element, group: Element) -> Iterator[Handler]:
    inner = group.node.find("hooks")
    if inner is not None and inner.node.kind == "array":
        for part in inner.node.parts:
            command = part.node.string("command")
            if command is not None:
                yield Handler(event, group, inner.node, part, command, group.node.string("matcher") or "*")


def _fits(handler: Handler, registration: Registration, *, is_exact: bool) -> bool:
    place = (handler.event.name, entries.argument(handler.command))
    if place != (registration.event, registration.argument):
        return False
    if is_exact:
        return handler.matcher == registration.matcher
    # Another entry's matcher has not been changed by the person: it is that one, switched off or doubled.
    return (*place, handler.matcher) not in {(entry.event, entry.argument, entry.matcher) for entry in REGISTRATIONS}


def append(text: str, groups: Mapping[str, list[edit.Value]]) -> str:
    """Put groups at the end of their events'. Raises Malformed."""
    return edit.substitute(text, _additions(text, groups))


def _additions(text: str, groups: Mapping[str, list[edit.Value]]) -> Iterator[Substitution]:
    root = document.parse(text)
    hooks = root.find("hooks")
    present = {event: _groups(hooks, event) if hooks is not None else None for event in groups}
    for event, there in present.items():
        if there is not None:
            yield edit.addition(text, there.node, groups[event])
    absent: edit.Container = {event: groups[event] for event, there in present.items() if there is None}
    if absent and hooks is not None:
        yield edit.addition(text, hooks.node, absent)
    elif absent:
        yield edit.addition(text, root, {"hooks": absent})


def _groups(hooks: Element, event: str) -> Element | None:
    if hooks.node.kind != "object":
        raise Malformed('"hooks" must be an object of lists, one for each event', hooks.node.start)
    groups = hooks.node.find(event)
    if groups is not None and groups.node.kind != "array":
        raise Malformed(f'"hooks.{event}" must be a list of groups', groups.node.start)
    return groups


def _updates(served: dict[Registration, Handler], layout: Layout) -> Iterator[Substitution]:
    # Where the person has moved it and which time limit they gave it is theirs; the command is ours.
    for registration, handler in served.items():
        ours = entries.hook_command(registration, layout)
        command = handler.part.node.find("command")
        if command is not None and handler.command != ours:
            yield Substitution(command.node.start, command.node.end, json.dumps(ours, ensure_ascii=False))


def drop(text: str, chosen: Sequence[Handler], containers: Sequence[str]) -> str:
    """Take out those `chosen`, in the order of the text, and the groups left empty; of others, only `containers` go."""
    text = edit.substitute(text, _removals(chosen))
    root = document.parse(text)
    hooks = root.find("hooks")
    touched = {handler.event.name for handler in chosen}.intersection(containers)
    if hooks is None or not touched:
        return text
    events = [hooks.node.find(name or "") for name in touched]
    emptied = [event for event in events if event is not None and not event.node.parts]
    if "hooks" in containers and len(emptied) == len(hooks.node.parts):
        return edit.remove(text, root, hooks)
    return edit.substitute(text, edit.removals(hooks.node, emptied))


def _removals(chosen: Sequence[Handler]) -> Iterator[Substitution]:
    for event, in_event in itertools.groupby(chosen, attrgetter("event")):
        emptied = []
        for group, in_group in itertools.groupby(in_event, attrgetter("group")):
            handlers = list(in_group)
            if len(handlers) == len(handlers[0].handlers.parts):
                emptied.append(group)
            else:
                yield from edit.removals(handlers[0].handlers, [handler.part for handler in handlers])
        yield from edit.removals(event.node, emptied)
