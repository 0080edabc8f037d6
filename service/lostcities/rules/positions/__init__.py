"""From a position to a state: the checks of every position that a client sends, one module per game.

The schema has checked the types and bounds. A position is checked for consistency (cards, gold, marks and turns
accounted for), not for being reachable by play.
"""
