"""What a rewind has left behind: it was said in the conversation, and no longer is.

A rewind writes nothing. The next prompt has the same parent as an earlier one (docs/client.md, "Sessions"): it takes
that one's place, and what stands between them was abandoned. In 238 real sessions 6 of 1,415 prompts share a parent,
each taken back by Esc and written anew. The parents of other lines tell nothing: chains break in nearly every session.

What was asked, decided and said there goes. What was done stays: files, commits, checks that failed when they were last
run, and tasks are as the branch left them, unless the client restored the code, which it doesn't write down.
"""

from monitor.activity.activity import Activity, RequestPosition


def forget_abandoned(activity: Activity, prompt: RequestPosition) -> None:
    """Remove what `prompt`, which is not among the requests yet, takes the place of."""
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
