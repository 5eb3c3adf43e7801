"""Healthy sessions that look like degrading ones: a good rule must not match them."""

from collections.abc import Callable

from benchmarks.sessions.work import AREAS, healthy, look_around, project, task, work
from benchmarks.sessions.writer import DIRECTORY, MadeUpSession


def test_driven(session: MadeUpSession) -> None:
    """The same command fails often, each time after an edit and for a different reason."""
    areas = project(session)
    files = areas[min(areas)]
    for _ in range(session.random.randrange(5, 10)):
        session.improve(session.random.choice(files))
        session.run("pytest -q", f"FAILED test_{session.code()}", failed=True)
    session.run("pytest -q", "all passed")


def paging(session: MadeUpSession) -> None:
    """A long file, part by part."""
    work(session, project(session), 1)
    path = session.make("src/long.py", 3_000)
    for offset in range(1, 3_000, 400):
        session.read(path, offset, 400)


def watching(session: MadeUpSession) -> None:
    """A log that grows while commands run."""
    work(session, project(session), 1)
    path = session.make("build.log", 20)
    for _ in range(session.random.randrange(5, 9)):
        session.run("make build", session.code())
        session.files[path].append(session.code())
        session.read(path)


def renaming(session: MadeUpSession) -> None:
    """One name, changed everywhere."""
    work(session, project(session), 2)
    old, new = "    old_name = load()", "    new_name = load()"
    paths = [session.make(f"{area}_service/main.py") for area in AREAS]
    for path in paths:
        session.files[path].append(old)
    session.search("old_name")
    for path in paths:
        session.edit(path, old, new)


def exploring(session: MadeUpSession) -> None:
    """A broad search, then work in one place."""
    areas = project(session)
    look_around(session)
    for area in AREAS[:5]:
        session.read(session.make(f"{area}-tools/README.md", 30))
    files = areas[min(areas)]
    for _ in range(4):
        task(session, files)


def moving(session: MadeUpSession) -> None:
    """Functions moved from one place to another."""
    work(session, project(session), 1)
    path = session.make("src/moved.py", 200)
    for number in range(4):
        passage = "\n".join(session.files[path][number * 20 : number * 20 + 6])
        session.edit(path, passage + "\n", "")
        anchor = session.files[path][-1 - number]
        session.edit(path, anchor, f"{anchor}\n{passage}")


def one_step_back(session: MadeUpSession) -> None:
    """One attempt that is deliberately abandoned."""
    areas = project(session)
    work(session, areas, 2)
    path = areas[min(areas)][0]
    old, new = session.improve(path)
    session.run("pytest -q", "FAILED", failed=True)
    session.edit(path, new, old)
    session.run("pytest -q", "42 passed")
    work(session, areas, 1)


def debugging(session: MadeUpSession) -> None:
    """A debugging line that is added and removed again."""
    areas = project(session)
    path = areas[min(areas)][0]
    for _ in range(3):
        line = session.random.choice(session.files[path])
        session.edit(path, line, f"{line}\n    print({session.random.randrange(99)})")
        session.run("pytest -q", session.code(), failed=True)
        added = next(each for each in session.files[path] if each.startswith("    print("))
        session.edit(path, f"\n{added}", "")
        session.improve(path)
    session.run("pytest -q", "ok")


def compacted(session: MadeUpSession) -> None:
    """Everything read again after a compaction removed it from the window."""
    areas = project(session)
    files = [path for part in areas.values() for path in part][:8]
    for path in files:
        session.read(path)
    work(session, areas, 4)
    session.compaction()
    for path in files:
        session.read(path)
    work(session, areas, 1)


def waiting(session: MadeUpSession) -> None:
    """A service that answers only the third request."""
    work(session, project(session), 2)
    for _ in range(2):
        session.run("curl -fsS localhost:8080/health", "connection refused", failed=True)
        session.run("sleep 5", "")
    session.run("curl -fsS localhost:8080/health", "up")


def returning(session: MadeUpSession) -> None:
    """A later task that needs one of the first files again."""
    areas = project(session)
    first = areas[min(areas)]
    task(session, first)
    work(session, areas, session.random.randrange(4, 7))
    session.prompt("Now back to the first one.")
    session.read(first[0])
    session.improve(first[0])


def refused(session: MadeUpSession) -> None:
    """A command that the person doesn't allow."""
    work(session, project(session), 1)
    text = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    for _ in range(4):
        session.call("Bash", {"command": "git push"}, text, failed=True)
        session.prompt("Not yet.")
    session.say(f"I leave it, then. It stays in {DIRECTORY}.")


LOOKALIKES: tuple[Callable[[MadeUpSession], None], ...] = (
    healthy, test_driven, paging, watching, renaming, exploring, moving, one_step_back, debugging, compacted, waiting,
    returning, refused,
)  # fmt: skip
