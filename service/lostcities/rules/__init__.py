"""The rules for Python programs: `from lostcities.rules import duel`.

Each module here has the names of a game's `rules.py` and `position.py`, which are in `lostcities.variants`.
"""
