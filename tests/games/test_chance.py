"""Seeded chance: test vectors for implementations in any language, and uniformity."""

import pytest
from lostcities.games.chance import ALGORITHM, commitment, source
from lostcities.rules import duel
from lostcities.variants.registry import VARIANTS

ZERO = bytes(32)
COUNTING = bytes(range(32))

# (seed, version, n of each pick, expected). The last one rejects every other byte and needs a second block.
VECTORS: list[tuple[bytes, int, list[int], list[int]]] = [
    (ZERO, 1, [6] * 8, [1, 2, 1, 5, 5, 0, 0, 1]),
    (COUNTING, 1, [60, 59, 58, 57, 56, 55, 54, 53], [13, 1, 13, 25, 26, 47, 10, 43]),
    (COUNTING, 2, [6, 6, 6, 10, 10, 10], [2, 5, 2, 2, 4, 2]),
    (COUNTING, 77, [80], [12]),
    (COUNTING, 3, [129] * 20, [30, 27, 12, 6, 5, 124, 51, 10, 101, 15, 53, 40, 117, 3, 98, 23, 2, 22, 64, 115]),
]


@pytest.mark.parametrize(("seed", "version", "sizes", "expected"), VECTORS)
def test_vectors(seed: bytes, version: int, sizes: list[int], expected: list[int]) -> None:
    pick = source(seed, version)
    assert [pick(size) for size in sizes] == expected


def test_the_deal_of_a_known_seed() -> None:
    state = duel.setup(2, duel.Options())
    assert duel.sample_chance(state, source(COUNTING, 1)).notation == "deal 0 Yw Y10 Bw B2 W3 W5 Rw R3"


def test_the_commitment_is_the_seeds_sha256() -> None:
    assert ALGORITHM == "hmac-sha256-v1"
    assert commitment(COUNTING) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize("n", [1, 2, 3, 6, 10, 60, 80, 200, 256])
def test_picks_are_in_range_and_uniform(n: int) -> None:
    """No count is more than five standard deviations from its mean. A modulo bias would be far larger."""
    draws = 400 * n
    counts = [0] * n
    pick = source(COUNTING, n)
    for _ in range(draws):
        counts[pick(n)] += 1
    assert all(abs(count - 400) <= 5 * 400**0.5 + 1 for count in counts)


def test_every_version_has_its_own_bytes() -> None:
    assert len({source(COUNTING, version)(256) for version in range(200)}) > 100


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_outcome_depends_on_seed_and_version_alone(variant: str) -> None:
    game = VARIANTS[variant].rules
    state = game.setup(game.INFO.seats[0], game.parse_options({}))
    assert game.sample_chance(state, source(COUNTING, 1)) == game.sample_chance(state, source(COUNTING, 1))
