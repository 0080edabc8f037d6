"""The rules of each game: pure functions over immutable states.

No I/O, no clock, no random numbers: the history of a game determines its state. Only the standard library is used.
"""
