"""Numbers kept over sessions: the store, what fills it, what is asked of it."""
