"""From a position to a state: the checks of every position that a client sends, one module per game."""
