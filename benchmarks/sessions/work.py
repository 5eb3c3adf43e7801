"""Healthy work: tasks that are investigated, done, tested and finished. No pattern should be found in it."""

from benchmarks.sessions.writer import DIRECTORY, MadeUpSession

AREAS = ("cart", "orders", "payments", "search", "users", "mail", "admin", "reports")
ELSEWHERE = ("README.md", "docs/guide.md", "pyproject.toml", "scripts/release.sh", "config/settings.toml", "web/app.ts")


def project(session: MadeUpSession) -> dict[str, list[str]]:
    """The files of each area of a project."""
    areas = session.random.sample(AREAS, session.random.randrange(3, 7))
    for path in ELSEWHERE:
        session.make(path)
    return {
        area: [
            *(session.make(f"src/{area}/{name}.py") for name in ("models", "views", "service")),
            session.make(f"tests/{area}/test_service.py"),
        ]
        for area in areas
    }


def look_around(session: MadeUpSession) -> None:
    """The start of a session in an unknown project: a little of everything."""
    for path in session.random.sample(ELSEWHERE, session.random.randrange(2, len(ELSEWHERE) + 1)):
        session.read(f"{DIRECTORY}/{path}")
    session.search("def main")


def task(session: MadeUpSession, files: list[str]) -> None:
    """One task in one area: investigated, worked on, tested until it works."""
    session.prompt(f"Please improve {files[0]}.")
    if session.random.random() < 0.5:
        session.search("import", DIRECTORY + "/src")
    touched = session.random.sample(files, session.random.randrange(1, len(files) + 1))
    for path in touched:
        # What is still in the window is seldom looked up again.
        if path not in session.read_paths or session.random.random() < 0.25:
            session.read(path)
    for _ in range(session.random.randrange(1, 4)):
        for path in touched:
            session.improve(path)
        for attempt in range(session.random.randrange(0, 3)):
            session.run("pytest -q", f"FAILED test_{session.random.randrange(99)}: {session.code()}", failed=True)
            session.improve(touched[attempt % len(touched)])
        session.run("pytest -q", f"{session.random.randrange(20, 90)} passed")
    if session.random.random() < 0.3:
        session.read(f"{DIRECTORY}/docs/guide.md")
        session.improve(f"{DIRECTORY}/docs/guide.md")
    session.say()


def work(session: MadeUpSession, areas: dict[str, list[str]], tasks: int) -> None:
    for _ in range(tasks):
        task(session, areas[session.random.choice(sorted(areas))])


def healthy(session: MadeUpSession) -> None:
    areas = project(session)
    look_around(session)
    work(session, areas, session.random.randrange(2, 9))
