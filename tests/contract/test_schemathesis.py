"""schemathesis finds no failure with all checks and phases. `tests/contract/hooks.py` lists the ignored findings.

The runs here are short; `make fuzz` runs for twenty minutes.
"""

from collections.abc import Iterator

import pytest

from tests.contract.conforms import CONTRACT
from tests.contract.fuzz import run
from tests.contract.hooks import BEYOND_SCHEMA
from tests.server.serving import serving


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running.url


def test_the_ignored_refusals_are_in_the_contract() -> None:
    """Each entry names a call and a code of its 412 or 422 response."""
    operations = {
        operation["operationId"]: operation
        for item in CONTRACT["paths"].values()
        for operation in item.values()
        if "operationId" in operation
    }
    for name, codes in BEYOND_SCHEMA.items():
        answers = [operations[name]["responses"].get(status) for status in ("412", "422")]
        kinds = [each["$ref"].rsplit("/", 1)[1] for each in answers if each]
        known = {code for kind in kinds for code in CONTRACT["components"]["responses"][kind]["x-problem-codes"]}
        assert codes.keys() - known == set(), name
        assert "invalid-request" not in codes


SAME_EVERY_TIME = "--seed=20261116"
"""The generated cases are deterministic here. `make fuzz` generates new ones."""

# `apply` and `check` take the same body, so the coverage cases of one are enough.
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
def test_schemathesis_finds_no_failure(service: str, seconds: int, arguments: list[str]) -> None:
    found = run(service, seconds, SAME_EVERY_TIME, *arguments)
    assert found.returncode == 0, found.stdout
    assert "passed" in found.stdout
