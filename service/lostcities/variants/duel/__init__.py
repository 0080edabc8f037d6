"""duel: Lost Cities, the card game for two."""
