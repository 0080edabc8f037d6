"""Opponents: pure functions from what a seat may know to a move."""
