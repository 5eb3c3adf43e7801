"""The cost of sessions by relative prices, and what it would have been under another policy."""
