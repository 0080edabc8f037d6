"""What a browser is served, and what it has to be told."""
