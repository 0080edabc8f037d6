"""What is deployed: every file is parsed, checked by its schema, and says of the service what the service says."""

import json
import re
import shutil
import subprocess
import sys
from functools import cache
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import kubernetes_validate
import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from service.api.catalogue import MAX_BODY
from service.app import create_app
from service.config import Settings
from service.serve import GRACE_SECONDS, IDLE_SECONDS
from tests.client import sit_down
from tests.conftest import client_of
from tests.server.serving import ROOT

DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
OVERLAYS = ["primary", "cluster"]


def parse(path: Path) -> list[Any]:
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


def builtin(schema: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Check a file by a schema that check-jsonschema brings along."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


# Compose -----------------------------------------------------------------------------------------------------------


def compose() -> Any:
    (document,) = parse(DEPLOY / "compose.yaml")
    return document


def test_the_compose_file_is_one() -> None:
    done = builtin("vendor.compose-spec", DEPLOY / "compose.yaml")
    assert done.returncode == 0, done.stdout


def test_the_compose_file_mounts_what_is_there_and_trusts_the_proxy_alone() -> None:
    services = compose()["services"]
    assert set(services) == {"proxy", "service", "store", "prometheus", "grafana"}
    for service in services.values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert not source.startswith(".") or (DEPLOY / source).is_file(), volume
    proxy = services["proxy"]["networks"]["inside"]["ipv4_address"]
    trusted = Settings.from_environment(services["service"]["environment"]).trusted_proxies
    assert [ip_network(proxy)] == [*trusted]
    assert ip_address(proxy) in ip_network(compose()["networks"]["inside"]["ipam"]["config"][0]["subnet"])
    assert "--appendonly yes" in services["store"]["command"]
    assert services["service"]["deploy"]["replicas"] == 2
    assert int(services["service"]["stop_grace_period"].rstrip("s")) > GRACE_SECONDS


def test_the_proxy_agrees_with_the_service() -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    assert text.count("{") == text.count("}")
    assert f"client_max_body_size {MAX_BODY // 1024}k;" in text
    (seconds,) = re.findall(r"proxy_read_timeout (\d+)s;", text)
    assert int(seconds) < IDLE_SECONDS


# Kubernetes --------------------------------------------------------------------------------------------------------


@cache
def built(overlay: str) -> list[Any]:
    """The overlay as kustomize builds it."""
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("kubectl, which builds overlays, is not here")
    done = subprocess.run(
        [kubectl, "kustomize", str(KUBERNETES / "overlays" / overlay)], capture_output=True, text=True, check=True
    )
    return [*yaml.safe_load_all(done.stdout)]


def complete(path: Path) -> bool:
    """Whether the file holds whole resources: no instructions to kustomize, no patch of others."""
    return path.name != "kustomization.yaml" and not path.name.startswith("store-") and path != CLUSTER_PATCH


CLUSTER_PATCH = KUBERNETES / "overlays" / "cluster" / "store.yaml"
RESOURCES = [path for path in sorted(KUBERNETES.rglob("*.yaml")) if complete(path)]


@pytest.mark.parametrize("path", RESOURCES, ids=lambda path: str(path.relative_to(KUBERNETES)))
def test_every_resource_is_what_kubernetes_says(path: Path) -> None:
    for resource in parse(path):
        kubernetes_validate.validate(resource, "1.37", strict=True)


@pytest.mark.parametrize(
    "folder", sorted(path.parent for path in KUBERNETES.rglob("kustomization.yaml")), ids=lambda path: path.name
)
def test_every_file_is_used(folder: Path) -> None:
    (document,) = parse(folder / "kustomization.yaml")
    named = {*document.get("resources", []), *(patch["path"] for patch in document.get("patches", []))}
    files = {path.name for path in folder.glob("*.yaml")} - {"kustomization.yaml"}
    assert {name for name in named if not name.startswith("..")} == files
    assert all((folder / name).is_dir() for name in named if name.startswith(".."))


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_an_overlay_builds_and_is_what_kubernetes_says(overlay: str) -> None:
    for resource in built(overlay):
        kubernetes_validate.validate(resource, "1.37", strict=True)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_pod_is_confined(overlay: str) -> None:
    """What the namespace's `restricted` standard asks for, and bounds for what it may use."""
    pods = [
        (each["metadata"]["name"], each["spec"]["template"]["spec"])
        for each in built(overlay)
        if "template" in each.get("spec", {})
    ]
    assert len(pods) == {"primary": 2, "cluster": 3}[overlay]
    for name, pod in pods:
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            confined = container["securityContext"]
            assert confined["readOnlyRootFilesystem"] is True
            assert confined["allowPrivilegeEscalation"] is False
            assert confined["capabilities"] == {"drop": ["ALL"]}
            assert "memory" in container["resources"]["limits"]
            assert {"cpu", "memory"} <= container["resources"]["requests"].keys()


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_the_parts_of_an_overlay_find_each_other(overlay: str) -> None:
    resources = {(each["kind"], each["metadata"]["name"]): each for each in built(overlay)}
    deployment = resources["Deployment", "service"]["spec"]["template"]
    labels = deployment["metadata"]["labels"]
    for kind, selector in {
        "Service": "selector",
        "PodDisruptionBudget": "selector",
        "NetworkPolicy": "podSelector",
    }.items():
        found = resources[kind, "service"]["spec"][selector]
        assert found.get("matchLabels", found).items() <= labels.items(), kind
    assert resources["HorizontalPodAutoscaler", "service"]["spec"]["minReplicas"] >= 2
    (container,) = deployment["spec"]["containers"]
    config = container["envFrom"][0]["configMapRef"]["name"]
    environment = resources["ConfigMap", config]["data"]
    assert re.match(
        {"primary": r"redis://store:6379", "cluster": r"redis\+cluster://"}[overlay], environment["REDIS_URL"]
    )
    assert {name.lower() for name in environment} <= {*Settings.__dataclass_fields__, "durability"}
    (port,) = container["ports"]
    assert port["containerPort"] == Settings().port
    paths = {
        probe: container[probe]["httpGet"]["path"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")
    }
    assert paths == {"startupProbe": "/livez", "livenessProbe": "/livez", "readinessProbe": "/readyz"}
    pause = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert deployment["spec"]["terminationGracePeriodSeconds"] >= pause + GRACE_SECONDS
    assert str(deployment["spec"]["securityContext"]["runAsUser"]) in (ROOT / "Dockerfile").read_text()
    replicas = resources["StatefulSet", "store"]["spec"]["replicas"]
    assert replicas == {"primary": 1, "cluster": 6}[overlay]


# Watching ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def metrics(store_url: str) -> dict[str, set[str]]:
    """The names that the service tells, each with its labels."""
    app = create_app(Settings(redis_url=store_url))
    api = client_of(app)
    sit_down(api)
    counted = app.extensions["metrics"]
    told = {"up": {"job", "instance"}}
    for metric in vars(counted).values():
        if not hasattr(metric, "_labelnames"):
            continue
        name, labels = metric._name, {*metric._labelnames}
        if metric._type == "counter":
            told[f"{name}_total"] = labels
        elif metric._type == "gauge":
            told[name] = labels
        else:
            told |= {f"{name}_bucket": labels | {"le"}, f"{name}_count": labels, f"{name}_sum": labels}
    families = text_string_to_metric_families(api.get("/metrics").content.decode())
    samples = {sample.name for family in families for sample in family.samples if not sample.name.endswith("_created")}
    assert samples <= told.keys()
    return told


def expressions(path: Path) -> list[str]:
    if path.suffix == ".json":
        return [
            target["expr"] for panel in json.loads(path.read_text())["panels"] for target in panel.get("targets", [])
        ]
    return [rule["expr"] for document in parse(path) for group in document["groups"] for rule in group["rules"]]


@pytest.mark.parametrize("name", ["alerts.yaml", "grafana/lostcities.json"])
def test_every_expression_is_promql_about_what_is_told(metrics: dict[str, set[str]], name: str) -> None:
    found = expressions(DEPLOY / name)
    assert len(found) >= 8
    for expression in found:
        promql_parser.parse(expression.replace("$__rate_interval", "5m"))
        names = {*re.findall(r"\b(lostcities_\w+|up)\b", expression.replace('job="lostcities"', ""))}
        assert names, expression
        assert names <= metrics.keys(), expression
        for grouped in re.findall(r"by \(([^)]*)\)", expression):
            labels = {label.strip() for label in grouped.split(",")}
            assert any(labels <= metrics[each] for each in names), expression


def test_the_dashboard_shows_every_metric(metrics: dict[str, set[str]]) -> None:
    text = " ".join(expressions(DEPLOY / "grafana" / "lostcities.json"))
    for name in metrics.keys() - {"up"}:
        family = re.sub("_(bucket|count|sum|total)$", "", name)
        assert family in text, name


def test_the_dashboard_is_well_formed() -> None:
    dashboard = json.loads((DEPLOY / "grafana" / "lostcities.json").read_text())
    ids = [panel["id"] for panel in dashboard["panels"]]
    assert len({*ids}) == len(ids)
    source = parse(DEPLOY / "grafana" / "datasource.yaml")[0]["datasources"][0]["uid"]
    cells: set[tuple[int, int]] = set()
    for panel in dashboard["panels"]:
        at = panel["gridPos"]
        own = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not own & cells, f"{panel['title']} lies on another"
        assert at["x"] + at["w"] <= 24
        cells |= own
        if panel["type"] != "row":
            assert panel["datasource"]["uid"] == source
            assert [target["refId"] for target in panel["targets"]] == [*"ABCDEF"[: len(panel["targets"])]]


def test_every_alert_says_what_to_do() -> None:
    (document,) = parse(DEPLOY / "alerts.yaml")
    for rule in document["groups"][0]["rules"]:
        assert re.fullmatch(r"LostCities\w+", rule["alert"])
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert {"summary", "action"} <= rule["annotations"].keys()
        assert re.fullmatch(r"\d+m", rule["for"])


def test_prometheus_asks_every_instance_and_knows_the_alerts() -> None:
    (document,) = parse(DEPLOY / "prometheus.yaml")
    (job,) = document["scrape_configs"]
    assert job["job_name"] == "lostcities"
    assert job["dns_sd_configs"][0]["port"] == Settings().port
    mounted = [volume.split(":")[1] for volume in compose()["services"]["prometheus"]["volumes"]]
    assert {*document["rule_files"]} <= {*mounted}
