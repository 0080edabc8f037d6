"""Excludes bot.py from collection: it is a program that starts when it is imported."""

collect_ignore = ["bot.py"]
