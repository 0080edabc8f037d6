"""The interface that all games implement."""

from lostcities.variants.core import *
