"""Decoders of a repository's files, and of the commands an agent runs there."""

import json
import os
import time
from pathlib import Path

from commands.audit import instruction_text
from monitor import dispatch
from monitor.checkpoints import proof
from monitor.checkpoints.project import orchestration
from monitor.checkpoints.project.repository import repository_of
from monitor.checkpoints.texts import orchestration_sections
from monitor.guards.reading import reads, shell
from monitor.session import Project, Session
from shared import project_files
from shared.settings import settings
from statusline import repository
from tests import scratch
from tests.monitor.workshop import Workshop
from tests.torture.decoders.decoder import Decoder, check_log

_COMMANDS = (
    'cd src && cat a.txt "b c" | grep -rn needle . > out 2>&1; for f in *.py; do head -n 3 $f; done',
    "bash -c 'sed -n 1,5p {a,b}/*.log' <<EOF\nbody\nEOF\necho $(git show HEAD:node_modules/x) # note",
    "FOO=bar sudo timeout 5 find node_modules -name x -exec cat {} \\; || (pushd /tmp; rg -g '*.md' x; popd)",
)


def checkpoint(home: Path) -> Decoder:
    """An unreadable checkpoint, ours or not, is skipped."""
    workshop = Workshop(scratch.install(home), home / "shop", home / "projects")
    workshop.edit("a.py")
    workshop.compact()
    path = workshop.folder / "cx-001-checkpoint.json"
    whole, directory = path.read_bytes(), os.path.realpath(workshop.project)
    proof_file = Path(str(path) + project_files.PROOF)
    event = json.dumps(workshop.payload("SessionStart", source="compact")).encode()

    def decode(data: bytes) -> None:
        path.write_bytes(data)
        for proven in (whole, data):
            proof_file.write_bytes(proof.of(str(workshop.root), directory, path.name, proven))
            for mark in (project_files.ACKNOWLEDGED, project_files.RESUMED):
                Path(str(path) + mark).unlink(missing_ok=True)
            dispatch.main(event, str(workshop.root))
        check_log(workshop.root)

    return Decoder([whole], decode)


def orchestration_yaml(home: Path) -> Decoder:
    """Its contents are plain JSON, and can be reported."""
    documents = [
        b"updated_at: 2026-01-05T10:00:00Z\nresumption:\n  step: 3\n  odd: 1:30\n  next: [a, {b: 1.5}]\n  on: yes\n",
        b"resumption:\n  instructions: |\n    Go on.\n  files: [{path: a, priority: 1}, b]\n  done: &a [x]\n  x: *a\n",
        b"resumption: {critical_context: [a], history: ['b'], day: 2026-01-05, n: 0x1F, f: .inf, s: !!set {a, b}}\n",
    ]

    def decode(data: bytes) -> None:
        text = data.decode("utf-8-sig", "replace")
        state = orchestration.resumption_of(text)
        assert json.loads(json.dumps(state)) == state
        orchestration.updated_at(text)
        for tell in (
            orchestration_sections.recovery,
            orchestration_sections.details,
            orchestration_sections.history,
        ):
            tell(state)
        orchestration_sections.files(state, Project("/shop", "/shop"))

    return Decoder(documents, decode)


def ignore_file(home: Path) -> Decoder:
    """An invalid rule is lost alone."""
    session = Session(str(home), settings.defaults(str(home)), {}, time.time())

    def decode(data: bytes) -> None:
        (home / reads.FILE).write_bytes(data)
        rules = reads.Rules(str(home), session)
        for name in ("a.py", "dist/x/y.js", "src/[a]/**", ".", "..", "\udcff", "a b"):
            rules.match(os.path.join(str(home), name))
        assert rules.match(os.path.join(str(home), "node_modules", "x")) or b"!" in data

    return Decoder(
        [b"dist/\n*.log\n!keep.log\n# note\n\\#x\n[a-z]?/**/b\n/src/**\n", b"\xef\xbb\xbfa/\r\n**/x\n"], decode
    )


def shell_command(home: Path) -> Decoder:
    """The paths that a command would read are absolute, whatever its words."""
    (home / "src").mkdir()
    (home / "src" / "a.py").touch()

    def decode(data: bytes) -> None:
        assert all(os.path.isabs(path) for path in shell.read_paths(data.decode("utf-8", "surrogateescape"), str(home)))

    return Decoder([command.encode() for command in _COMMANDS], decode)


def git_file(home: Path) -> Decoder:
    """The input stands in for each of git's files that we read."""
    git = home / ".git"
    (git / "objects").mkdir(parents=True)
    commit = b"0123456789abcdef0123456789abcdef01234567"

    def decode(data: bytes) -> None:
        for name in ("HEAD", "packed-refs", "commondir"):
            (git / "HEAD").write_bytes(b"ref: refs/heads/main\n")
            (git / name).write_bytes(data)
            repository_of(str(home))
            repository.head_of(str(home))
            (git / name).unlink()
        link = home / "linked" / ".git"
        link.parent.mkdir(exist_ok=True)
        link.write_bytes(data)
        repository_of(str(link.parent))
        repository.head_of(str(link.parent))

    return Decoder(
        [b"ref: refs/heads/main\n", commit + b"\n", commit + b" refs/heads/main\n", b"gitdir: ../.git\n"], decode
    )


def instruction_file(home: Path) -> Decoder:
    """Its imports are words of it."""

    def decode(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        result = instruction_text.parse(text)
        for name in result.imports:
            instruction_text.resolved(name, str(home / "CLAUDE.md"), str(home))

    return Decoder(
        [b"---\npaths: [src/**, '*.py']\n---\n# A\n@docs/a.md and `@not`\n<!-- gone -->\n```\n@b\n```\n- @~/c.md\n"],
        decode,
    )
