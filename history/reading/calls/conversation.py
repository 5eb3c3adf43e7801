"""One conversation read line by line: each call with its growth, and what caused it.

An answer spans several lines; it is open until the next one begins.

After a rewind the abandoned branch stays in the transcript. Its calls were paid for and stay; the growth of the next
answer counts from the answer that the new branch continues from, which its prompt's parent line identifies.
"""

from msgspec.structs import replace

from history.reading.calls import additions, warnings
from history.reading.calls.branch import BranchPoint, OpenAnswer
from history.reading.calls.parts import parts_of
from history.reading.calls.warnings import OpenWarning
from history.reading.calls.windows import Windows, WindowSigns
from history.store.digest import digest_of
from history.store.rows import CallRow, CompactionRow, TranscriptRows, WarningRow, WindowEntry
from history.store.schema import WarningOutcome
from history.store.stored_paths import StoredPaths
from shared.client.tools import EDIT_KINDS, OTHER, TOOLS
from shared.files import lenient
from shared.files.lenient import seconds_of
from shared.transcript import records
from shared.transcript.line import TranscriptLine, TranscriptMessage, line_in


class ConversationReading:
    """A transcript that is being read, and what is known after each line."""

    def __init__(self, windows: Windows, paths: StoredPaths, summary_file: str, *, is_subagent: bool) -> None:
        """`summary_file` is the file that warnings name."""
        self._windows, self._paths, self._summary_file = windows, paths, summary_file
        self._is_subagent = is_subagent
        self.rows = TranscriptRows()
        """Without the open answer."""
        self.first_at: str | None = None
        """ISO 8601, as the client wrote it, of the first prompt or answer; None before it."""
        self.last_at = self.directory = self.version = ""
        """The directory is the one that the session was started in."""
        self._cycle = 0
        self._branch = BranchPoint()
        """Without the open answer."""
        self._answer: OpenAnswer | None = None
        self._entries: list[WindowEntry] = []
        """The entries since the newest answer began."""
        self._expected_results: dict[str, WindowEntry] = {}
        """The expected results of tool calls, by the calls' ids."""
        self._prompts: dict[int, BranchPoint] = {}
        """The branch's state at each prompt of this cycle, by the prompt's parent line."""
        self._calls_of_branch: list[CallRow] = []
        """This cycle's calls that no rewind has abandoned, in the order of their steps."""
        self._signs = WindowSigns()
        self._warnings: list[OpenWarning] = []
        self._compaction: CompactionRow | None = None
        """The compaction whose summary comes next."""

    @property
    def _point(self) -> BranchPoint:
        """The branch's state, the open answer included."""
        return self._answer.point if self._answer else self._branch

    def add(self, data: bytes) -> None:
        """Add the line `data`, if it is a transcript's."""
        line = line_in(data)
        if line is None or (line.isSidechain and not self._is_subagent):  # old clients wrote subagents' lines here
            return
        kind, message = line.type, line.message
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
        elif (request := records.request_in(line)) is not None and request.is_conversation:
            self._update_signs(is_long=request.is_long)

    def finish(self) -> None:
        """Treat the transcript as read to its end."""
        if self._answer is not None:
            self.rows.calls.append(self._row(self._answer))
        self.rows.answers[self._cycle] = self._point.step

    def _note(self, line: TranscriptLine) -> None:
        if self.first_at is None:
            self.first_at, self.directory = line.timestamp, self._paths.directory(line.cwd)
        self.last_at = line.timestamp or self.last_at
        self.version = line.version or self.version

    def _add_answer(self, line: TranscriptLine, message: TranscriptMessage) -> None:
        reported = message.usage
        if line.isApiErrorMessage or reported is None or message.model == records.SYNTHETIC:
            return
        billed = records.usage_in(reported)
        usage = records.usage_in(records.last_request(reported)) if reported.iterations else billed
        if not _sum(billed) or not _sum(usage):  # an answer of the model has a count above 0
            return
        identity = f"{message.id} {line.requestId or ''}" if message.id else line.uuid
        created = reported.cache_creation
        hour_long = lenient.count(created.get("ephemeral_1h_input_tokens")) if isinstance(created, dict) else None
        answer = self._answer
        if answer is None or answer.id != identity:
            self._close()
            answer = OpenAnswer(
                identity, digest_of(identity), seconds_of(line.timestamp), message.model, line.version,
                billed, usage, hour_long, self._branch, self._entries,
            )  # fmt: skip
            self._answer, self._entries = answer, []
        elif _sum(billed) > _sum(answer.billed):
            answer.billed, answer.usage, answer.hour_long = billed, usage, hour_long
        answer.is_whole = answer.is_whole or message.stop_reason is not None
        for block in message.blocks:
            answer.size += len(block.text or block.thinking or "")
            if block.type == "tool_use":
                answer.size += memoryview(block.input).nbytes
                self._expect(block.id, additions.expected_result(block, line.cwd))

    def _expect(self, call: str, result: WindowEntry) -> None:
        is_edit = TOOLS.get(result.name, OTHER).kind in EDIT_KINDS
        if self._warnings and is_edit and result.path.replace("\\", "/").endswith(f"/{self._summary_file}"):
            warnings.decide_all(self._warnings, WarningOutcome.SAVED)
        result.path = (self._paths.directory if result.is_directory else self._paths.file)(result.path)
        self._expected_results[call] = result

    def _add_user(self, line: TranscriptLine, message: TranscriptMessage) -> None:
        if line.isCompactSummary:
            self._add_summary(message)
        results = () if isinstance(message.content, str) else message.content
        entries = [
            additions.result_of(block, self._expected_results) for block in results if block.type == "tool_result"
        ]
        if not entries and line.parentUuid and not line.isCompactSummary:
            self._continue_from(digest_of(line.parentUuid))
        prompt = additions.prompt_of(message.content)
        self._entries += [*entries, prompt] if prompt else entries

    def _continue_from(self, parent: int) -> None:
        """Handle a prompt that follows the line `parent`: if another prompt already did, the person has rewound."""
        point = self._prompts.get(parent)
        if point is None:
            self._prompts[parent] = self._point
            return
        self._close()
        until = self._branch.step
        while self._calls_of_branch and self._calls_of_branch[-1].step > point.step:
            self._calls_of_branch.pop().abandoned = until
        self._branch, self._entries = point, []

    def _add_attachment(self, line: TranscriptLine, data: bytes) -> None:
        self._update_signs(identity=records.identity_in(line))
        tokens = records.reminder_in(line)
        if tokens is not None and tokens > 0 and not self._cycle and self._point == BranchPoint():
            self._update_signs(countdown=tokens)
        entry = additions.attachment_of(line)
        if entry is not None:
            self._entries.append(entry)
        level = warnings.level_in(line, data)
        if level is not None:
            point = self._point
            row = WarningRow(digest_of(line.uuid), self._cycle, point.step, seconds_of(line.timestamp), level)
            self.rows.warnings.append(row)
            self._warnings.append(OpenWarning(row, point.fill))

    def _add_compaction(self, line: TranscriptLine) -> None:
        compaction = records.compaction_in(line, is_subagent=self._is_subagent)
        if compaction is None:
            return
        took = line.compactMetadata.durationMs if line.compactMetadata else None
        at, key = seconds_of(line.timestamp), digest_of(compaction.id)
        trigger = compaction.trigger[:20]
        self._begin_cycle(CompactionRow(key, self._cycle, at, trigger, compaction.before, compaction.after, took))

    def _add_summary(self, message: TranscriptMessage) -> None:
        if self._compaction is not None:
            self._compaction.summary = len(message.text.encode(errors="replace")) // records.BYTES_PER_TOKEN
            self._compaction = None

    def _begin_cycle(self, compaction: CompactionRow) -> None:
        self._close()
        warnings.decide_all(self._warnings, WarningOutcome.COMPACTED)
        self.rows.compactions.append(compaction)
        self.rows.answers[self._cycle] = self._branch.step
        self._cycle, self._branch = self._cycle + 1, BranchPoint(cached=self._branch.cached)
        self._entries, self._prompts, self._calls_of_branch = [], {}, []
        self._compaction = compaction

    def _update_signs(self, **signs: bool | str | int | None) -> None:
        """Update the window's signs (WindowSigns) with those that a line shows; the others stay."""
        values = {name: value for name, value in signs.items() if value not in {None, ""}}
        self._signs = replace(self._signs, **values)

    def _close(self) -> None:
        """Treat the open answer as complete."""
        answer = self._answer
        if answer is None:
            return
        self._calls_of_branch.append(self._row(answer))
        self.rows.calls.append(self._calls_of_branch[-1])
        self._branch, self._answer = answer.point, None
        warnings.after_answer(self._warnings, self._branch.fill)

    def _row(self, answer: OpenAnswer) -> CallRow:
        before, billed, fill = answer.before, answer.billed, answer.usage.tokens or answer.before.fill
        window, level = self._windows.of(fill, answer.model, answer.client, self._signs)
        growth, is_first = fill - before.fill, before.step == 0
        is_compacted = is_first and self._cycle > 0
        rebuild, rebuilt = before.cached.rebuilt_by(answer.usage, answer.at, answer.model, is_compacted=is_compacted)
        return CallRow(
            key=answer.key, cycle=self._cycle, model=answer.model, window=window, step=before.step + 1, abandoned=None,
            at=answer.at, fill=fill, growth=growth, level=level, rebuild=rebuild, rebuilt=rebuilt,
            input=billed.input, cache_creation=billed.cache_creation, cache_creation_1h=answer.hour_long,
            cache_read=billed.cache_read, output=billed.output,
            parts=parts_of(growth, before.output, before.size, answer.entries, is_first=is_first),
        )  # fmt: skip


def _sum(usage: records.Usage) -> int:
    return usage.tokens + usage.output
