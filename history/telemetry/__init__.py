"""What a team may see of the store on an engine of its own: OTLP over HTTP, once the person has named an endpoint."""
