"""Every table has a golden playthrough, and plays it still."""

from tests.conformance.playthroughs import FOLDER, path, playthrough
from tests.conformance.tables import TABLES, every_table


@every_table
def test_the_game_goes_as_it_went(variant: str, seats: int) -> None:
    assert playthrough(variant, seats) == path(variant, seats).read_text(), "if this is meant: make goldens"


def test_there_is_one_for_every_table_and_no_more() -> None:
    assert {each.name for each in FOLDER.iterdir()} == {path(*table).name for table in TABLES}
