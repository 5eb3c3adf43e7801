import pytest

from shared.client import models
from shared.client.models import LONG, STANDARD, bare_id, base_model, family_of, is_marked_long, size_for

LATER, EARLIER, BETWEEN = "2.1.330", "2.1.197", "2.1.240"
FORMS = (
    "claude-sonnet-4-5",
    "claude-sonnet-4-5-20250929",
    "claude-sonnet-4-5@20250929",
    "claude-sonnet-4-5-latest",
    "anthropic/claude-sonnet-4-5",
    "anthropic/claude-sonnet-4.5",
    "anthropic.claude-sonnet-4-5-20250929-v1:0",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "apac.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "global.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-sonnet-4-5-20250929-v1:0",
    "projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-5@20250929",
    "claude-sonnet-4-5[1m]",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0[1M]",
    "Claude-Sonnet-4-5",
)
"""How providers and clients name one model."""

# The client's windows without `[1m]`, and the windows that it compacts for in 200,000 and in 1,000,000 tokens
# (docs/client.md, "Windows and compaction points"). A point is 33,000 tokens before the window that it compacts for.
MEASURED = (
    ("claude-opus-4-6", LATER, STANDARD, STANDARD, None),
    ("claude-sonnet-4-6", LATER, STANDARD, STANDARD, None),
    ("claude-opus-4-5", LATER, STANDARD, None, None),
    ("claude-sonnet-4-0", LATER, STANDARD, None, None),
    ("claude-sonnet-4-20250514", LATER, STANDARD, None, None),
    ("claude-sonnet-4-5", LATER, STANDARD, None, None),
    ("claude-haiku-4-5", LATER, STANDARD, None, None),
    ("claude-3-7-sonnet-20250219", LATER, STANDARD, None, None),
    ("claude-opus-4-7", LATER, LONG, STANDARD, LONG),
    ("claude-opus-4-8", LATER, LONG, STANDARD, LONG),
    ("claude-opus-5", LATER, LONG, STANDARD, LONG),
    ("claude-opus-5-5", LATER, LONG, STANDARD, LONG),
    ("claude-sonnet-5", LATER, LONG, STANDARD, LONG),
    ("claude-sonnet-5-5", LATER, LONG, STANDARD, LONG),
    ("claude-haiku-5-5", LATER, LONG, STANDARD, LONG),
    ("claude-fable-5", LATER, LONG, STANDARD, LONG),
    ("claude-fable-5-5", LATER, LONG, STANDARD, LONG),
    ("claude-mythos-1", LATER, LONG, STANDARD, LONG),
    ("claude-opus-4-6", EARLIER, STANDARD, STANDARD, None),
    ("claude-sonnet-4-6", EARLIER, STANDARD, STANDARD, None),
    ("claude-sonnet-4-5", EARLIER, STANDARD, None, None),
    ("claude-opus-5", EARLIER, STANDARD, None, None),
    ("claude-haiku-5-5", EARLIER, STANDARD, None, None),
)
BY_ADDRESS = (
    ("claude-sonnet-5", STANDARD, 967_000),
    ("claude-sonnet-5-5", STANDARD, 967_000),
    ("claude-opus-4-7", None, None),
    ("claude-opus-4-8", None, None),
    ("claude-fable-5", None, None),
    ("claude-mythos-1", None, None),
)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_an_id_finds_its_family(form: str) -> None:
    assert bare_id(form) == "claude-sonnet-4-5"
    assert family_of(form, LATER) == family_of("claude-sonnet-4-5", LATER) is not None


@pytest.mark.parametrize(
    ("form", "own"),
    [
        ("mistral-latest", "mistral"),
        ("claude-20250929", "claude"),
        ("latest", "latest"),
        ("20250929", "20250929"),
        ("gpt-vision", "gpt-vision"),
        ("kimi-k2", "kimi-k2"),
    ],
)
def test_an_edition_is_removed_but_never_the_whole_id(form: str, own: str) -> None:
    assert bare_id(form) == own


@pytest.mark.parametrize(("model", "client", "window", "standard", "long"), MEASURED)
def test_each_family_matches_its_measurements(
    model: str, client: str, window: int, standard: int | None, long: int | None
) -> None:
    assert family_of(model, client) == models.ModelFamily(window, standard, long)


@pytest.mark.parametrize(("model", "standard", "long"), BY_ADDRESS)
def test_facts_that_depend_on_the_address_are_uncertain(model: str, standard: int | None, long: int | None) -> None:
    """The earlier client gives these 1M only at Anthropic's own address."""
    assert family_of(model, EARLIER) == models.ModelFamily(LONG, standard, long, is_certain=False, is_by_address=True)


@pytest.mark.parametrize(
    "model",
    [
        "",
        "gpt-5",
        "claude",
        "claude-opus-4-9",
        "claude-nova-9",
        "claude-opus",
        "claude-fable-6",
        "claude-30",
        "my-deployment",
        "[1m]",
        "/",
        "-",
    ],
)
def test_an_unknown_model_has_no_family(model: str) -> None:
    assert family_of(model, LATER) is None


@pytest.mark.parametrize("client", ["2.1.330", "2.1.331", "2.2.0", "3.0.0", "2.1.330-beta.1"])
def test_a_later_client_counts_as_the_later_measured_one(client: str) -> None:
    assert family_of("claude-opus-4-8", client) == family_of("claude-opus-4-8", LATER)


@pytest.mark.parametrize("client", ["2.1.196", "2.1.25", "2.0.64", "1.0.0"])
@pytest.mark.parametrize("model", ["claude-opus-4-5-20251101", "claude-sonnet-4-5", "claude-opus-4-6"])
def test_a_client_older_than_the_measured_ones_compacts_every_model(model: str, client: str) -> None:
    """Real sessions show this; everything else about it is uncertain."""
    assert family_of(model, client) == models.ModelFamily(STANDARD, STANDARD, None, is_certain=False)


@pytest.mark.parametrize("client", [BETWEEN, "2.1.198", "2.1.329", "", "next", "2.1.x", "2..330", "2.1.", "1" * 5_000])
def test_facts_that_changed_between_the_measured_clients_are_uncertain_there(client: str) -> None:
    changed, same = family_of("claude-opus-5", client), family_of("claude-opus-4-6", client)
    assert changed == models.ModelFamily(LONG, STANDARD, LONG, is_certain=False)
    assert same == family_of("claude-opus-4-6", LATER)


@pytest.mark.parametrize(
    ("model", "client", "standard", "long"),
    [
        ("some-gateway", LATER, STANDARD, LONG),
        ("some-gateway[1m]", LATER, STANDARD, None),
        ("some-gateway", EARLIER, None, None),
        ("some-gateway[1m]", EARLIER, None, None),
    ],
)
def test_an_uncatalogued_model_is_compacted_like_the_clients_unknown_ones(
    model: str, client: str, standard: int | None, long: int | None
) -> None:
    family = models.uncatalogued(model, client)
    assert (family.compact_window(STANDARD), family.compact_window(LONG)) == (standard, long)
    assert not family.is_certain


@pytest.mark.parametrize("model", ["", "claude-opus-4-6", "claude-opus-1m", "[1mb]", "1m"])
def test_other_models_are_not_marked(model: str) -> None:
    assert not is_marked_long(model)
    assert base_model(model) == model


@pytest.mark.parametrize(
    ("model", "base"), [("claude-opus-4-6[1m]", "claude-opus-4-6"), ("Claude-X[1M]", "Claude-X"), ("[1m]", "")]
)
def test_transcripts_name_a_model_without_its_mark(model: str, base: str) -> None:
    assert is_marked_long(model)
    assert base_model(model) == base


def test_a_table_by_model_is_read_by_exact_id_and_then_by_any_form() -> None:
    sizes = {"claude-opus-4-6[1m]": 5, "eu.anthropic.claude-opus-4-6-v1": 6, "qwen-max": 7}
    assert size_for("eu.anthropic.claude-opus-4-6-v1", sizes) == 6
    assert size_for("claude-opus-4-6", sizes) == 5
    assert size_for("Qwen-Max", sizes) == 7
    assert size_for("claude-opus-4-5", sizes) is None
    assert size_for("", sizes | {"": 8}) == 8
    assert size_for("", sizes) is None
