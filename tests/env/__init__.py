"""Tests of the environments of PettingZoo, of the games of OpenSpiel, and of what seats observe there."""
