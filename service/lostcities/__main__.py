"""`python -m lostcities` is the command `lostcities`."""

from lostcities.cli import main

main()
