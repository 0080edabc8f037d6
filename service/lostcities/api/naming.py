"""Names of contract components."""


def pascal_case(variant: str) -> str:
    """The variant's name in PascalCase, for names of components.

    >>> pascal_case("roll-and-write")
    'RollAndWrite'
    """
    return variant.title().replace("-", "")
