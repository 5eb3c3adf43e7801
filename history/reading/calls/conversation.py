"""One conversation read line by line: each call with its growth, and what made it.

The reading is a fold: what it knows after a line is one record, which the store keeps. So a transcript read in
many stretches gives the same rows as one read at once. An answer spans several lines, which may come in different
stretches; its row is given with each stretch until the next answer begins, and the last one holds.

After a rewind the abandoned branch stays in the transcript. Its calls were paid for and stay; the growth of the next
answer counts from the answer that the new branch continues from, which is known by its prompt's parent line.
"""

from msgspec.structs import replace

from history.reading.calls import additions, warnings
from history.reading.calls.parts import parts_of
from history.reading.calls.state import BranchPoint, ConversationState, OpenAnswer
from history.reading.calls.warnings import OpenWarning
from history.reading.calls.windows import Windows
from history.store.digest import digest_of
from history.store.rows import CallRow, CompactionRow, NewRows, WarningRow, WindowEntry
from history.store.schema import WarningOutcome
from history.store.stored_paths import StoredPaths
from shared.client.tools import EDIT_KINDS, OTHER, TOOLS
from shared.files import lenient
from shared.files.lenient import seconds_of
from shared.transcript.line import TranscriptLine, TranscriptMessage, line_in
from shared.transcript.records import (
    BYTES_PER_TOKEN,
    SYNTHETIC,
    Usage,
    compaction_in,
    identity_in,
    last_request,
    reminder_in,
    request_in,
    usage_in,
    usage_total_in,
)

_MOST_AWAITED = 500
"""Tool calls whose results are awaited; calls that never get one would pile up."""


class ConversationReading:
    """One transcript as it is read, from a state on."""

    def __init__(
        self, state: ConversationState, windows: Windows, paths: StoredPaths, summary_file: str, *, is_subagent: bool
    ) -> None:
        """`summary_file` is the file that warnings name."""
        self.state, self.rows = state, NewRows()
        self._windows, self._paths, self._summary_file = windows, paths, summary_file
        self._is_subagent = is_subagent
        self._calls_of_branch: list[CallRow] = []
        """Those of `rows` that no rewind has left, of this cycle, by their steps."""

    def add(self, data: bytes) -> bool:
        """Add the line `data`; returns whether it is a transcript's line."""
        line = line_in(data)
        if line is None:
            return False
        kind, message = line.type, line.message
        if line.isSidechain and not self._is_subagent:  # the oldest clients wrote a subagent's lines into its caller's
            return True
        if kind in {"assistant", "user"} and message is not None:
            self._note(line)
            if kind == "assistant":
                self._add_answer(line, message)
            else:
                self._add_user(line, message)
        elif kind == "attachment":
            self._add_attachment(line, data)
        elif kind == "system":
            self._add_compaction(line)
        elif (request := request_in(line)) is not None and request.is_conversation:
            self._sign(is_long=request.is_long)
        return True

    def finish(self) -> NewRows:
        """What has been added since the last call, with the open answer as it is now."""
        if self.state.answer is not None:
            self.rows.calls.append(self._row(self.state.answer))
        self.rows.answers[self.state.cycle] = self.state.point.step
        rows, self.rows, self._calls_of_branch = self.rows, NewRows(), []
        return rows

    def _note(self, line: TranscriptLine) -> None:
        state = self.state
        if state.first_at is None:
            state.first_at, state.directory = line.timestamp, self._paths.directory(line.cwd)
        state.last_at = line.timestamp or state.last_at
        state.version = line.version or state.version

    def _add_answer(self, line: TranscriptLine, message: TranscriptMessage) -> None:
        reported = message.usage
        if line.isApiErrorMessage or reported is None or message.model == SYNTHETIC:
            return
        billed = usage_in(reported)
        usage = usage_in(last_request(reported)) if reported.iterations else billed
        if not _sum(billed) or not _sum(usage):  # an answer of the model has a count above 0
            return
        identity = f"{message.id} {line.requestId or ''}" if message.id else line.uuid
        created = reported.cache_creation
        hour_long = lenient.count(created.get("ephemeral_1h_input_tokens")) if isinstance(created, dict) else None
        answer = self.state.answer
        if answer is None or answer.id != identity:
            self._close()
            answer = OpenAnswer(
                identity, digest_of(identity), seconds_of(line.timestamp), message.model, line.version,
                billed, usage, hour_long, self.state.branch, self.state.entries,
            )  # fmt: skip
            self.state.answer, self.state.entries = answer, []
        elif _sum(billed) > _sum(answer.billed):
            answer.billed, answer.usage, answer.hour_long = billed, usage, hour_long
        answer.is_whole = answer.is_whole or message.stop_reason is not None
        for block in message.blocks:
            answer.size += len(block.text or block.thinking or "")
            if block.type == "tool_use":
                answer.size += memoryview(block.input).nbytes
                self._await(block.id, additions.awaited_by(block, line.cwd))

    def _await(self, call: str, result: WindowEntry) -> None:
        awaited = self.state.awaited
        is_edit = TOOLS.get(result.name, OTHER).kind in EDIT_KINDS
        if self.state.warnings and is_edit and result.path.replace("\\", "/").endswith(f"/{self._summary_file}"):
            self.rows.outcomes |= warnings.all_decided(self.state.warnings, WarningOutcome.SAVED)
        result.path = (self._paths.directory if result.is_directory else self._paths.file)(result.path)
        awaited[call] = result
        if len(awaited) > _MOST_AWAITED:
            del awaited[next(iter(awaited))]

    def _add_user(self, line: TranscriptLine, message: TranscriptMessage) -> None:
        state = self.state
        if line.isCompactSummary:
            self._add_summary(message)
        results = () if isinstance(message.content, str) else message.content
        entries = [additions.result_of(block, state.awaited) for block in results if block.type == "tool_result"]
        if not entries and line.parentUuid and not line.isCompactSummary:
            self._go_on_from(digest_of(line.parentUuid))
        prompt = additions.prompt_of(message.content)
        state.entries += [*entries, prompt] if prompt else entries

    def _go_on_from(self, parent: int) -> None:
        """A prompt follows the line `parent`: if another prompt already did, the person has rewound."""
        point = self.state.prompts.get(parent)
        if point is None:
            self.state.prompts[parent] = self.state.point
            return
        self._close()
        until, cycle = self.state.branch.step, self.state.cycle
        if until > point.step:
            self.rows.abandoned.append((cycle, point.step, until))
            while self._calls_of_branch and self._calls_of_branch[-1].step > point.step:
                self._calls_of_branch.pop().abandoned = until
        self.state.branch, self.state.entries = point, []

    def _add_attachment(self, line: TranscriptLine, data: bytes) -> None:
        self._sign(identity=identity_in(line), usage_total=usage_total_in(line))
        tokens = reminder_in(line)
        if tokens is not None and tokens > 0 and not self.state.cycle and self.state.point == BranchPoint():
            self._sign(countdown=tokens)
        entry = additions.attachment_of(line)
        if entry is not None:
            self.state.entries.append(entry)
        level = warnings.level_in(line, data)
        if level is not None:
            key, point = digest_of(line.uuid), self.state.point
            self.rows.warnings.append(WarningRow(key, self.state.cycle, point.step, seconds_of(line.timestamp), level))
            self.state.warnings.append(OpenWarning(key, point.fill))

    def _add_compaction(self, line: TranscriptLine) -> None:
        compaction = compaction_in(line, is_subagent=self._is_subagent)
        if compaction is None:
            return
        took = line.compactMetadata.durationMs if line.compactMetadata else None
        at, key = seconds_of(line.timestamp), digest_of(compaction.id)
        trigger = compaction.trigger[:20]
        self._empty(CompactionRow(key, self.state.cycle, at, trigger, compaction.before, compaction.after, took))

    def _add_summary(self, message: TranscriptMessage) -> None:
        if self.state.compaction:
            self.rows.summaries[self.state.compaction] = len(message.text.encode(errors="replace")) // BYTES_PER_TOKEN
            self.state.compaction = 0

    def _empty(self, compaction: CompactionRow) -> None:
        """Begin the next cycle."""
        self._close()
        state = self.state
        self.rows.outcomes |= warnings.all_decided(state.warnings, WarningOutcome.COMPACTED)
        self.rows.compactions.append(compaction)
        self.rows.answers[state.cycle] = state.branch.step
        state.cycle, state.branch = state.cycle + 1, BranchPoint(cached=state.branch.cached)
        state.entries, state.prompts = [], {}
        self._calls_of_branch = []
        state.compaction = compaction.key

    def _sign(self, **signs: bool | str | int | None) -> None:
        """Note what a line shows of the window (WindowSigns); what it doesn't show stays."""
        values = {name: value for name, value in signs.items() if value not in {None, ""}}
        self.state.signs = replace(self.state.signs, **values)

    def _close(self) -> None:
        """Treat the open answer as complete."""
        answer = self.state.answer
        if answer is None:
            return
        self._calls_of_branch.append(self._row(answer))
        self.rows.calls.append(self._calls_of_branch[-1])
        self.state.branch, self.state.answer = answer.point, None
        if self.state.warnings:
            self.rows.outcomes |= warnings.after_answer(self.state.warnings, self.state.branch.fill)

    def _row(self, answer: OpenAnswer) -> CallRow:
        before, billed, fill = answer.before, answer.billed, answer.usage.tokens or answer.before.fill
        window, level = self._windows.of(
            fill, answer.model, answer.client, self.state.signs, is_subagent=self._is_subagent
        )
        growth, is_first = fill - before.fill, before.step == 0
        is_compacted = is_first and self.state.cycle > 0
        rebuild = before.cached.rebuilt_by(answer.usage, answer.at, answer.model, is_compacted=is_compacted)
        return CallRow(
            answer.key, self.state.cycle, answer.model, window, before.step + 1, None,
            answer.at, fill, growth, level, *rebuild,
            billed.input, billed.cache_creation, billed.cache_read, billed.output, answer.hour_long,
            parts_of(growth, before.output, before.size, answer.entries, is_first=is_first),
        )  # fmt: skip


def _sum(usage: Usage) -> int:
    return usage.tokens + usage.output
