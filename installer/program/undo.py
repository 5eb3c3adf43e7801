"""Restoring everything when an installation fails."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Undo(ExitStack):
    """Undo steps, run last first. A step that fails ends them: what stays may need what was done before it.

    If settings.json can't be restored, our line stays in place of the person's, which only our folder knows then.
    """

    def __init__(self) -> None:
        super().__init__()
        self.failure = ""

    @property
    def outcome(self) -> str:
        """A clause about what a failed installation has left behind."""
        if not self.failure:
            return "nothing was changed"
        return f"not all is as it was before: {self.failure}; run this again, or uninstall, once that can be written"

    def callback(
        self, callback: Callable[_Arguments, _Result], /, *args: _Arguments.args, **kwds: _Arguments.kwargs
    ) -> Callable[_Arguments, _Result]:
        def attempt() -> None:
            if self.failure:
                return
            try:
                callback(*args, **kwds)
            except OSError as error:
                self.failure = f"{error.filename2 or error.filename}: {error.strerror or error}"

        super().callback(attempt)
        return callback
