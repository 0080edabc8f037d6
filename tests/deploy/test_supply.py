"""What the service is made of, and what runs on a change: pinned, listed and with no more rights than needed."""

import json
import re
import subprocess
import sys
import tomllib
from typing import Any

import yaml

from service.cli import main
from tests.deploy.test_manifests import builtin
from tests.server.serving import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "test.yaml"


def jobs() -> dict[str, Any]:
    document = yaml.safe_load(WORKFLOW.read_text())
    assert document["permissions"] == {}
    return dict(document["jobs"])


def test_the_workflow_is_one() -> None:
    done = builtin("vendor.github-workflows", WORKFLOW)
    assert done.returncode == 0, done.stdout
    assert builtin("custom.github-workflows-require-timeout", WORKFLOW).returncode == 0


def test_every_action_is_pinned_and_no_job_may_write() -> None:
    for job in jobs().values():
        assert job["permissions"] == {"contents": "read"}
        for step in job["steps"]:
            if "uses" in step:
                assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"])
            if step.get("uses", "").startswith("actions/checkout"):
                assert step["with"] == {"persist-credentials": False}
            assert "${{" not in step.get("run", ""), "what an event says is not run"
    pinned = re.findall(r"uses: .*", WORKFLOW.read_text())
    assert all(re.search(r"# v\d+\.\d+\.\d+$", line) for line in pinned)


def test_the_workflow_runs_what_the_makefile_has() -> None:
    targets = {*re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)}
    commands = [step["run"] for job in jobs().values() for step in job["steps"] if "run" in step]
    made = {command.removeprefix("make ") for command in commands if command.startswith("make ")}
    assert made == {"test", "audit", "sbom"}
    assert made <= targets


def test_the_changelog_keeps_its_form_and_knows_the_version() -> None:
    text = (ROOT / ".github" / "CHANGELOG.md").read_text()
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading) for heading in headings[1:])
    kinds = {*re.findall(r"^### (.*)$", text, re.MULTILINE)}
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_bill_of_materials_lists_what_the_lock_installs() -> None:
    made = subprocess.run([sys.executable, "deploy/sbom.py"], cwd=ROOT, capture_output=True, check=True).stdout
    again = subprocess.run([sys.executable, "deploy/sbom.py"], cwd=ROOT, capture_output=True, check=True).stdout
    assert made == again
    bill = json.loads(made)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", bill["serialNumber"])
    lock = (ROOT / "requirements.lock").read_text()
    listed = {f"{component['name']}=={component['version']}" for component in bill["components"]}
    assert listed == {re.sub(r"\[.*\]", "", line) for line in re.findall(r"^[\w.\[\],-]+==[^\s;]+", lock, re.MULTILINE)}
    assert sum(len(component["hashes"]) for component in bill["components"]) == lock.count("--hash=sha256:")
    direct = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    names = {component["name"] for component in bill["components"]}
    assert {re.split(r"[\[<>=; ]", each)[0] for each in direct} <= names


def test_a_key_is_made_with_its_hash(capsys: Any) -> None:
    import hashlib

    main(["api-key"])
    key, kept = re.findall(r":\s+(\S+)$", capsys.readouterr().out, re.MULTILINE)
    assert re.fullmatch("key_[0-9a-f]{32}", key)
    assert hashlib.sha256(key.encode()).hexdigest() == kept
