"""A corpus of positions and answers, with which any engine in any language can be compared with this one."""
