"""The sentences that describe each game to people: pure data, one module per game."""
