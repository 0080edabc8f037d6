"""The golden playthroughs are complete and unchanged."""

from tests.conformance.playthroughs import FOLDER, path, playthrough
from tests.conformance.tables import TABLES, every_table


@every_table
def test_the_game_equals_its_golden_playthrough(variant: str, seats: int) -> None:
    assert playthrough(variant, seats) == path(variant, seats).read_text(), "if this is intended: make goldens"


def test_every_variant_and_number_of_seats_has_a_playthrough() -> None:
    assert {each.name for each in FOLDER.iterdir()} == {path(*table).name for table in TABLES}
