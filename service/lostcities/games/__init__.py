"""A game being played: seats, tokens, versions, history and chance. Still pure: no I/O, no clock, no random numbers."""
