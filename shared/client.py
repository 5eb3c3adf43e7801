"""What is Claude Code's own: the names that it gives to events, tools, variables and files (client-facts.md).

Constants only, and no import: the hot processes load it, and so does the installer before there is an environment.
"""

# Events, each the name of a hook in settings.json and `hook_event_name` in its payload.
SESSION_START = "SessionStart"
"""A session begins, is resumed, is cleared, or goes on after a compaction."""
USER_PROMPT_SUBMIT = "UserPromptSubmit"
"""A prompt is about to be sent, whoever wrote it."""
PRE_TOOL_USE = "PreToolUse"
"""A tool is about to run, and may be kept from it."""
POST_TOOL_USE = "PostToolUse"
"""A tool has run."""
POST_TOOL_USE_FAILURE = "PostToolUseFailure"
"""A tool has run and failed: this comes in the place of PostToolUse."""
POST_TOOL_BATCH = "PostToolBatch"
"""All tools of one answer have run."""
SUBAGENT_START = "SubagentStart"
"""A subagent begins; its own events then carry an `agent_id`."""
SUBAGENT_STOP = "SubagentStop"
"""A subagent has ended, or what the client runs like one: a compaction's summariser, of no type."""
PRE_COMPACT = "PreCompact"
"""The window is about to be emptied, by the client or on request."""
STOP = "Stop"
"""The agent's turn has ended."""
SESSION_END = "SessionEnd"
"""A session has ended, or gives its place to another."""
TOOL_USES = (POST_TOOL_USE, POST_TOOL_USE_FAILURE)
"""Of each tool use, one of these."""

# Tools, as `tool_name` and a matcher name them.
READ, GREP, GLOB, BASH = "Read", "Grep", "Glob", "Bash"
WRITE, EDIT, MULTI_EDIT, NOTEBOOK_EDIT = "Write", "Edit", "MultiEdit", "NotebookEdit"
AGENT, TASK, SKILL = "Agent", "Task", "Skill"
"""Task is what older clients call Agent."""
READING_TOOLS = (READ, GREP, GLOB, BASH)
"""Those by which a file's contents come into the window."""
WRITING_TOOLS = (WRITE, EDIT, MULTI_EDIT, NOTEBOOK_EDIT)
LOADING_TOOLS = (AGENT, TASK, SKILL)
"""Those that bring in another agent, or a skill's instructions."""

# Variables: a person's, which the client obeys, and the client's, in the environment of what it runs. Those that
# bear on the window stand where it is worked out.
CONFIG_DIRECTORY_VARIABLE = "CLAUDE_CONFIG_DIR"
"""The person's: its configuration directory, in the place of `.claude` in the home directory."""
SIMPLE_VARIABLE = "CLAUDE_CODE_SIMPLE"
"""The person's: it runs no hooks."""
SHELL_VARIABLE = "CLAUDE_CODE_GIT_BASH_PATH"
"""The person's, on Windows: the shell that runs its commands."""
PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR"
"""The client's: the directory that the session was started in."""
SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
"""The client's: the session's id."""
PROCESS_VARIABLE = "CLAUDE_PID"
"""The client's, from newer ones: its process id."""
ENTRY_POINT_VARIABLE = "CLAUDE_CODE_ENTRYPOINT"
"""The client's: how it was started; `sdk…` for a run without a person at it."""

# Files, and the directories that they lie in.
DIRECTORY = ".claude"
"""In the home directory: its configuration directory; in a project: what the project brings along."""
SETTINGS = "settings.json"
"""In either of the two."""
LOCAL_SETTINGS = "settings.local.json"
"""In a project's: the person's own for this project."""
STATE = ".claude.json"
"""Beside the configuration directory, or in it where CLAUDE_CONFIG_DIR names it: projects, and answers given."""
PROJECTS = "projects"
"""In the configuration directory: a folder for each directory that a session was started in, with its transcripts."""
SUBAGENTS = "subagents"
"""In the folder that is named after a session, beside its transcript: its subagents' transcripts."""
