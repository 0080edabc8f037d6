"""The functional core: the rules of each game, pure and immutable.

No I/O, no clock, no random numbers, no HTTP, no Redis: given the history, a game is determined.
"""
