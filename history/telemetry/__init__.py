"""Figures of the store for a team's own metrics engine: OTLP over HTTP, once the person names an endpoint."""
