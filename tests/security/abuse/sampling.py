"""The short and the long form of the tests: ABUSE=full runs them with everything that is generated."""

import os
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

FULL = os.environ.get("ABUSE") == "full"


def sampled(items: Sequence[T], count: int) -> Sequence[T]:
    """Some of the items, the same in every run; in the long form all of them."""
    return items if FULL or count >= len(items) else random.Random(count).sample(items, count)
