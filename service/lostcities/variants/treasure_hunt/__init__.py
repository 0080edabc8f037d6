"""treasure-hunt: Lost Cities: Auf Schatzsuche, the dice game for two to four."""
