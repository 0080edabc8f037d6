"""schemathesis finds nothing: every check is on, in every phase (`tests/contract/hooks.py` says what is no failure).

Here it is given so many seconds; `make fuzz` gives it twenty minutes.
"""

from collections.abc import Iterator

import pytest

from tests.contract.fuzz import run
from tests.server.serving import serving


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running.url


SAME_EVERY_TIME = "--seed=20261116"
"""What is generated here does not change from run to run: surprises are for `make fuzz`."""

# Applying moves to a position and judging them take the same body: the cases that cover the one cover the other.
POSITIONS_BUT_CHECK = r"^/(?!games|variants/.+/check)"


@pytest.mark.parametrize(
    ("seconds", "arguments"),
    [
        pytest.param(45, ["--phases=examples,coverage", "--include-path-regex=^/games"], id="covering-games"),
        pytest.param(
            45, ["--phases=examples,coverage", f"--include-path-regex={POSITIONS_BUT_CHECK}"], id="covering-positions"
        ),
        pytest.param(30, ["--phases=examples,fuzzing,stateful", "--workers=2"], id="fuzzing"),
    ],
)
def test_nothing_is_found(service: str, seconds: int, arguments: list[str]) -> None:
    found = run(service, seconds, SAME_EVERY_TIME, *arguments)
    assert found.returncode == 0, found.stdout
    assert "passed" in found.stdout
