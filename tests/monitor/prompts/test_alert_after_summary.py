"""What an alert leaves out because the summary or the resumption says it."""

from tests.monitor.workshop import Workshop

TASKS = ("Show the discount in the total", "Reject expired vouchers with a message")
SUMMARY = """1. Primary Request and Intent: add vouchers to the checkout
2. Files: app.py has the form; myapp.python is not it
3. Errors: `npm run lint` fails on an unused import
4. Pending: the total should show the discount"""


def test_an_alert_names_only_what_the_summary_lacks(workshop: Workshop) -> None:
    workshop.transcript.prompt("Add vouchers to the checkout. Leave the payment provider as it is.")
    workshop.edit("src/app.py", 3)
    workshop.edit("src/cart.py")
    workshop.read("docs/vouchers.md")
    workshop.bash("cd /home/dev/shop && npm run test:unit 2>&1 | tail -5")
    workshop.bash("npm run lint", code=1)
    workshop.call("TodoWrite", todos=[{"content": task, "status": "pending"} for task in TASKS])
    workshop.transcript.answer(167_000)
    workshop.compact("auto")
    workshop.transcript.boundary()
    workshop.transcript.summary(SUMMARY)

    message = workshop.prompt()

    assert "What follows is not in the summary." in message
    assert "Asked, and not in the summary: Leave the payment provider as it is." in message
    assert "Reject expired vouchers" in message
    for text in ("src/", "npm run", "Add vouchers", "Show the discount"):
        assert text not in message


def test_a_complete_summary_leaves_nothing_for_the_alert(workshop: Workshop) -> None:
    workshop.edit("src/app.py", 3)
    workshop.compact("auto")
    workshop.transcript.boundary()
    workshop.transcript.summary("src/app.py was edited.")
    message = workshop.prompt()
    assert "What follows" not in message
    assert "app.py" not in message


def test_an_alert_does_not_repeat_the_resumption(workshop: Workshop) -> None:
    workshop.transcript.prompt("Add vouchers to the checkout. Leave the payment provider as it is.")
    for name in ("app", "cart", "form", "list", "menu", "page"):
        workshop.edit(f"src/{name}.py", 2)
    workshop.bash(f"npm run test:unit -- --filter={'checkout-' * 20}end")
    workshop.bash("npm run 'lint' && echo \"done\"", code=1)
    workshop.call("TodoWrite", todos=[{"content": task, "status": "pending"} for task in TASKS])
    (workshop.project / "ORCHESTRATION.yaml").write_text("resumption:\n  next_step: Apply the revision\n")
    workshop.compact("auto")
    resumption = workshop.start("compact")
    workshop.transcript.boundary()
    workshop.transcript.summary("Work was done.")
    workshop.transcript.attachment(type="hook_additional_context", content=[resumption])

    message = workshop.prompt()

    place, *others = message.splitlines()[2:-2]
    assert place.startswith("Checkpoint cx-001: ")  # the whole path, or a long one as seen from the project
    assert place.endswith(".claude/tidegauge/checkpoints/cx-001-checkpoint.json")
    assert others == []


def test_another_hooks_text_is_not_mistaken_for_the_resumption(workshop: Workshop) -> None:
    workshop.bash("npm test", code=1)
    workshop.compact("auto")
    workshop.transcript.boundary()
    workshop.transcript.attachment(type="hook_additional_context", content=["`npm test` failed."])
    workshop.transcript.attachment(type="other", content=["<resumption-context> `npm test`"])
    assert "`npm test`" in workshop.prompt()


def test_an_earlier_compactions_summary_is_not_mistaken_for_this_ones(workshop: Workshop) -> None:
    workshop.transcript.boundary()
    workshop.transcript.summary("`npm test` failed.")
    workshop.bash("npm test", code=1)
    workshop.compact("auto")
    workshop.transcript.boundary()
    assert "`npm test`" in workshop.prompt()
