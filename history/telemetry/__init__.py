"""What a team may see of the store on its own metrics engine: OTLP over HTTP, once the person names an endpoint."""
