"""Attacks by an anonymous client, bounded and only on this machine."""
