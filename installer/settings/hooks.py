"""The hooks of a settings text: ours brought in line with what is wanted, among other people's and in mixed groups."""

import itertools
import json
import re
from collections.abc import Iterator, Sequence
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
    """One handler and what it stands in."""

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


def sync(text: str, layout: Layout, wanted: Sequence[Registration], made: Sequence[str]) -> str:
    """Have each wanted entry stand there once and no other of ours; of emptied containers only those go that we made.

    Raises Malformed where the shape is not what the client reads: it would ignore the whole file.
    """
    served = serving(find(text, layout), wanted)
    text = edit.substitute(text, _updates(served, layout))
    for registration in wanted:
        if registration not in served:
            text = append(text, registration.event, [entries.group(registration, layout)])
    present = find(text, layout)
    needed = serving(present, wanted).values()
    left = drop(text, [handler for handler in present if handler not in needed], made)
    # Of a name that stands there twice the client reads the last: what went may have hidden more of ours.
    return left if left == text else sync(left, layout, wanted, made)


def find(text: str, layout: Layout) -> list[Handler]:
    return [handler for handler in handlers(text, edited=True) if entries.is_hook(handler.command, layout)]


def serving(present: Sequence[Handler], wanted: Sequence[Registration]) -> dict[Registration, Handler]:
    """Which handler stands for which entry: the one with its matcher, else one whose matcher is the person's."""
    pairs: dict[Registration, Handler] = {}
    left = list(present)
    for is_exact in (True, False):
        for registration in wanted:
            fitting = (handler for handler in left if _fits(handler, registration, is_exact=is_exact))
            handler = next(fitting, None) if registration not in pairs else None
            if handler is not None:
                pairs[registration] = handler
                left.remove(handler)
    return pairs


def ours_of_any_root(text: str) -> list[Handler]:
    return [handler for handler in handlers(text, edited=True) if entries.is_hook_of_any_root(handler.command)]


def may_be_edited(text: str, part: Element) -> bool:
    """Whether there can be a command of ours, or of another monitor, in this part; it isn't parsed for that."""
    return _EDITED.search(text, part.start, part.node.end) is not None


def handlers(text: str, *, edited: bool = False) -> Iterator[Handler]:
    """Yield every command handler; what has another shape is somebody's, and passed over.

    With `edited`, only those that may be: a settings file may have thousands of others.
    """
    hooks = document.parse(text).find("hooks")
    for event in hooks.node.parts if hooks is not None and hooks.node.kind == "object" else ():
        if hooks is None or event is not hooks.node.find(event.name or ""):
            continue  # of doubled names only the last counts
        for group in event.node.parts if event.node.kind == "array" else ():
            if not edited or may_be_edited(text, group):
                yield from _handlers(text, event, group)


def _handlers(text: str, event: Element, group: Element) -> Iterator[Handler]:
    inner = group.node.find("hooks")
    for part in inner.node.parts if inner is not None and inner.node.kind == "array" else ():
        command = _text(text, part.node, "command")
        if inner is not None and command is not None:
            matcher = _text(text, group.node, "matcher") or "*"
            yield Handler(event, group, inner.node, part, command, matcher)


def _fits(handler: Handler, registration: Registration, *, is_exact: bool) -> bool:
    if handler.event.name != registration.event or entries.argument(handler.command) != registration.argument:
        return False
    if is_exact:
        return handler.matcher == registration.matcher
    # Another entry's matcher has not been changed by the person: it is that one, switched off or doubled.
    key = (registration.event, registration.argument)
    return handler.matcher not in {entry.matcher for entry in REGISTRATIONS if (entry.event, entry.argument) == key}


def append(text: str, event: str, groups: Sequence[dict[str, edit.Value]]) -> str:
    """Put groups, at least one, at the end of an event's. Raises Malformed."""
    first, *others = groups
    text = _append_first(text, event, first)
    if not others:
        return text
    root = document.parse(text)
    hooks = root.find("hooks")
    present = hooks.node.find(event) if hooks is not None else None
    return edit.extend(text, present.node, others, edit.style_of(text, root)) if present is not None else text


def _append_first(text: str, event: str, group: dict[str, edit.Value]) -> str:
    root = document.parse(text)
    style = edit.style_of(text, root)
    hooks = root.find("hooks")
    if hooks is None:
        return edit.insert(text, root, {event: [group]}, style, name="hooks")
    groups = _groups(hooks, event)
    if groups is None:
        return edit.insert(text, hooks.node, [group], style, name=event)
    return edit.insert(text, groups.node, group, style)


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


def drop(text: str, chosen: Sequence[Handler], made: Sequence[str]) -> str:
    """Take out those `chosen`, in the order of the text, and the groups left empty; of other containers only `made`."""
    text = edit.substitute(text, _removals(chosen))
    touched = {handler.event.name for handler in chosen}
    return _remove_containers(text, [event for event in made if event in touched], has_hooks="hooks" in made)


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


def _remove_containers(text: str, events: Sequence[str], *, has_hooks: bool) -> str:
    for event in events:
        hooks = document.parse(text).find("hooks")
        part = hooks.node.find(event) if hooks is not None else None
        if hooks is not None and part is not None and _is_empty(part.node, "array"):
            text = edit.remove(text, hooks.node, part)
    root = document.parse(text)
    hooks = root.find("hooks")
    if hooks is not None and events and has_hooks and _is_empty(hooks.node, "object"):
        text = edit.remove(text, root, hooks)
    return text


def _is_empty(node: Node, kind: str) -> bool:
    return node.kind == kind and not node.parts


def _text(text: str, node: Node, name: str) -> str | None:
    part = node.find(name)
    return document.string(text, part.node if part is not None else None)
