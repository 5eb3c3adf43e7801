"""Install: work out the change, ask, place the program, and edit settings.json last."""

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack

from installer import (
    change,
    check,
    companions,
    configuration,
    files,
    former,
    interruption,
    launchers,
    program,
    record,
    settings,
    status_line,
    strays,
)
from installer.change import Change
from installer.check import Answers
from installer.layout import Layout
from installer.record import Entry
from installer.refusal import Refusal
from installer.registration import Wanted
from installer.strays import Stray
from monitor.registrations import wanted

Worker = Callable[[bytes | None], Change]


class Installation:
    """One run: what is wanted, and what the settings file would become."""

    def __init__(self, layout: Layout, *, status_line: bool, hooks: bool, with_companions: bool = True) -> None:
        self.layout = layout
        settings.refuse_hard_link(layout.settings)
        self.companions = companions.plan(layout, wanted=with_companions)
        self.entries = record.load(layout)
        self._is_wanted = (status_line, hooks)
        self._makes_directories = len(files.missing_directories(os.path.dirname(layout.settings)))
        self.worker = self._worker()
        self.planned = self.worker(settings.read(layout.settings))

    def files(self) -> list[str]:
        paths = [self.layout.environment, *launchers.names(self.layout), self.layout.record]
        entry = self.planned.entry
        if entry is not None and status_line.is_runnable(entry.former.status_line):
            paths.append(self.layout.wrapped)
        return [*paths, *(path for path, _ in self.companions.written)]

    def diff(self) -> str:
        return self.planned.diff(self.layout.settings)

    def strays(self) -> list[Stray]:
        """Return the entries of other Tidegauges that the settings have now."""
        return strays.find(settings.text_of(self.layout.settings, self.planned.before), self.layout)

    def carry_out(self, source: str, say: Callable[[str], None]) -> Answers:
        """Raises Refusal, and then everything is as it was before."""
        say("Making the environment, which takes a moment ...")
        try:
            with ExitStack() as undo:
                program.place(self.layout, source, undo, say)
                self._plan_again(say)
                changed, answers = self._register(undo)
                companions.place(self.layout, self.companions, undo)
                interruption.ignore()
                self._save(self.planned.entry)
                done = undo.pop_all()
        except KeyboardInterrupt:
            raise Refusal("interrupted; nothing was changed") from None
        except OSError as error:
            raise Refusal(f"{error.filename}: {error.strerror}; nothing was changed") from None
        program.clean(self.layout)
        del done  # the lock is given back
        if changed:
            say(f"Wrote {self.layout.settings}.")
            for backup in settings.backups(self.layout.settings)[-1:]:
                say(f"Its contents before this: {backup}")
        return answers

    def _worker(self) -> Worker:
        """Return what brings the settings file in line with the configuration as it is now."""
        status_line, hooks = self._is_wanted
        ours = Wanted(status_line, wanted(configuration.switches(self.layout)) if hooks else ())
        entry, before = self.entries.get(self.layout.settings), former.find(self.layout, self.entries)
        return change.registered(self.layout, ours, entry, before, new_directories=self._makes_directories)

    def _plan_again(self, say: Callable[[str], None]) -> None:
        """Only the environment knows for certain where the person's configuration is."""
        self.worker = self._worker()
        before, self.planned = self.planned, self.worker(settings.read(self.layout.settings))
        if self.planned.after != before.after:
            say(f"Something has changed meanwhile, and this is what will be written:\n{self.diff()}")

    def _register(self, undo: ExitStack) -> tuple[bool, Answers]:
        """Edit settings.json, and return whether it changed and what its commands answer."""
        for path in (self.layout.record, self.layout.wrapped):
            program.keep(path, undo)
        self._save_meanwhile()
        # First with the commands as they will stand there: no session shall meet one that does not run.
        check.run(self._commands(self.planned.after), self.layout)
        with interruption.hold():
            before, after = settings.replace(self.layout.settings, self._edit)
            if before != after:
                undo.callback(settings.remove_backups, self.layout.settings, [record.digest(before)])
                undo.callback(files.replace_if, os.path.realpath(self.layout.settings), after, before)
        answers = check.run(self._commands(settings.read(self.layout.settings)), self.layout)
        return before != after, answers

    def _edit(self, before: bytes | None) -> bytes | None:
        self.planned = self.worker(before)
        self._save_meanwhile()
        return self.planned.after

    def _save_meanwhile(self) -> None:
        if self.planned.entry is not None:
            old, line = self.entries.get(self.layout.settings), former.find(self.layout, self.entries).status_line
            self._save(record.meanwhile(self.planned.entry, old, line))

    def _save(self, entry: Entry | None) -> None:
        if entry is not None:
            record.save(self.layout, self.entries | {self.layout.settings: entry})

    def _commands(self, contents: bytes | None) -> check.Commands:
        text = settings.text_of(self.layout.settings, contents)
        return check.commands(text, self.layout) if text.strip() else check.Commands(None, None)


def source_of(directory: str | None) -> str:
    """Return the directory to install from. Raises Refusal in an installed environment, which has none."""
    if directory is None or not os.path.exists(os.path.join(directory, "pyproject.toml")):
        raise Refusal(f"there is nothing to install from here; {sys.executable} -I -m installer only uninstalls")
    return directory
