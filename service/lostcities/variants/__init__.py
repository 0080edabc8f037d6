"""The games: one folder each, and what they share."""
