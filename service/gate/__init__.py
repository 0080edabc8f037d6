"""Who comes in: how often a client may ask, how many games it may have open, and who may create any."""
