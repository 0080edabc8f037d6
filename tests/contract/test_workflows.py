"""The workflows of `openapi/workflows.arazzo.yaml`, run by redocly's `respect` against a real service."""

import uuid
from pathlib import Path

import pytest
import yaml
from lostcities.auth import hash_api_key, new_api_key
from lostcities.variants.registry import VARIANTS

from tests.contract.test_judges import Run, only_required, run
from tests.server.serving import ROOT, serving

__all__ = ["run"]

WORKFLOWS = ROOT / "openapi" / "workflows.arazzo.yaml"
DESCRIBED = yaml.safe_load(WORKFLOWS.read_text())["workflows"]
NAMES = [workflow["workflowId"] for workflow in DESCRIBED]


def test_the_linter_reports_no_problem(run: Run) -> None:
    run("redocly", "lint", "--config", "redocly.yaml", WORKFLOWS)


def test_the_workflows_play_a_game_of_every_variant_to_its_end() -> None:
    """They create it and read its final score."""
    steps = [{step["stepId"]: step for step in workflow["steps"]} for workflow in DESCRIBED]
    to_the_end = [each for each in steps if {"create", "score"} <= each.keys()]
    played = {each["create"]["requestBody"]["payload"]["variant"] for each in to_the_end}
    assert played == VARIANTS.keys()


@only_required
@pytest.mark.parametrize("needs_key", [False, True], ids=["open", "with API keys"])
def test_every_workflow_passes(run: Run, tmp_path: Path, needs_key: bool) -> None:
    key = new_api_key()
    given = ["--input", f"creation_key={uuid.uuid4()}", *(["--input", f"api_key={key}"] if needs_key else [])]
    with serving(tmp_path / "data", **({"API_KEYS": hash_api_key(key)} if needs_key else {})) as service:
        said = run("redocly", "respect", WORKFLOWS, "--server", f"lostcities={service.url}", *given)
        assert f"Workflows: {len(NAMES)} passed, {len(NAMES)} total" in said
