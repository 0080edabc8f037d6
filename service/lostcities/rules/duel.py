"""The rules of duel."""

from lostcities.variants.duel.position import *
from lostcities.variants.duel.rules import *
