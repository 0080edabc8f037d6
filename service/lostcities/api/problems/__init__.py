"""The problem codes, and the calls that explain them."""
