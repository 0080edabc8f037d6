"""Sets of small integers, each stored as one integer: bit `n` is set if `n` is an element.

They are immutable, hashable and small in the store; `|`, `&` and `~` are union, intersection and complement.
"""

from collections.abc import Iterable


def bitset(elements: Iterable[int]) -> int:
    """The set of these elements.

    >>> bin(bitset([0, 3]))
    '0b1001'
    """
    bits = 0
    for element in elements:
        bits |= 1 << element
    return bits


def contains(bits: int, element: int) -> bool:
    """Whether the element is in the set.

    >>> contains(0b1001, 3), contains(0b1001, 2)
    (True, False)
    """
    return (bits >> element) & 1 == 1


def elements(bits: int) -> list[int]:
    """The elements of the set, ascending.

    >>> elements(0b1001)
    [0, 3]
    """
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits -= lowest
    return found
