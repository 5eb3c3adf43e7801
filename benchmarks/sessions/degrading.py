"""Degrading sessions: healthy work with one pattern in it, weak or strong, in one of several forms.

Whether a form is weak or strong is judged by a reader of the session, not by the thresholds.
"""

from collections.abc import Callable

from benchmarks.sessions.work import project, task, work
from benchmarks.sessions.writer import MadeUpSession

FAINT, CLEAR = "faint", "clear"


def lost(session: MadeUpSession, strength: str) -> None:
    """The session's first files are looked up again much later."""
    areas = project(session)
    early = [path for files in list(areas.values())[:2] for path in files][: session.random.randrange(3, 7)]
    session.prompt("Port these files to the new interface. Keep the old names.")
    for path in early:
        session.read(path)
        session.improve(path)
    rest = dict(list(areas.items())[2:]) or areas
    for _ in range(session.random.randrange(2, 4) if strength == FAINT else session.random.randrange(3, 6)):
        for _ in range(session.random.randrange(3, 5)):
            _work_blindly(session, rest[session.random.choice(sorted(rest))])
        for path in session.random.sample(
            early, session.random.randrange(1, 3) if strength == FAINT else session.random.randrange(2, len(early) + 1)
        ):
            session.read(path)
            if session.random.random() < 0.3:
                session.improve(path)


def _work_blindly(session: MadeUpSession, files: list[str]) -> None:
    for _ in range(4):
        session.improve(session.random.choice(files))
    session.run("make check", session.code())


def overtaken(session: MadeUpSession, strength: str) -> None:
    """The same long files are read, changed and read again until the window is full of their old states."""
    areas = project(session)
    work(session, areas, 6 if strength == FAINT else 2)
    big = [session.make(f"src/big_{number}.py", 900) for number in range(2)]
    for _ in range(session.random.randrange(2, 4) if strength == FAINT else session.random.randrange(4, 7)):
        for path in big:
            session.read(path)
            session.improve(path)
        task(session, areas[session.random.choice(sorted(areas))])


def failing(session: MadeUpSession, strength: str) -> None:
    """The same command fails again and again."""
    areas = project(session)
    work(session, areas, session.random.randrange(1, 4))
    command = session.random.choice(("npm run build", "pytest tests/cart -q", "docker compose up -d", "cargo test"))
    error = f"Error: {session.code()}"
    for _ in range(session.random.randrange(2, 5) if strength == FAINT else session.random.randrange(4, 8)):
        session.run(command, f"{error}\nafter {session.random.random():.2f} s", failed=True)
        if session.random.random() < 0.4:
            session.run("git status", session.code())
        if strength == CLEAR and session.random.random() < 0.25:
            session.improve(session.random.choice(sorted(session.files)))
    work(session, areas, session.random.randrange(0, 2))


def rereading(session: MadeUpSession, strength: str) -> None:
    """The same file is read again and again, and never used."""
    areas = project(session)
    work(session, areas, session.random.randrange(1, 4))
    path = session.random.choice(sorted(session.files))
    for _ in range(session.random.randrange(3, 5) if strength == FAINT else session.random.randrange(5, 9)):
        session.read(path)
        if session.random.random() < 0.5:
            session.search("price")
    work(session, areas, session.random.randrange(0, 2))


def floundering(session: MadeUpSession, strength: str) -> None:
    """Nearly every call fails, each in a different way."""
    areas = project(session)
    work(session, areas, session.random.randrange(1, 3))
    path = session.random.choice(sorted(session.files))
    for number in range(session.random.randrange(8, 15) if strength == FAINT else 18):
        if session.random.random() < 0.15:
            session.search("total")
        elif session.random.random() < 0.5:
            session.edit(path, f"{session.code()} # not in there", session.code())
        else:
            session.run(f"./tools/fix --step {number}", session.code(), failed=True)


def undoing(session: MadeUpSession, strength: str) -> None:
    """An edit, its opposite, and the edit again."""
    areas = project(session)
    work(session, areas, session.random.randrange(1, 3))
    path = session.random.choice(sorted(session.files))
    old, new = session.random.choice(session.files[path]), session.code()
    for number in range(session.random.randrange(2, 4) if strength == FAINT else session.random.randrange(4, 8)):
        session.edit(path, *((old, new) if number % 2 == 0 else (new, old)))
        if session.random.random() < 0.6:
            session.run("pytest -q", f"FAILED {session.code()}", failed=session.random.random() < 0.7)
    work(session, areas, session.random.randrange(0, 2))


DEGRADING: dict[str, tuple[Callable[[MadeUpSession, str], None], ...]] = {
    "lost-in-the-middle": (lost, rereading),
    "distraction": (overtaken,),
    "confusion": (failing, floundering),
    "clash": (undoing,),
}
"""The forms of each pattern."""
