"""Questions to the history, each a subcommand: to add one, add its file (answer/question.py) and its line here."""

QUESTIONS = {
    "totals": "history.questions.totals",
    "top": "history.questions.top",
    "compactions": "history.questions.compactions",
    "cache": "history.questions.cache",
    "limits": "history.questions.limits",
    "warnings": "history.questions.warnings",
    "sessions": "history.questions.sessions",
}
"""Each question's module, in the order of --help."""
