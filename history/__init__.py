"""Numbers stored over sessions: the store, what fills it, and the questions it answers."""
