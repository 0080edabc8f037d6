"""Games in progress: events, seats, tokens, chance and records, and the use cases on stored games."""
