"""The collector's address, and the headers that it needs: secrets, which are never shown or logged."""

import os
import re
import stat
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec

from shared.settings.config import TelemetrySettings

_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+\Z", re.ASCII)
_LEAST_SECRET = 6
"""Fewest characters of a word in a header's value that may be a secret."""
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class DestinationError(Exception):
    """Why nothing can be sent: one line, without any header's value."""


class Destination(msgspec.Struct, frozen=True):
    endpoint: str
    """The whole address."""
    headers: dict[str, str]
    certificate: str | None
    """A file of certificates to check the collector's against; None: those of the well-known authorities."""
    seconds: float
    """The longest that sending may take."""

    def without_secrets(self, text: str) -> str:
        """Hide secrets in the collector's `text`, which may repeat what it was sent (`401 unknown token abc`)."""
        words = {word for value in self.headers.values() for word in value.split() if len(word) >= _LEAST_SECRET}
        for word in sorted(words, key=len, reverse=True):
            text = text.replace(word, "[hidden]")
        return text


def destination(settings: TelemetrySettings, config_file: str, environ: Mapping[str, str]) -> Destination:
    """The destination in `settings`, which come from `config_file` and have an endpoint. Raises DestinationError."""
    endpoint = settings.endpoint or ""
    try:
        path = urlsplit(endpoint).path
    except ValueError as problem:  # brackets without an address in them
        raise DestinationError(f"telemetry.endpoint: {problem}") from None
    if not path.strip("/"):
        endpoint = f"{endpoint.rstrip('/')}/v1/metrics"  # OTLP's default
    certificate = settings.certificate and os.path.expanduser(settings.certificate)
    if certificate and not os.path.isfile(certificate):
        raise DestinationError(f"telemetry.certificate: there is no file {certificate}")
    return Destination(endpoint, _headers(settings, config_file, environ), certificate, settings.timeout)


def _headers(settings: TelemetrySettings, config_file: str, environ: Mapping[str, str]) -> dict[str, str]:
    if settings.headers and os.name == "posix" and os.stat(config_file).st_mode & _OTHERS:
        raise DestinationError(f"others may read telemetry.headers: run `chmod 600 {config_file}`")
    headers = dict(settings.headers)
    if settings.headers_variable:
        text = environ.get(settings.headers_variable)
        if text is None:
            raise DestinationError(f"{settings.headers_variable} isn't set, which telemetry.headers_variable names")
        pairs = [part.partition("=") for part in text.split(",") if part.strip()]
        if not all(equals for _, equals, _ in pairs):
            raise DestinationError(f"{settings.headers_variable} must read NAME=VALUE, NAME=VALUE")
        headers |= {name.strip(): value.strip() for name, _, value in pairs}
    for name, value in headers.items():
        if not _NAME.match(name) or not value.isascii() or not value.isprintable() or value != value.strip():
            raise DestinationError("a header's name is one word of ASCII, its value printable ASCII without a margin")
    return headers
