"""The rules of rivals."""

from lostcities.variants.rivals.position import *
from lostcities.variants.rivals.rules import *
