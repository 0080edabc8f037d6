"""rivals: Lost Cities: Rivals, for two to four players."""
