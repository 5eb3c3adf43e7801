"""What the sessions cost by relative prices, and what they would have cost under another policy."""
