"""The corpus: what it promises, and whether it reveals wrong rules."""
