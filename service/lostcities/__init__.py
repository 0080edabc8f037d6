"""The Lost Cities rules oracle."""
