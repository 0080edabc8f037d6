"""The software bill of materials: what `requirements.lock` installs, as CycloneDX on the standard output."""

import hashlib
import json
import re
import sys
import tomllib
import uuid
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PINNED = re.compile(
    r"^([\w.-]+)(?:\[[\w,]+\])?==([^\s;\\]+)(.*?)(?=^[\w.-]+(?:\[[\w,]+\])?==|\Z)", re.MULTILINE | re.DOTALL
)


def components(lock: str) -> list[dict[str, Any]]:
    """Every package of the lock file, with the hashes of the files that it may be installed from."""
    return [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{name.lower()}@{version}",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name.lower()}@{version}",
            "hashes": [{"alg": "SHA-256", "content": each} for each in re.findall(r"sha256:([0-9a-f]{64})", rest)],
        }
        for name, version, rest in PINNED.findall(lock)
    ]


def bill() -> dict[str, Any]:
    """The same for the same lock file, its serial number included."""
    lock = (ROOT / "requirements.lock").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.UUID(hashlib.sha256(lock.encode()).hexdigest()[:32])}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": project["name"],
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": components(lock),
    }


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=2)
    print()
