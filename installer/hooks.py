"""The hooks of a settings text: ours added once to each event, and taken out again, from mixed groups too."""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from installer import document, edit, entries
from installer.document import Malformed, Node, Part
from installer.layout import Layout


class Handler(NamedTuple):
    """One handler and what it stands in."""

    event: Part
    group: Part
    handlers: Node
    part: Part
    command: str


def created(text: str) -> list[str]:
    """Return the containers that `add` would have to make: an event's list, or `hooks` itself."""
    hooks = document.parse(text).find("hooks")
    if hooks is None:
        return ["hooks", *entries.EVENTS]
    return [event for event in entries.EVENTS if hooks.node.find(event) is None]


def add(text: str, layout: Layout) -> str:
    """Raises Malformed where the shape is not what the client reads: it would ignore the whole file."""
    for event in entries.EVENTS:
        ours = [found for found in find(text, layout) if found.event.name == event]
        text = _update(text, ours[0], layout) if ours else _append(text, event, layout)
        text = _remove_all(text, layout, event=event, keep=1)
    return text


def remove(text: str, layout: Layout, made: Sequence[str]) -> str:
    """Take ours out; of the emptied containers only those go that we made."""
    events = {found.event.name for found in find(text, layout)}
    text = _remove_all(text, layout)
    for event in entries.EVENTS:
        hooks = document.parse(text).find("hooks")
        part = hooks.node.find(event) if hooks is not None else None
        if hooks is None or part is None or event not in made or event not in events:
            continue
        if _is_empty(part.node, "array"):
            text = edit.remove(text, hooks.node, part)
    root = document.parse(text)
    hooks = root.find("hooks")
    if hooks is not None and events and "hooks" in made and _is_empty(hooks.node, "object"):
        text = edit.remove(text, root, hooks)
    return text


def find(text: str, layout: Layout) -> list[Handler]:
    return [found for found in handlers(text) if entries.is_hook(found.command, layout)]


def handlers(text: str) -> Iterator[Handler]:
    """Yield every command handler; what has another shape is somebody's, and passed over."""
    hooks = document.parse(text).find("hooks")
    for event in hooks.node.parts if hooks is not None and hooks.node.kind == "object" else ():
        if hooks is None or event is not hooks.node.find(event.name or ""):
            continue  # of doubled names only the last counts
        for group in event.node.parts if event.node.kind == "array" else ():
            inner = group.node.find("hooks")
            for part in inner.node.parts if inner is not None and inner.node.kind == "array" else ():
                command = part.node.find("command")
                found = document.string(text, command.node if command is not None else None)
                if inner is not None and found is not None:
                    yield Handler(event, group, inner.node, part, found)


def _append(text: str, event: str, layout: Layout) -> str:
    root = document.parse(text)
    style = edit.style_of(text, root)
    hooks = root.find("hooks")
    if hooks is None:
        return edit.insert(text, root, {event: [entries.group(layout)]}, style, name="hooks")
    if hooks.node.kind != "object":
        raise Malformed('"hooks" must be an object of lists, one for each event', hooks.node.start)
    groups = hooks.node.find(event)
    if groups is None:
        return edit.insert(text, hooks.node, [entries.group(layout)], style, name=event)
    if groups.node.kind != "array":
        raise Malformed(f'"hooks.{event}" must be a list of groups', groups.node.start)
    return edit.insert(text, groups.node, entries.group(layout), style)


def _update(text: str, found: Handler, layout: Layout) -> str:
    # Where the person has moved it and which time limit they gave it is theirs; the command is ours.
    ours = entries.hook_command(layout)
    command = found.part.node.find("command")
    if command is None or found.command == ours:
        return text
    return edit.replace(text, command.node, json.dumps(ours, ensure_ascii=False))


def _remove_all(text: str, layout: Layout, *, event: str | None = None, keep: int = 0) -> str:
    while True:
        ours = [found for found in find(text, layout) if event in (None, found.event.name)]
        if len(ours) <= keep:
            return text
        last = ours[-1]
        if len(last.handlers.parts) > 1:
            text = edit.remove(text, last.handlers, last.part)
        else:
            text = edit.remove(text, last.event.node, last.group)


def _is_empty(node: Node, kind: str) -> bool:
    return node.kind == kind and not node.parts


def is_ours_of_any_root(found: Handler) -> bool:
    return found.event.name in entries.EVENTS and entries.is_hook_of_any_root(found.command)
