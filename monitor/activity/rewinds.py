"""Forget the part of a conversation that a rewind has abandoned.

A rewind writes nothing. The next prompt has the same parent as an earlier one (docs/client.md, "Sessions") and replaces
it; everything between them was abandoned. In 238 real sessions 6 of 1,415 prompts share a parent, each retracted by Esc
and rewritten. The parents of other lines are no use: chains break in nearly every session.

Requests, decisions and remarks in that part are forgotten. What was done remains: files, commits, failing checks and
tasks are as the branch left them, unless the client restored the code, which it doesn't write down.
"""

from monitor.activity.activity import Activity, RequestPosition


def forget_abandoned(activity: Activity, prompt: RequestPosition) -> None:
    """Remove what `prompt`, which isn't among the requests yet, replaces."""
    start = next((one.offset for one in activity.requests if one.parent and one.parent == prompt.parent), None)
    if start is None:
        return
    count = len(activity.requests)
    activity.requests = [one for one in activity.requests if one.offset < start]
    activity.request_count -= count - len(activity.requests)
    activity.decisions = [one for one in activity.decisions if one.offset < start]
    activity.instructions = [one for one in activity.instructions if one.offset < start]
    activity.remarks = [one for one in activity.remarks if one.offset < start]
    activity.attempts = {name: one for name, one in activity.attempts.items() if one.offset < start}
    if activity.finished and activity.finished.offset >= start:
        activity.finished = activity.answer
    if activity.summary and activity.summary.offset >= start:
        activity.summary = None
