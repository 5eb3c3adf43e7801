"""All sessions that run now, on one screen that keeps itself up to date. It changes nothing."""
