import pytest

from monitor.redaction import redacted, redacted_prose


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("curl -H 'Authorization: Bearer abcdef123456' x", "curl -H 'Authorization: Bearer [redacted]' x"),
        ("curl -H 'authorization: basic dXNlcjpwYXNz'", "curl -H 'authorization: basic [redacted]'"),
        ("API_KEY=abc123 make", "API_KEY=[redacted] make"),
        ("export GITHUB_TOKEN='a b'", "export GITHUB_TOKEN=[redacted]"),
        ("tool --password hunter2 --verbose", "tool --password [redacted] --verbose"),
        ("tool --api-key=abc", "tool --api-key=[redacted]"),
        ("git clone https://user:secret@example.org/x", "git clone https://user:[redacted]@example.org/x"),
        ("echo sk-ant-0123456789abcdef", "echo [redacted]"),
        ("echo ghp_0123456789abcdefghij", "echo [redacted]"),
    ],
)
def test_what_looks_like_a_secret_is_blanked(command: str, shown: str) -> None:
    assert redacted(command) == shown


@pytest.mark.parametrize(
    "command",
    [
        "pytest tests/test_auth.py -k token",
        "git log --author=Bob",
        "grep -rn password src",
        "npm run build -- --watch=false",
        "make secret-santa",
        "tool --password --verbose",
    ],
)
def test_what_only_speaks_of_secrets_is_left(command: str) -> None:
    assert redacted(command) == command


@pytest.mark.parametrize("key", ["gsk" + "_" + "aB3d" * 13, "xai" + "-" + "aB3d" * 20, "dapi" + "0a1b2c3d" * 4])
def test_a_key_in_a_sentence_is_blanked(key: str) -> None:
    assert redacted_prose(f"Try {key} in staging") == "Try [redacted] in staging"


def test_a_value_in_a_sentence_is_blanked() -> None:
    assert redacted_prose("Set API_KEY=abc123 and password: hunter2 first") == (
        "Set API_KEY=[redacted] and password: [redacted] first"
    )
    assert redacted_prose("Run curl -u me:hunter2 on it") == "Run curl -u me:[redacted] on it"


@pytest.mark.parametrize(
    "text", ["Fix auth: login page", "Rotate the token: later", "Sketch-the-new-layout of pkg_resources", "Add tests"]
)
def test_a_sentence_about_secrets_stays(text: str) -> None:
    assert redacted_prose(text) == text
