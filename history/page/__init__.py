"""The report: one HTML page of what the store holds, which opens offline."""
