"""Claude Code's own names for its events, tools, variables and files (docs/client.md).

Standard library only: the installer loads it before there is an environment.
"""

import os
import re
from collections.abc import Mapping

# Events: the names of hooks in settings.json, and `hook_event_name` in their payloads.
SESSION_START = "SessionStart"
"""A session begins, is resumed, is cleared, or continues after a compaction."""
USER_PROMPT_SUBMIT = "UserPromptSubmit"
"""A prompt, a person's or not, is about to be sent."""
PRE_TOOL_USE, POST_TOOL_USE = "PreToolUse", "PostToolUse"
POST_TOOL_USE_FAILURE = "PostToolUseFailure"
"""A tool has run and failed: this comes in place of PostToolUse."""
POST_TOOL_BATCH = "PostToolBatch"
"""All tools of one answer have run."""
SUBAGENT_START = "SubagentStart"
"""A subagent begins; its own events then carry an `agent_id`."""
SUBAGENT_STOP = "SubagentStop"
"""A subagent has ended, or something that the client runs like one: a compaction's summariser, which has no type."""
PRE_COMPACT = "PreCompact"
"""The window is about to be emptied, by the client or on request."""
STOP = "Stop"
SESSION_END = "SessionEnd"
"""A session has ended, or another one replaces it."""
TOOL_USES = (POST_TOOL_USE, POST_TOOL_USE_FAILURE)
"""Each tool use has one of these."""

# Tools, as `tool_name` and a matcher name them.
READ, NOTEBOOK_READ, LS, GREP, GLOB = "Read", "NotebookRead", "LS", "Grep", "Glob"
WEB_FETCH, WEB_SEARCH = "WebFetch", "WebSearch"
BASH, POWER_SHELL = "Bash", "PowerShell"
WRITE, EDIT, MULTI_EDIT, NOTEBOOK_EDIT = "Write", "Edit", "MultiEdit", "NotebookEdit"
TODO_WRITE, TASK_CREATE, TASK_UPDATE = "TodoWrite", "TaskCreate", "TaskUpdate"
TASK_LIST, TASK_GET = "TaskList", "TaskGet"
AGENT, TASK, SKILL, EXIT_PLAN_MODE = "Agent", "Task", "Skill", "ExitPlanMode"
"""Older clients call Agent Task."""
SERVER_TOOL = "mcp__"
"""The prefix of the name of an MCP server's tool."""
EXIT_CODE = "Exit code "
"""The prefix of a failed command's result, whatever it printed; the code follows."""
INTERRUPTION = "[Request interrupted by user"
"""The prefix of the prompt that the client writes when a person stops a turn or a subagent."""
READING_TOOLS = (READ, GREP, GLOB, BASH)
"""The tools that bring a file's contents into the window."""
WRITING_TOOLS = (WRITE, EDIT, MULTI_EDIT, NOTEBOOK_EDIT)
LOADING_TOOLS = (AGENT, TASK, SKILL)
"""The tools that bring in another agent, or a skill's instructions."""

# Variables that the person sets and the client obeys.
CONFIG_DIRECTORY_VARIABLE = "CLAUDE_CONFIG_DIR"
"""The client's configuration directory, instead of `.claude` in the home directory."""
SIMPLE_VARIABLE = "CLAUDE_CODE_SIMPLE"
"""Makes the client run no hooks."""
SHELL_VARIABLE = "CLAUDE_CODE_GIT_BASH_PATH"
"""On Windows: the shell that runs the client's commands."""

# Variables that the client sets for the processes that it runs.
PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR"
"""The directory that the session was started in."""
SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
PROCESS_VARIABLE = "CLAUDE_PID"
"""Set by newer clients."""
ENTRY_POINT_VARIABLE = "CLAUDE_CODE_ENTRYPOINT"
PLUGIN_VARIABLE = "CLAUDE_PLUGIN_ROOT"
"""The directory of the plugin whose hook runs."""

# Variables that the person sets and that affect the window.
MODEL_VARIABLE, SUBAGENT_MODEL_VARIABLE = "ANTHROPIC_MODEL", "CLAUDE_CODE_SUBAGENT_MODEL"
DISABLE_LONG_VARIABLE = "CLAUDE_CODE_DISABLE_1M_CONTEXT"
BETAS_VARIABLE = "ANTHROPIC_BETAS"
"""Betas that the client requests, but ignores when it computes the window."""
BASE_URL_VARIABLE = "ANTHROPIC_BASE_URL"
FIRST_PARTY_VARIABLE = "_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL"
"""Makes another address count as Anthropic's own."""
MOST_TOKENS_VARIABLE = "CLAUDE_CODE_MAX_CONTEXT_TOKENS"
"""The window of a model that isn't Anthropic's."""
MOST_OUTPUT_VARIABLE = "CLAUDE_CODE_MAX_OUTPUT_TOKENS"
BEDROCK_VARIABLE = "CLAUDE_CODE_USE_BEDROCK"
COMPACT_WINDOW_VARIABLE = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
COMPACT_PERCENT_VARIABLE = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
COMPACTION_OFF_VARIABLES = ("DISABLE_AUTO_COMPACT", "DISABLE_COMPACT")
INSTRUCTIONS_OFF_VARIABLE = "CLAUDE_CODE_DISABLE_CLAUDE_MDS"

# Files and their directories.
DIRECTORY = ".claude"
"""The configuration directory in the home directory; in a project, the project's own."""
SETTINGS, LOCAL_SETTINGS = "settings.json", "settings.local.json"
"""The settings in either directory; and the person's own for a project, in the project's."""
MANAGED_SETTINGS, MANAGED_ADDITIONS = "managed-settings.json", "managed-settings.d"
"""The organisation's settings, in a directory that depends on the system, and a folder of files that override them."""
INSTRUCTIONS, LOCAL_INSTRUCTIONS, RULES = "CLAUDE.md", "CLAUDE.local.md", "rules"
"""Instruction files, and a folder of more; the local file is the person's own for this project."""
STATE = ".claude.json"
"""Projects and the person's answers; next to the configuration directory, or in it if CLAUDE_CONFIG_DIR names it."""
PROJECTS = "projects"
"""Transcripts, in the configuration directory: a folder for each directory that a session was started in."""
SESSIONS = "sessions"
"""The records of running clients, in the configuration directory: `PID.json`."""
SUBAGENTS = "subagents"
"""Subagents' transcripts, in a folder named after their session, next to its transcript."""
WORKTREES = os.path.join(os.sep, DIRECTORY, "worktrees", "")
"""The path in a project of the worktrees that the client creates for sessions (docs/client.md, "Sessions")."""
SUBAGENT_RECORD = ".meta.json"
"""The suffix of the client's record of a started subagent, next to its transcript."""
WORKFLOWS = "workflows"
"""A folder in `subagents`, with one for each workflow: its agents' transcripts."""

_MANAGED = {"darwin": "/Library/Application Support/ClaudeCode", "win32": r"C:\Program Files\ClaudeCode"}
_MANAGED_ELSEWHERE = "/etc/claude-code"


def state_file(directory: str, environ: Mapping[str, str]) -> str:
    """The path of the client's state file, for its configuration `directory`."""
    is_default = os.path.basename(directory) == DIRECTORY and not environ.get(CONFIG_DIRECTORY_VARIABLE)
    return os.path.join(os.path.dirname(directory) if is_default else directory, STATE)


def settings_files(directory: str, project: str, system: str) -> list[tuple[str, str]]:
    """The settings files' scopes and paths, strongest first; `directory` is the client's, `project` may be empty."""
    names = {"local": LOCAL_SETTINGS, "project": SETTINGS} if project else {}
    own = [(scope, os.path.join(project, DIRECTORY, name)) for scope, name in names.items()]
    managed = [("managed", path) for path in _managed_files(managed_directory(system))]
    return [*managed, *own, ("user", os.path.join(directory, SETTINGS))]


def _managed_files(directory: str) -> list[str]:
    """An organisation's settings files, the strongest first: an addition overrides those that sort before it."""
    folder = os.path.join(directory, MANAGED_ADDITIONS)
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json") and not name.startswith(".")]
    except OSError:
        names = []
    additions = [os.path.join(folder, name) for name in sorted(names, reverse=True)]
    return [*additions, os.path.join(directory, MANAGED_SETTINGS)]


def managed_directory(system: str) -> str:
    """The directory of an organisation's settings for everyone; `system` is named as in `sys.platform`."""
    return _MANAGED.get(system, _MANAGED_ELSEWHERE)


def is_first_party(environ: Mapping[str, str]) -> bool:
    """Whether the client's requests go to Anthropic's own address, by its environment."""
    address = environ.get(BASE_URL_VARIABLE, "")
    host = address.partition("://")[2].partition("/")[0].partition(":")[0].lower()
    return not address or host == "api.anthropic.com" or is_on(environ, FIRST_PARTY_VARIABLE)


def is_on(environ: Mapping[str, str], variable: str) -> bool:
    """Whether a boolean variable is on, by the client's rule."""
    return environ.get(variable, "").strip().lower() in {"1", "true", "yes", "on"}


def number(text: str) -> float | None:
    """The positive number at the start of a variable's text, by the client's rule: `60%` is 60; None without one."""
    begins = re.match(r"\s*\+?((?:\d+\.?\d*|\.\d+)(?:e\d+)?)", text, re.ASCII | re.IGNORECASE) if text else None
    return value if begins and 0 < (value := float(begins[1])) < 1e9 else None


def is_headless(environ: Mapping[str, str]) -> bool:
    """Whether the client that runs us has no terminal user (`claude -p`, an SDK)."""
    return environ.get(ENTRY_POINT_VARIABLE, "").startswith("sdk")
