"""The calls on stored games."""
