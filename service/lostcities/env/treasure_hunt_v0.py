"""Treasure Hunt as an environment of PettingZoo."""

from functools import partial

from lostcities.env.aec import RawEnvironment, environment

env = partial(environment, "treasure-hunt")
raw_env = partial(RawEnvironment, "treasure-hunt")
