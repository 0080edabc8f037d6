"""The rules of treasure-hunt."""

from lostcities.variants.treasure_hunt.position import *
from lostcities.variants.treasure_hunt.rules import *
