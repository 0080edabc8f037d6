def main() -> None:
    """The command line."""
