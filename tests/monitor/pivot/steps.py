"""Logs of tool calls as the patterns see them: one line of code per turn."""

from monitor.activity import fingerprint
from monitor.activity.tool_calls import DONE, FAILED, ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import Finding
from shared.client.tools import Kind

DIRECTORY = "/home/dev/shop"


class Steps:
    """A log that grows by one turn with each call."""

    def __init__(self, turn: int = 0) -> None:
        self.log = ToolCallLog(directory=DIRECTORY, turns=turn)
        self.prompt = 1

    def read(self, path: str, *, part: str = "", output: str = "text", tokens: int = 100, failed: bool = False) -> None:
        """A read of a whole file, or of the lines `part`, as `1-100`."""
        kind: Kind = "part" if part else "read"
        step = self._add(kind, path, f"Read {path} {part}", outcome=fingerprint.of_text(output), tokens=tokens)
        step.first, step.last = map(int, (part or "1-2000").split("-"))
        step.state = FAILED if failed else DONE

    def search(self, word: str, *, output: str = "found", tokens: int = 100, failed: bool = False) -> None:
        step = self._add("search", "", f"Grep {word}", outcome=fingerprint.of_text(output), tokens=tokens)
        step.state = FAILED if failed else DONE

    def edit(self, path: str, old: str, new: str, *, failed: bool = False) -> None:
        removed, added = fingerprint.change(old, new)
        self._add("edit", path, f"Edit {old} {new}", removed=removed, added=added, state=FAILED if failed else DONE)

    def write(self, path: str, text: str = "") -> None:
        self._add("write", path, f"Write {path} {text}")

    def run(self, command: str, *, fails: str = "", tokens: int = 100) -> None:
        """Run a command; `fails` is the failure's text."""
        state = FAILED if fails else DONE
        outcome = fingerprint.of_error(fails.encode())
        self._add("command", "", command, state=state, outcome=outcome, tokens=tokens)

    def commit(self) -> None:
        self.log.revisions += 1

    def talk(self, turns: int = 1) -> None:
        """Add turns without a tool."""
        self.log.turns += turns

    def asks(self) -> None:
        """Add a prompt of the person's."""
        self.prompt += 1

    def same_turn(self) -> None:
        """Add the following steps to the answer before."""
        self.log.turns -= 1

    def _add(
        self,
        kind: Kind,
        path: str,
        call: str,
        *,
        removed: list[int] | None = None,
        added: list[int] | None = None,
        state: int = DONE,
        outcome: int = 0,
        tokens: int = 0,
    ) -> ToolCall:
        self.log.turns += 1
        whole = f"{DIRECTORY}/{path}" if path and not path.startswith("/") else path
        step = ToolCall(self.log.turns, kind, fingerprint.of_text(call), whole, self.prompt)
        step.removed, step.added = removed or [], added or []
        step.state, step.outcome, step.tokens = state, outcome, tokens
        step.revisions = self.log.revisions
        self.log.add(step)
        return step


def facts_of(finding: Finding | None) -> tuple[float, list[tuple[str, int, tuple[int, int], list[str]]]]:
    """A finding's score and its evidence, the paths within the project."""
    if finding is None:
        return 0, []
    return finding.score, [
        (each.text, each.count, each.turns, [path.removeprefix(DIRECTORY + "/") for path in each.files])
        for each in finding.evidence
    ]
