"""The words of a session: the person's requests and decisions, the agent's answers, and the client's own summary.

They are stored in the person's own directory, apart from the checkpoint in the project that refers to them.
"""

import os
import re

import msgspec

from monitor.activity.requests import DECISIONS, UserRequest
from shared import paths
from shared.files import files, pruning

LONGEST, MOST = 16_000, 300_000
"""Characters stored of one text, and of all requests together; the middle of a longer one is left out."""
LONGEST_SUMMARY = 64_000
RETENTION_DAYS = 90
"""Days after which the words of a checkpoint whose project is gone are removed."""
NO_RESULT, QUOTE = "(no result yet)", "\u201c"
"""The end of a step that is under way, and the start of one that is the agent's announcement."""
_TAKES_BACK = re.compile(
    r"(?i)\W*(?:no|nope|nah|actually|wait|stop|scratch that|never ?mind|forget|undo|revert|on second thought|instead"
    r"|i changed my mind|nein|doch)\b"
)
"""The start of a prompt that retracts the answer before it."""
_FEWEST_WORDS = 3
"""The fewest words of a prompt that is a task on its own; `option 1` and `go on` are not."""


class SessionWords(msgspec.Struct, frozen=True, omit_defaults=True):
    """All secrets are masked. Defaults are omitted, so that a new field doesn't change the digest of older words."""

    requests: tuple[UserRequest, ...] = ()
    """The person's requests and decisions, the oldest first."""
    left_out: int = 0
    """Requests between the first and the newest that are not stored."""
    answer: str = ""
    """The agent's last words."""
    finished: str = ""
    """The agent's last words that ended a turn: the same as `answer` if no words came later; empty before any."""
    remarks: tuple[str, ...] = ()
    """The agent's statements along the way, the oldest first, without announcements."""
    steps: tuple[str, ...] = ()
    """The agent's last steps since the newest request, each with its outcome."""
    failures: tuple[str, ...] = ()
    """The newest failed commands before those steps, each with the line that says why."""
    instructions: tuple[str, ...] = ()
    """Instructions to the agent, the oldest first: from commands, skills and the last approved plan."""
    summary: str = ""
    """The client's newest summary, or that of the compaction after the checkpoint."""
    since: int = 0
    """The number of requests that the summary can cover; later ones are newer."""
    prompts: tuple[str, ...] = ()
    """The requests in checkpoints without a schema."""
    earlier_summary: str = ""
    """The summary of the compaction before, in a checkpoint before a compaction."""
    has_newer: bool = False
    """Whether a request or a step came after `answer`."""

    @property
    def is_answered(self) -> bool:
        """Whether the last finished answer is the newest thing known about the session."""
        return not self.has_newer and self.answer in {"", self.finished}

    def follow(self, earlier: "SessionWords") -> bool:
        """Whether these are later words of the same session; not if the transcript was replaced, or is too long."""
        return self.requests[:1] == earlier.requests[:1]

    @property
    def asked(self) -> list[UserRequest]:
        return [request for request in self.requests if request.kind not in DECISIONS]

    @property
    def decided(self) -> list[UserRequest]:
        """The decisions that weren't retracted right away."""
        following = [*self.requests[1:], None]
        return [
            request
            for request, later in zip(self.requests, following, strict=True)
            if request.kind in DECISIONS
            and not (later and later.kind not in DECISIONS and _TAKES_BACK.match(later.text))
        ]

    @property
    def under_way(self) -> str:
        """The agent's last words, unless they ended a turn or the steps after them did what they announced."""
        last = self.steps[-1] if self.steps else QUOTE
        is_over = not (last.startswith(QUOTE) or last.endswith(NO_RESULT))
        return "" if is_over or self.answer == self.finished else self.answer


class MissingWords(SessionWords, frozen=True):
    """The sentences of the most important requests that a compaction's summary lacks, the oldest first."""


def is_task(request: UserRequest) -> bool:
    """Whether a request says what to do by itself."""
    return request.text.startswith("/") or len(request.text.split()) >= _FEWEST_WORDS


def path_of(root: str, directory: str, name: str) -> str:
    """The file with the words of the checkpoint `name` in the project whose real path is `directory`."""
    import hashlib  # noqa: PLC0415  2 ms, only with a checkpoint

    owner = f"{directory}\0{name}".encode("utf-8", "surrogateescape")
    return os.path.join(paths.words_directory(root), f"{hashlib.sha256(owner).hexdigest()[:32]}.json")


def digest_of(words: SessionWords) -> str:
    """The hash that binds words to their checkpoint, of all but the summary, which is made later."""
    import hashlib  # noqa: PLC0415  see above

    return hashlib.sha256(msgspec.json.encode(msgspec.structs.replace(words, summary=""))).hexdigest()


def read(path: str, digest: str) -> SessionWords | None:
    """The words at `path` if they have this digest; without a digest, only words from before there were digests."""
    words = files.load(path, SessionWords, None)
    if words is None or (digest and digest_of(words) != digest) or (not digest and words.requests):
        return None
    if words.prompts:
        requests = tuple(UserRequest("prompt", text) for text in words.prompts)
        return msgspec.structs.replace(words, requests=requests, prompts=())
    return words


def is_outdated(path: str, digest: str, age: float) -> bool:
    """Whether the words at `path` show that the checkpoint with this digest, `age` seconds old, is gone or replaced."""
    if digest and not os.path.lexists(path):
        return age < RETENTION_DAYS * pruning.DAY
    words = files.load(path, SessionWords, None)  # damaged words don't outdate their checkpoint
    return words is not None and bool(words.requests) and digest_of(words) != digest


def write(path: str, words: SessionWords, now: float) -> None:
    """Write the words, and remove files older than RETENTION_DAYS. Raises OSError, also for a link."""
    files.make_private(os.path.dirname(path))
    if os.path.islink(os.path.dirname(path)):
        raise OSError(f"{os.path.dirname(path)} is a link, which isn't followed")
    files.write_atomic(path, msgspec.json.format(msgspec.json.encode(words), indent=2) + b"\n")
    pruning.prune(os.path.dirname(path), now, RETENTION_DAYS * pruning.DAY)
