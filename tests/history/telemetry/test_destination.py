"""The destination of the figures, and the sources that may not set it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from history.telemetry.destination import DestinationError, destination
from shared import paths
from shared.settings import settings
from shared.settings.config import TelemetrySettings
from tests.history.telemetry.conftest import Telemetry
from tests.history.telemetry.receiver import receiver
from tests.history.telemetry.stored import NOW, work

SEND = """
import sys
sys.path.insert(0, sys.argv[1])
from history.store import store
from history.telemetry.sending import send
from shared import paths
from shared.settings import settings
root, without = sys.argv[2], sys.argv[4:]
sys.modules |= dict.fromkeys(without)
loaded = settings.load(root)
print(*loaded.problems, sep="\\n", file=sys.stderr)
with store.for_writing(root) as opened:
    print(send(opened, loaded.config.telemetry, paths.config_file(root), now=float(sys.argv[3])))
"""
REPOSITORY = Path(__file__).parents[3]


def sync(telemetry: Telemetry, text: str, *without: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a sending process with `text` as the person's settings."""
    telemetry.config_file.write_text(text)
    telemetry.config_file.chmod(0o600)
    rest = {name: value for name, value in os.environ.items() if not name.startswith(("OTEL_", "TIDEGAUGE_"))}
    return subprocess.run(
        [sys.executable, "-c", SEND, str(REPOSITORY), telemetry.root, str(NOW), *without],
        env=rest | environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )


def test_nothing_in_the_environment_changes_where_or_what_is_sent(telemetry: Telemetry, tmp_path: Path) -> None:
    work(telemetry.stored)
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login jane password netrc-password\n")
    with receiver() as other:
        result = sync(
            telemetry,
            f'telemetry.endpoint = "{telemetry.collector.endpoint}"',
            HOME=str(tmp_path),
            HTTP_PROXY=other.endpoint,
            ALL_PROXY=other.endpoint,
            OTEL_SDK_DISABLED="true",
            OTEL_EXPORTER_OTLP_ENDPOINT=other.endpoint,
            OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=other.endpoint,
            OTEL_EXPORTER_OTLP_HEADERS="authorization=theirs",
            OTEL_EXPORTER_OTLP_METRICS_HEADERS="authorization=theirs",
            OTEL_EXPORTER_OTLP_COMPRESSION="none",
            OTEL_EXPORTER_OTLP_TIMEOUT="0.000001",
            OTEL_EXPORTER_OTLP_CERTIFICATE="/nowhere",
            OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE="delta",
            OTEL_PYTHON_EXPORTER_OTLP_HTTP_CREDENTIAL_PROVIDER="theirs",
            OTEL_RESOURCE_ATTRIBUTES="user.name=jane",
            OTEL_SERVICE_NAME="theirs",
        )

        assert result.stdout.endswith("points sent\n")
        assert result.stderr.strip() == ""
        assert other.requests == []
    ((path, headers, _),) = telemetry.collector.requests
    assert path == "/v1/metrics"
    assert "authorization" not in headers
    assert {point.resource["service.name"] for point in telemetry.collector.points} == {"tidegauge"}
    assert "jane" not in repr(telemetry.collector.points).replace("/home/jane", "")


def test_neither_a_variable_nor_a_project_sets_the_destination(telemetry: Telemetry, tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "tidegauge.toml").write_text('telemetry.endpoint = "http://127.0.0.1:9"\n')
    variables = {"TIDEGAUGE_TELEMETRY__ENDPOINT": "http://127.0.0.1:9", "TIDEGAUGE_TELEMETRY__HEADERS": "a=secret"}

    loaded = settings.load(telemetry.root, variables, str(tmp_path))

    assert loaded.config.telemetry == TelemetrySettings()
    assert sorted(problem.partition(": ")[2] for problem in loaded.problems) == [
        "telemetry.endpoint: not for a project's file to set",
        "telemetry.endpoint: only your own file may set it",
        "telemetry.headers: only your own file may set it",
    ]


@pytest.mark.parametrize(
    "endpoint",
    [
        "collector:4318",
        "ftp://collector",
        "https://jane:secret@collector",
        "https://collector/v1?token=secret",
        "http://",
        "http://a b",
    ],
)
def test_an_endpoint_is_an_address_without_a_secret_in_it(telemetry: Telemetry, endpoint: str) -> None:
    telemetry.config_file.write_text(f'telemetry.endpoint = "{endpoint}"')

    loaded = settings.load(telemetry.root, {})

    assert loaded.config.telemetry.endpoint is None
    (problem,) = loaded.problems
    assert "secret" not in problem


def test_headers_of_a_wrong_type_are_reported_without_their_values(telemetry: Telemetry) -> None:
    telemetry.config_file.write_text('telemetry.headers = "authorization=secret"')

    (problem,) = settings.load(telemetry.root, {}).problems

    assert problem.endswith("telemetry.headers: expected a table")


def test_the_endpoints_path_is_kept_and_headers_are_sent(telemetry: Telemetry) -> None:
    work(telemetry.stored)
    text = f"""
        [telemetry]
        endpoint = "{telemetry.collector.endpoint}/team/otlp"
        headers = {{ "X-Scope-OrgID" = "tide" }}
        headers_variable = "COLLECTOR_HEADERS"
    """

    result = sync(telemetry, text, COLLECTOR_HEADERS="Authorization=Bearer a=b, X-More=1")

    ((path, headers, _),) = telemetry.collector.requests
    assert path == "/team/otlp"
    assert (headers["x-scope-orgid"], headers["authorization"], headers["x-more"]) == ("tide", "Bearer a=b", "1")
    assert "Bearer" not in result.stdout + result.stderr


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_headers_in_a_file_that_others_may_read_are_not_sent(telemetry: Telemetry) -> None:
    work(telemetry.stored)
    telemetry.config_file.write_text("")
    telemetry.config_file.chmod(0o640)

    message = telemetry.send(headers={"authorization": "secret"})

    path = paths.config_file(telemetry.root)
    assert message == f"nothing is sent: others may read telemetry.headers: run `chmod 600 {path}`"
    assert telemetry.collector.requests == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "COLLECTOR_HEADERS isn't set, which telemetry.headers_variable names"),
        ("secret", "COLLECTOR_HEADERS must read NAME=VALUE, NAME=VALUE"),
        ("a b=secret", "a header's name is one word"),
        ("a=sec\nret", "a header's name is one word"),
        ("a=sécret", "a header's name is one word"),
    ],
)
def test_headers_that_cannot_be_sent_are_named_without_their_values(text: str | None, words: str) -> None:
    chosen = TelemetrySettings(endpoint="http://collector", headers_variable="COLLECTOR_HEADERS")

    with pytest.raises(DestinationError, match=words) as caught:
        destination(chosen, "", {} if text is None else {"COLLECTOR_HEADERS": text})

    assert "ret" not in str(caught.value)


@pytest.mark.parametrize("endpoint", ["http://[::1", "http://]"])
def test_an_endpoint_with_half_a_pair_of_brackets_is_not_blamed_on_the_store(endpoint: str) -> None:
    with pytest.raises(DestinationError, match=r"telemetry\.endpoint: Invalid IPv6 URL"):
        destination(TelemetrySettings(endpoint=endpoint), "", {})


def test_a_certificates_path_may_begin_with_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "ca.pem").touch()
    settings = TelemetrySettings(endpoint="https://a.test", certificate="~/ca.pem")
    assert destination(settings, "", {}).certificate == str(tmp_path / "ca.pem")


def test_a_missing_certificate_is_named(telemetry: Telemetry) -> None:
    work(telemetry.stored)

    assert (
        telemetry.send(certificate="/nowhere.pem")
        == "nothing is sent: telemetry.certificate: there is no file /nowhere.pem"
    )


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl isn't installed")
def test_a_collector_with_an_untrusted_certificate_gets_nothing(telemetry: Telemetry, tmp_path: Path) -> None:
    work(telemetry.stored)
    both = tmp_path / "both.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=c -addext subjectAltName=IP:127.0.0.1"
    subprocess.run(
        [*command.split(), "-keyout", "key.pem", "-out", "own.pem"], cwd=tmp_path, capture_output=True, check=True
    )
    both.write_text((tmp_path / "key.pem").read_text() + (tmp_path / "own.pem").read_text())

    with receiver(both) as secured:
        endpoint = secured.endpoint.replace("http:", "https:")
        assert "certificate verify failed" in telemetry.send(endpoint=endpoint)
        assert secured.requests == []

        assert telemetry.send(endpoint=endpoint, certificate=str(tmp_path / "own.pem")).endswith("points sent")


def test_without_the_extra_one_line_says_how_to_get_it(telemetry: Telemetry) -> None:
    work(telemetry.stored)

    result = sync(telemetry, f'telemetry.endpoint = "{telemetry.collector.endpoint}"', "opentelemetry")

    assert result.stdout.splitlines() == [
        "telemetry.endpoint is set, but the packages that send aren't installed: run `tidegauge install --otlp`"
    ]
    assert telemetry.collector.requests == []
