"""The rules of roll-and-write."""

from lostcities.variants.roll_and_write.position import *
from lostcities.variants.roll_and_write.rules import *
