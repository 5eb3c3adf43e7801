"""The files that a task's words name, and the command that verifies it."""

import pytest

from monitor.activity.checks.failures import Failure
from monitor.checkpoints.checkpoint import Check
from monitor.pivot.strategies.chunk import command_for, failures_of, is_named


@pytest.mark.parametrize(
    ("path", "task"),
    [
        ("/shop/src/app.py", "Fix the import in app.py"),
        ("/shop/src/CheckoutSummaryView.tsx", "Show the discount in the checkout summary"),
        ("/shop/src/voucher_rules.py", "Rules of vouchers"),
        ("/shop/src/checkout/index.ts", "Add a field to the checkout"),
        ("/shop/tests/test_cart.py", "Empty the cart after an order"),
        ("/shop/src/checkout_voucher.py", "Add a field to the checkout"),  # half of its words
        ("/shop/src/tax.py", "Round the tax"),
    ],
)
def test_a_task_names_a_file_by_the_words_of_its_name(path: str, task: str) -> None:
    assert is_named(path, task)


@pytest.mark.parametrize(
    ("path", "task"),
    [
        ("/shop/src/app.py", "Describe the application"),
        ("/shop/src/helpers.py", "Write the helpers' tests"),
        ("/shop/src/car.py", "Empty the cart"),
        ("/shop/src/checkout_voucher_rules.py", "Add a field to the checkout"),
        ("/shop/src/vo.py", "Move the vo over"),
        ("/shop/src/checkout_payment_provider_client.py", "Add a field to the checkout"),
    ],
)
def test_common_words_and_parts_of_words_name_no_file(path: str, task: str) -> None:
    assert not is_named(path, task)


def test_the_test_of_a_file_verifies_it() -> None:
    checks = [Check("npm run lint"), Check("npm test"), Check("npm test -- cart.test.js")]
    assert command_for(["/shop/src/cart.js"], [], checks) == "npm test -- cart.test.js"
    assert command_for(["/shop/src/other.js"], [], checks) == "npm test"
    assert command_for([], [], checks[:1]) == "npm run lint"
    assert command_for(["/shop/src/other.js"], [], checks[2:]) == ""


def test_a_failing_command_belongs_to_the_file_that_it_tests() -> None:
    failures = [Failure("pytest tests/test_cart.py::test_it -q", 3), Failure("pytest tests/test_pay.py", 4)]
    assert failures_of(["/shop/src/cart.py"], failures) == failures[:1]
    assert command_for(["/shop/src/cart.py"], failures[:1], []) == "pytest tests/test_cart.py::test_it -q"
