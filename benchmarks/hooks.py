"""The time that each other hook adds to the tool call, prompt or compaction that waits for it."""

import os
import shutil
import subprocess
from typing import Any

from benchmarks import payload, transcript
from benchmarks.case import Case, Unexpected
from benchmarks.groups import Group, bare
from benchmarks.installation import BenchmarkInstallation
from benchmarks.pairing import measure
from benchmarks.process import run
from benchmarks.scene import Scene

BELOW, WARNING, CRITICAL = 60_000, 142_000, 161_000
"""Tokens: below the ceiling and every tier; over the ceiling and the first level; at the tier CRITICAL."""
CHECKPOINTS = os.path.join(".claude", "tidegauge", "checkpoints")
AGENT = {"description": "Find the callers", "subagent_type": "general-purpose", "prompt": "Find them. " * 40}


def hooks(installed: BenchmarkInstallation, scratch: str, rounds: int) -> Group:
    """Every hook except the one at each tool use, in rows by event; half the rounds, because there are many."""
    cases = [
        bare(installed),
        *_guards(installed, scratch),
        _write(installed, scratch),
        _subagent(installed, scratch),
        _prompt(installed, scratch),
        *_checkpoints(installed, scratch),
    ]
    critical = _critical_prompt(installed, scratch)
    group = Group("Hooks", cases[0].name, measure([*cases, critical[0]], max(1, rounds // 2)))
    if len([name for name in os.listdir(critical[1]) if name.endswith(".json")]) != 1:  # next to each is its proof
        raise Unexpected(f"{critical[0].name}: another checkpoint was written")
    return group


def _guards(installed: BenchmarkInstallation, scratch: str) -> list[Case]:
    below, over = Scene(installed, scratch, "below ceiling", BELOW), Scene(installed, scratch, "over ceiling", WARNING)
    command = installed.command("PreToolUse", "Agent")
    return [
        Case("PreToolUse Agent, below the ceiling", command, below.environment, _use(below, "Agent", AGENT)),
        Case(
            "PreToolUse Agent, over it: warns",
            command,
            over.environment,
            _use(over, "Agent", AGENT),
            over.forget,
            b"71% of the context window is used (ceiling: 40%)",
        ),
        _read_guard(installed, scratch),
    ]


def _read_guard(installed: BenchmarkInstallation, scratch: str) -> Case:
    """A command that the guard lets through after it has blocked another."""
    scene = Scene(installed, scratch, "read guard", BELOW)
    scene.project = _repository(scratch, "guarded")
    # The entry is written once the guard is on; it starts the same command as the event's other one.
    command = installed.command("PreToolUse", "Agent")
    environment = {**scene.environment, "TIDEGAUGE_HOOKS__READ_GUARD": "true"}
    ignored = _use(scene, "Bash", {"command": "cat dist/app.js"})
    result = subprocess.run(command, input=ignored, env=environment, capture_output=True, check=False)
    if result.returncode != 2:
        raise Unexpected(f"read guard: exit status {result.returncode} for what is ignored")
    allowed = {"command": "grep -n compute src/*.py | head -40 && git status --short", "description": "Look"}
    return Case("PreToolUse Bash, read guard on", command, environment, _use(scene, "Bash", allowed))


def _write(installed: BenchmarkInstallation, scratch: str) -> Case:
    scene = Scene(installed, scratch, "writes", BELOW)
    written = {"file_path": os.path.join(scene.project, "src", "app.py"), "content": "value = compute(value)\n" * 200}
    stdin = _use(scene, "Write", written, "PostToolUse", tool_response={"type": "create", **written})
    return Case("PostToolUse Write, writing tools", installed.command("PostToolUse", "Write"), scene.environment, stdin)


def _subagent(installed: BenchmarkInstallation, scratch: str) -> Case:
    scene = Scene(installed, scratch, "subagent", WARNING)
    stdin = _event(scene, "SubagentStart", agent_id="af622dac1dee013bb", agent_type="general-purpose")
    mark = installed.run_file(f"subagents-{scene.session}")
    command = installed.command("SubagentStart")
    return Case("SubagentStart, speaks", command, scene.environment, stdin, lambda: _remove(mark), b"71% used")


def _prompt(installed: BenchmarkInstallation, scratch: str) -> Case:
    scene = Scene(installed, scratch, "prompt", BELOW)
    stdin = _event(scene, "UserPromptSubmit", prompt="Fix the greeting")
    expected = b"<tier>NORMAL</tier>"
    command = installed.command("UserPromptSubmit")
    return Case("UserPromptSubmit, NORMAL", command, scene.environment, stdin, expected=expected)


def _critical_prompt(installed: BenchmarkInstallation, scratch: str) -> tuple[Case, str]:
    """A later prompt at CRITICAL, and the directory of the only checkpoint, which the first prompt wrote."""
    scene = Scene(installed, scratch, "critical prompt", CRITICAL)
    scene.project = _repository(scratch, "critical")
    stdin = _event(scene, "UserPromptSubmit", prompt="Fix the greeting")
    command, expected = installed.command("UserPromptSubmit"), b"<tier>CRITICAL</tier>"
    case = Case("UserPromptSubmit, CRITICAL, checkpoint there", command, scene.environment, stdin, expected=expected)
    run(case)
    return case, os.path.join(scene.project, CHECKPOINTS)


def _checkpoints(installed: BenchmarkInstallation, scratch: str) -> list[Case]:
    """The first checkpoint of a session with an unread transcript, and starts from a checkpoint."""
    saving, resuming = (Scene(installed, scratch, name, CRITICAL) for name in ("saving", "resuming"))
    saving.project, resuming.project = _repository(scratch, "saving"), _repository(scratch, "resuming")
    folder, activity = os.path.join(saving.project, CHECKPOINTS), f"activity-{saving.session}.json"

    def forget() -> None:
        saving.forget()
        shutil.rmtree(folder, ignore_errors=True)
        _remove(installed.run_file(activity))

    command, extra = installed.command("PreCompact"), {"trigger": "auto", "custom_instructions": None}
    stdin = _event(saving, "PreCompact", **extra)
    before = Case("PreCompact, git repository", command, saving.environment, stdin, forget, b"cx-001-checkpoint.json")
    run(Case("checkpoint", command, resuming.environment, _event(resuming, "PreCompact", **extra), expected=b"cx-001"))
    stdin = _event(resuming, "SessionStart", source="compact", model=transcript.MODEL)
    command = installed.command("SessionStart")
    after = Case("SessionStart, resumes", command, resuming.environment, stdin, resuming.forget, b"cx-001")
    return [before, after]


def _event(scene: Scene, name: str, **fields: Any) -> bytes:
    return payload.event(name, scene.session, scene.path, scene.project, **fields)


def _use(scene: Scene, tool: str, arguments: dict[str, str], event: str = "PreToolUse", **fields: Any) -> bytes:
    newest = transcript.tool_use_id(transcript.TURNS)
    return _event(scene, event, tool_name=tool, tool_input=arguments, **fields, tool_use_id=newest)


def _repository(scratch: str, name: str) -> str:
    """A project under git, with a commit, a change and an ignored directory."""
    path = os.path.join(scratch, f"shop-{name}")
    os.makedirs(os.path.join(path, "src"))
    for number in range(40):
        _put(os.path.join(path, "src", f"part_{number}.py"), "value = compute(value)\n" * 50)
    _put(os.path.join(path, ".tidegaugeignore"), "dist/\nnode_modules/\n*.min.js\n")
    git = ["git", "-C", path, "-c", "user.name=Dev", "-c", "user.email=dev@example.org"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Begin"]):
        subprocess.run([*git, *command], check=True, stdout=subprocess.DEVNULL)
    _put(os.path.join(path, "src", "part_1.py"), "value = 1\n")
    return path


def _put(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _remove(path: str) -> None:
    if os.path.exists(path):
        os.unlink(path)
