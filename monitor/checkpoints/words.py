"""A session in words: what the person asked and decided, what the agent answered, and the client's own summary.

They lie in the person's own directory, apart from the checkpoint in the project that refers to them.
"""

import os
import re

import msgspec

from monitor.activity.requests import DECISIONS, UserRequest
from shared import paths
from shared.files import files, pruning

LONGEST, MOST = 16_000, 300_000
"""Characters of one text, and of all requests together, that are stored; of a longer one the middle is left out."""
LONGEST_SUMMARY = 64_000
RETENTION_DAYS = 90
"""After which the words of a checkpoint whose project is gone are removed."""
NO_RESULT, QUOTE = "(no result yet)", "\u201c"
"""How a step ends that is under way, and how one begins that is the agent's announcement."""
_TAKES_BACK = re.compile(
    r"(?i)\W*(?:no|nope|nah|actually|wait|stop|scratch that|never ?mind|forget|undo|revert|on second thought|instead"
    r"|i changed my mind|nein|doch)\b"
)
"""How the words begin by which a person takes back the answer before them."""
_FEWEST_WORDS = 3
"""The fewest words of a prompt that is a task on its own; `option 1` and `go on` are not."""


class SessionWords(msgspec.Struct, frozen=True, omit_defaults=True):
    """Secrets are masked in all of it. Defaults are omitted, so that a new field changes no older words' digest."""

    requests: tuple[UserRequest, ...] = ()
    """What the person asked and decided, the oldest first."""
    left_out: int = 0
    """Requests between the first and the newest that are not stored."""
    answer: str = ""
    """The agent's last words."""
    finished: str = ""
    """The last words with which it gave the turn back: the same where none came after them; empty before any."""
    remarks: tuple[str, ...] = ()
    """What it stated on the way, the oldest first, without what it announced."""
    steps: tuple[str, ...] = ()
    """What it did last since the newest request, each step with what came of it."""
    failures: tuple[str, ...] = ()
    """The newest commands before those that failed, each with the line that says why."""
    instructions: tuple[str, ...] = ()
    """What the agent was told to follow, the oldest first: by commands and skills, and by the plan approved last."""
    summary: str = ""
    """The client's newest one of the session, or of the compaction that the checkpoint came before."""
    since: int = 0
    """How many of the requests the summary can hold; those behind them came later."""
    prompts: tuple[str, ...] = ()
    """The requests as checkpoints without a schema have them."""
    earlier_summary: str = ""
    """Of a checkpoint that came before a compaction, the summary of the compaction before that one."""
    has_newer: bool = False
    """Whether a request or a step came after `answer`."""

    @property
    def is_answered(self) -> bool:
        """Whether the last finished answer is the newest thing that is known of the session."""
        return not self.has_newer and self.answer in {"", self.finished}

    @property
    def asked(self) -> list[UserRequest]:
        """What was asked for, without answers and refusals."""
        return [request for request in self.requests if request.kind not in DECISIONS]

    @property
    def decided(self) -> list[UserRequest]:
        """What was answered, refused or approved, and not taken back right after that."""
        following = [*self.requests[1:], None]
        return [
            request
            for request, later in zip(self.requests, following, strict=True)
            if request.kind in DECISIONS
            and not (later and later.kind not in DECISIONS and _TAKES_BACK.match(later.text))
        ]

    @property
    def under_way(self) -> str:
        """The agent's last words, unless they end an answer or the steps after them have done what they announce."""
        last = self.steps[-1] if self.steps else QUOTE
        is_over = not (last.startswith(QUOTE) or last.endswith(NO_RESULT))
        return "" if is_over or self.answer == self.finished else self.answer


class UnsaidWords(SessionWords, frozen=True):
    """The sentences of the requests that a compaction's summary lacks, of the most needed ones, the oldest first."""


def is_task(request: UserRequest) -> bool:
    """Whether a request on its own says what to do."""
    return request.text.startswith("/") or len(request.text.split()) >= _FEWEST_WORDS


def path_of(root: str, directory: str, name: str) -> str:
    """Where the words of the checkpoint `name` lie, of the project whose real path is `directory`."""
    import hashlib  # noqa: PLC0415  2 ms that only who has a checkpoint pays

    owner = f"{directory}\0{name}".encode("utf-8", "surrogateescape")
    return os.path.join(paths.words_directory(root), f"{hashlib.sha256(owner).hexdigest()[:32]}.json")


def digest_of(words: SessionWords) -> str:
    """What binds words to their checkpoint: a hash of all but the summary, which is made later."""
    import hashlib  # noqa: PLC0415  see above

    return hashlib.sha256(msgspec.json.encode(msgspec.structs.replace(words, summary=""))).hexdigest()


def read(path: str, digest: str) -> SessionWords | None:
    """The words at `path`, if they are those with this digest; without one, only words of before there were any."""
    words = files.load(path, SessionWords, None)
    if words is None or (digest and digest_of(words) != digest) or (not digest and words.requests):
        return None
    if words.prompts:
        requests = tuple(UserRequest("prompt", text) for text in words.prompts)
        return msgspec.structs.replace(words, requests=requests, prompts=())
    return words


def is_outdated(path: str, digest: str, age: float) -> bool:
    """Whether the words at `path` show that a checkpoint with this digest, `age` seconds old, is not the newest there.

    They are those of another checkpoint that got its number, or have gone with it though they would still be stored.
    """
    if digest and not os.path.lexists(path):
        return age < RETENTION_DAYS * pruning.DAY
    words = files.load(path, SessionWords, None)  # damaged ones cost themselves alone
    return words is not None and bool(words.requests) and digest_of(words) != digest


def write(path: str, words: SessionWords, now: float) -> None:
    """Write the file, and remove those that are so old that no project claims them. Raises OSError, also for a link."""
    files.make_private(os.path.dirname(path))
    if os.path.islink(os.path.dirname(path)):
        raise OSError(f"{os.path.dirname(path)} is a link, which isn't followed")
    files.write_atomic(path, msgspec.json.format(msgspec.json.encode(words), indent=2) + b"\n")
    pruning.prune(os.path.dirname(path), now, RETENTION_DAYS * pruning.DAY)
