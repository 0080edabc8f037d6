"""roll-and-write: Lost Cities: Roll & Write, for two to five."""
