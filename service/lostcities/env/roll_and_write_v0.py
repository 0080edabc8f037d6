"""Roll & Write as an environment of PettingZoo."""

from functools import partial

from lostcities.env.aec import RawEnvironment, environment

env = partial(environment, "roll-and-write")
raw_env = partial(RawEnvironment, "roll-and-write")
