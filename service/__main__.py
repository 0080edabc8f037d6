"""`python -m service` is the command `lostcities`."""

from service.cli import main

main()
