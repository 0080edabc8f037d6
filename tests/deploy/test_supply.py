"""The supply chain: pinned dependencies and actions, least privileges, and the bill of materials."""

import json
import re
import subprocess
import sys
import tomllib
from typing import Any

import yaml
from lostcities.cli import main

from tests.deploy.test_manifests import builtin
from tests.server.serving import ROOT

DEPENDABOT = ROOT / ".github" / "dependabot.yml"
WORKFLOW = ROOT / ".github" / "workflows" / "test.yaml"

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def jobs() -> dict[str, Any]:
    document = yaml.safe_load(WORKFLOW.read_text())
    assert document["permissions"] == {}
    return dict(document["jobs"])


def test_the_workflow_is_valid() -> None:
    done = builtin("vendor.github-workflows", WORKFLOW)
    assert done.returncode == 0, done.stdout
    assert builtin("custom.github-workflows-require-timeout", WORKFLOW).returncode == 0


def test_every_action_is_pinned_and_no_job_may_write() -> None:
    """Except one, which signs, and runs on main only."""
    for name, job in jobs().items():
        if name == "bill-of-materials":
            assert job["if"] == "github.event_name == 'push'"
            assert job["permissions"] == {"contents": "read", "id-token": "write", "attestations": "write"}
        else:
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
    assert made == {"test", "contract", "audit", "sbom"}
    assert made <= targets


def test_the_image_is_scanned_and_its_bill_of_materials_is_signed() -> None:
    used = {name: [step.get("uses", "").split("@")[0] for step in job["steps"]] for name, job in jobs().items()}
    assert "anchore/scan-action" in used["image"]
    assert used["bill-of-materials"].index("anchore/sbom-action") < used["bill-of-materials"].index(
        "actions/attest-sbom"
    )


def test_dependabot_knows_every_kind_of_dependency() -> None:
    done = builtin("vendor.dependabot", DEPENDABOT)
    assert done.returncode == 0, done.stdout
    updates = yaml.safe_load(DEPENDABOT.read_text())["updates"]
    kinds = {each["package-ecosystem"] for each in updates}
    assert kinds == {"pip", "npm", "docker", "docker-compose", "github-actions"}
    for each in updates:
        for folder in each.get("directories", [each.get("directory")]):
            assert folder == "/" or [*ROOT.glob(folder.strip("/"))], folder


def locks() -> set[str]:
    folders = (".", "deploy", "tests/contract")
    return {path.relative_to(ROOT).as_posix() for folder in folders for path in (ROOT / folder).glob("*.lock")}


def test_every_lock_is_audited_made_anew_and_named_in_the_policy() -> None:
    text = (ROOT / "Makefile").read_text()
    audit, lock = (text.partition(f"\n{target}:")[2].partition("\n\n")[0] for target in ("audit", "lock"))
    assert {*re.findall(r"--requirement (\S+)", audit)} == locks()
    assert {*re.findall(r"-o (\S+)", lock)} == locks()
    assert {*re.findall(r"`(\S+\.lock)`", (ROOT / ".github" / "SECURITY.md").read_text())} == locks()


def test_every_package_of_a_lock_has_a_hash() -> None:
    for path in locks():
        entries = re.split(r"\n(?=\S)", (ROOT / path).read_text().strip())
        packages = [entry for entry in entries if not entry.startswith("#")]
        assert packages, path
        assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", package) for package in packages), path


def test_packages_are_installed_by_hash() -> None:
    """In the Makefile, the image and the workflow. Only `make test-latest` installs the newest versions."""
    for name in ("Makefile", "Dockerfile", ".github/workflows/test.yaml", ".ci/run"):
        text = (ROOT / name).read_text().replace("\\\n", " ")
        installs = [
            line
            for line in re.split(r"\n|&&|\|\|", text)
            if re.search(r"\bpip3? install|\buv (tool|x)\b|\buvx\b", line)
        ]
        by_range = [line.split() for line in installs if "--require-hashes" not in line]
        newest = ["-r", "pyproject.toml", "--extra", "env", "--extra", "openspiel", "--extra", "otel", "--group", "dev"]
        assert [words[-len(newest) :] for words in by_range] == ([newest] if name == "Makefile" else []), name


def test_the_security_policy_names_a_contact() -> None:
    text = (ROOT / ".github" / "SECURITY.md").read_text()
    assert "privately" in text


def test_the_changelog_keeps_its_form_and_knows_the_version() -> None:
    text = (ROOT / "service" / "lostcities" / "web" / "CHANGELOG.md").read_text()
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading) for heading in headings[1:])
    kinds = {*re.findall(r"^### (.*)$", text, re.MULTILINE)}
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert headings[1].startswith(f"[{VERSION}]")


def test_everything_that_is_released_has_the_same_version() -> None:
    clients = ROOT / "openapi" / "clients"
    assert tomllib.loads((clients / "python" / "pyproject.toml").read_text())["project"]["version"] == VERSION
    assert json.loads((clients / "typescript" / "package.json").read_text())["version"] == VERSION
    assert json.loads((ROOT / "openapi" / "openapi.json").read_text())["info"]["version"] == VERSION
    assert f"lostcities:{VERSION}" in (ROOT / "deploy/kubernetes/base/deployment.yaml").read_text()


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


def test_api_key_prints_a_key_and_its_hash(capsys: Any) -> None:
    import hashlib

    main(["api-key"])
    key, kept = re.findall(r":\s+(\S+)$", capsys.readouterr().out, re.MULTILINE)
    assert re.fullmatch("key_[0-9a-f]{32}", key)
    assert hashlib.sha256(key.encode()).hexdigest() == kept
