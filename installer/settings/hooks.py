"""The hooks of a settings text: ours as our registrations have them, among other people's and in mixed groups."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from installer.layout import Layout
from installer.settings import document, entries
from installer.settings.document import Malformed
from shared.registrations import REGISTRATIONS, Registration

_NAME = "hooks"


class Handler(NamedTuple):
    event: str
    group: dict[str, Any]
    part: dict[str, Any]

    @property
    def command(self) -> str:
        return str(self.part["command"])

    @property
    def matcher(self) -> str:
        """The matcher of its group; "*" if it has none."""
        matcher = self.group.get("matcher")
        return matcher if isinstance(matcher, str) and matcher else "*"


def check(text: str, events: Collection[str]) -> None:
    """Raise Malformed if the shape is not what the client reads: it would ignore the whole file."""
    hooks = document.find(text, _NAME) if events else None
    if hooks is None:
        return
    if text[hooks.value] != "{":
        raise Malformed('"hooks" must be an object of lists, one for each event', hooks.value)
    for groups in document.members_at(text, hooks.value):
        if groups.name in events and text[groups.value] != "[":
            raise Malformed(f'"hooks.{groups.name}" must be a list of groups', groups.value)


def refuse_lost(text: str, *edited: str) -> None:
    """Raise Malformed if `edited` texts have rewritten hooks with duplicate names, of which rewriting loses some."""
    hooks = document.find(text, _NAME)
    if hooks is not None and any(document.raw(one, _NAME) != document.raw(text, _NAME) for one in edited):
        document.refuse_doubled_names(text, hooks.value)


def created(text: str, registrations: Sequence[Registration]) -> list[str]:
    """The containers that `sync` would have to make: an event's list, or `hooks` itself."""
    events = _events(registrations)
    if document.find(text, _NAME) is None:
        return [_NAME, *events] if events else []
    present = _value(text)
    return [event for event in events if event not in present]


def sync(text: str, layout: Layout, registrations: Sequence[Registration], containers: Sequence[str]) -> str:
    """Make each registration occur once, and no other entry of ours; remove emptied `containers`. Raises Malformed."""
    check(text, _events(registrations))
    hooks = _value(text)
    served = serving(_own_handlers(hooks, layout), registrations)
    for registration, handler in served.items():
        # Its place and its time limit are the person's choice; the command is ours.
        handler.part["command"] = entries.hook_command(registration, layout)
    for registration in registrations:
        if registration not in served:
            hooks.setdefault(registration.event, []).append(entries.group(registration, layout))
    present = _own_handlers(hooks, layout)
    needed = {id(handler.part) for handler in serving(present, registrations).values()}
    after = _without(text, hooks, [handler for handler in present if id(handler.part) not in needed], containers)
    # Of duplicate names the client reads the last: what was removed may have hidden more of ours.
    return after if hooks or after == text else sync(after, layout, registrations, containers)


def find(text: str, layout: Layout) -> list[Handler]:
    return _own_handlers(_value(text), layout)


def serving(present: Sequence[Handler], registrations: Sequence[Registration]) -> dict[Registration, Handler]:
    """The handler of each registration: the one with its matcher, else one with a matcher of the person's."""
    pairs: dict[Registration, Handler] = {}
    rest = list(present)
    for is_exact in (True, False):
        for registration in registrations:
            fitting = (handler for handler in rest if _fits(handler, registration, is_exact=is_exact))
            handler = next(fitting, None) if registration not in pairs else None
            if handler is not None:
                pairs[registration] = handler
                rest.remove(handler)
    return pairs


def handlers(text: str) -> list[Handler]:
    """Every command handler; anything of another shape is someone else's, and is skipped."""
    return list(_handlers(_value(text)))


def append(text: str, groups: Mapping[str, Sequence[Any]]) -> str:
    """Append groups to those of their events. Raises Malformed, as `check` does."""
    if not groups:
        return text
    check(text, groups)
    hooks = _value(text)
    for event, added in groups.items():
        hooks.setdefault(event, []).extend(added)
    return document.put(text, _NAME, hooks)


def drop(text: str, is_dropped: Callable[[Handler], bool], containers: Sequence[str]) -> str:
    """Remove handlers, and groups left empty; of emptied containers, remove only `containers`."""
    hooks = _value(text)
    chosen = [handler for handler in _handlers(hooks) if is_dropped(handler)]
    return _without(text, hooks, chosen, containers) if chosen else text


def _value(text: str) -> dict[str, Any]:
    """The hooks, which the caller may change; empty if they are no object."""
    hooks = document.value(text, _NAME)
    return hooks if isinstance(hooks, dict) else {}


def _events(registrations: Sequence[Registration]) -> list[str]:
    return list(dict.fromkeys(entry.event for entry in registrations))


def _own_handlers(hooks: dict[str, Any], layout: Layout) -> list[Handler]:
    return [handler for handler in _handlers(hooks) if entries.is_hook(handler.command, layout)]


def _handlers(hooks: dict[str, Any]) -> Iterator[Handler]:
    for event, groups in hooks.items():
        for group in groups if isinstance(groups, list) else ():
            parts = group.get("hooks") if isinstance(group, dict) else None
            for part in parts if isinstance(parts, list) else ():
                if isinstance(part, dict) and isinstance(part.get("command"), str):
                    yield Handler(event, group, part)


def _fits(handler: Handler, registration: Registration, *, is_exact: bool) -> bool:
    place = (handler.event, entries.argument(handler.command))
    if place != (registration.event, registration.argument):
        return False
    if is_exact:
        return handler.matcher == registration.matcher
    # One with another entry's matcher wasn't changed by the person: it is that entry, switched off or doubled.
    return (*place, handler.matcher) not in {(entry.event, entry.argument, entry.matcher) for entry in REGISTRATIONS}


def _without(text: str, hooks: dict[str, Any], chosen: Sequence[Handler], containers: Sequence[str]) -> str:
    """Return the text with `hooks` less the chosen handlers, which are in them."""
    groups = {id(handler.group): handler.group for handler in chosen}
    parts = {id(handler.part) for handler in chosen}
    for group in groups.values():
        group["hooks"] = [part for part in group["hooks"] if id(part) not in parts]
    for event in {handler.event for handler in chosen}:
        hooks[event] = [group for group in hooks[event] if id(group) not in groups or group["hooks"]]
        if not hooks[event] and event in containers:
            del hooks[event]
    if chosen and not hooks and _NAME in containers:
        return document.remove_member(text, _NAME)
    return text if hooks == _value(text) else document.put(text, _NAME, hooks)
