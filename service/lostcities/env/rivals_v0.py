"""Rivals as an environment of PettingZoo."""

from functools import partial

from lostcities.env.aec import RawEnvironment, environment

env = partial(environment, "rivals")
raw_env = partial(RawEnvironment, "rivals")
