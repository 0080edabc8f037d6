"""What lies here that is not ours to collect: a program, which starts when it is imported."""

collect_ignore = ["bot.py"]
