"""Questions to the history: one file each, a subcommand of that name (history/questions/answer/question.py).

To add a question, add its file and its line here.
"""

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
