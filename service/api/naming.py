"""How the contract names things after variants."""


def title(variant: str) -> str:
    """The variant's name as part of another.

    >>> title("roll-and-write")
    'RollAndWrite'
    """
    return variant.title().replace("-", "")
