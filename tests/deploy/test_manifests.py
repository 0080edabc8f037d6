"""Deployment files: each is valid by its schema and agrees with the service."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import kubernetes_validate
import promql_parser
import pytest
import redis
import requests
import yaml
from lostcities.api.fields import MAX_BODY, RECORD_EVENT_BYTES
from lostcities.app import create_app
from lostcities.auth import resolve_address
from lostcities.config import Settings
from lostcities.gunicorn_config import graceful_timeout, keepalive
from lostcities.store.embedded import binary
from lostcities.store.redis import RedisStore
from prometheus_client.parser import text_string_to_metric_families

from tests.client import create_game
from tests.conftest import client_of
from tests.faults.processes import free_port, until
from tests.server.serving import ROOT, serving

DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
OVERLAYS = ["primary", "cluster"]


def parse(path: Path) -> list[Any]:
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


def builtin(schema: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Check a file by a built-in schema of check-jsonschema."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


# Compose -----------------------------------------------------------------------------------------------------------


def compose() -> Any:
    (document,) = parse(DEPLOY / "compose.yaml")
    return document


def test_the_compose_file_is_valid() -> None:
    done = builtin("vendor.compose-spec", DEPLOY / "compose.yaml")
    assert done.returncode == 0, done.stdout


PASSWORD = re.compile(r"\$\{(\w+_PASSWORD)(:\?[^}]+)?\}")


def with_passwords(text: str) -> str:
    """The text as compose reads it, with a password for each variable."""
    return PASSWORD.sub("secret", text).replace("$$", "$")


def test_the_compose_file_has_no_password_and_does_not_start_without() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    named = PASSWORD.findall(text)
    assert {name for name, _ in named} == {"STORE_PASSWORD", "GRAFANA_PASSWORD"}
    assert all(required for _, required in named)
    assert len(named) == text.count("_PASSWORD:?")
    subprocess.run(["git", "check-ignore", "--quiet", "deploy/.env"], cwd=ROOT, check=True)
    grafana = compose()["services"]["grafana"]["environment"]
    assert grafana["GF_AUTH_ANONYMOUS_ENABLED"] == grafana["GF_USERS_ALLOW_SIGN_UP"] == "false"


def test_every_container_is_confined() -> None:
    for name, service in compose()["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "memory" in service["deploy"]["resources"]["limits"], name
        assert "build" in service or re.search(r":[\w.-]+@sha256:[0-9a-f]{64}$", service["image"]), name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), name


def test_each_part_reaches_only_what_it_needs() -> None:
    services, networks = compose()["services"], compose()["networks"]
    reached = {name: {*service["networks"]} for name, service in services.items()}
    assert reached["store"] == {"data"}
    assert {name for name, among in reached.items() if "data" in among} == {"store", "service"}
    assert {name for name, among in reached.items() if "inside" in among} == {"proxy", "service"}
    assert {name for name, among in reached.items() if "watch" in among} == {"service", "prometheus", "grafana"}
    outward = {name for name, network in networks.items() if not (network or {}).get("internal")}
    assert {name for name, among in reached.items() if among & outward} == {
        name for name, service in services.items() if "ports" in service
    }


def test_the_store_of_the_compose_file_requires_its_password(tmp_path: Path) -> None:
    """The command of the file, run by the server that is here."""
    store = compose()["services"]["store"]
    program, *arguments = shlex.split(with_passwords(store["command"]))
    assert program == "valkey-server"
    check_password(tmp_path, arguments)
    assert int(arguments[arguments.index("--maxmemory") + 1].removesuffix("mb")) > 0


def check_password(folder: Path, arguments: list[str]) -> None:
    """Run a Valkey server with these arguments, and check that it takes no commands without the password."""
    port = free_port()
    server = subprocess.Popen([binary(), *arguments, "--port", str(port), "--dir", str(folder)])
    try:
        until(lambda: redis.Redis(port=port, password="secret").ping())
        with pytest.raises(redis.AuthenticationError):
            redis.Redis(port=port).ping()
        store = RedisStore(f"redis://:secret@127.0.0.1:{port}/0", timeout=20)
        store.ping()
    finally:
        server.terminate()
        server.wait(30)


def test_the_compose_file_mounts_existing_files_and_trusts_only_the_proxy() -> None:
    services = compose()["services"]
    assert set(services) == {"proxy", "service", "store", "prometheus", "grafana"}
    for service in services.values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert not source.startswith(".") or (DEPLOY / source).is_file(), volume
    proxy = services["proxy"]["networks"]["inside"]["ipv4_address"]
    environment = {name: with_passwords(value) for name, value in services["service"]["environment"].items()}
    settings = Settings.from_environment(environment)
    assert [ip_network(proxy)] == [*settings.trusted_proxies]
    assert settings.redis_url == "redis://:secret@store:6379/0"
    assert ip_address(proxy) in ip_network(compose()["networks"]["inside"]["ipam"]["config"][0]["subnet"])
    assert "--appendonly yes" in services["store"]["command"]
    assert services["service"]["deploy"]["replicas"] == 2
    assert int(services["service"]["stop_grace_period"].rstrip("s")) > graceful_timeout


CLIENTS_INSIDE = ["10.1.2.3", "172.16.1.2", "172.30.0.11", "192.168.1.2", "100.64.0.2", "fd00::2"]
"""Clients that reach the proxy from a private network."""


def kubernetes_environment() -> dict[str, str]:
    (document,) = parse(KUBERNETES / "base" / "kustomization.yaml")
    (generator,) = document["configMapGenerator"]
    return dict(literal.split("=", 1) for literal in generator["literals"])


@pytest.mark.parametrize("client", CLIENTS_INSIDE)
def test_a_client_inside_cannot_state_its_address(client: str) -> None:
    """The proxy appends the client's address to the `X-Forwarded-For` that the client sent."""
    composed = compose()["services"]["service"]["environment"]
    for environment in (composed, kubernetes_environment()):
        trusted = Settings.from_environment({"TRUSTED_PROXIES": environment["TRUSTED_PROXIES"]}).trusted_proxies
        assert all(network.num_addresses <= 256 for network in trusted)
        proxy = str(trusted[0].network_address)
        assert resolve_address(proxy, f"6.6.6.6, {client}", trusted) == resolve_address(client, "", ())


def test_the_proxy_agrees_with_the_service() -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    assert text.count("{") == text.count("}")
    assert f"client_max_body_size {MAX_BODY // 1024}k;" in text
    assert f"client_max_body_size {(MAX_BODY + RECORD_EVENT_BYTES * Settings().max_events) // 1024}k;" in text
    (seconds,) = re.findall(r" keepalive_timeout (\d+)s;", text)
    assert int(seconds) < keepalive


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Starts nginx with the example's configuration in front of a service; gives its URL."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        pytest.skip("nginx is not installed")
    running: list[subprocess.Popen[bytes]] = []

    def start(upstream: str) -> str:
        port = free_port()
        text = (DEPLOY / "nginx.conf").read_text()
        # `resolve` needs nginx 1.27.3, and the name a resolver.
        for old, new in {
            "server service:8000 resolve;": f"server {upstream};",
            "listen 8080;": f"listen 127.0.0.1:{port};",
            "/tmp/": f"{tmp_path}/",
        }.items():
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "nginx.conf"
        path.write_text(text)
        arguments = [program, "-e", str(tmp_path / "error.log"), "-p", str(tmp_path), "-c", str(path)]
        checked = subprocess.run([*arguments, "-t"], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stderr
        running.append(subprocess.Popen([*arguments, "-g", "daemon off;"]))
        until(lambda: requests.get(f"http://127.0.0.1:{port}/metrics", timeout=30).status_code == 404)
        return f"http://127.0.0.1:{port}"

    yield start
    for process in running:
        process.terminate()
        process.wait(30)


def test_the_proxy_limits_requests_per_address(nginx: Callable[[str], str], tmp_path: Path) -> None:
    with serving(tmp_path / "data") as service:
        url = nginx(service.url.removeprefix("http://"))
        game = requests.post(f"{url}/games", json={"variant": "duel", "players": ["Ann", "Ben"]}, timeout=30)
        assert game.status_code == 201
        assert requests.get(f"{url}/metrics", timeout=30).status_code == 404
        with (
            requests.get(f"{url}/games/{game.json()['id']}/events", stream=True, timeout=30) as stream,
            requests.Session() as session,
        ):
            assert next(stream.iter_content(64)), "a stream's first message passes at once"
            # Far more than the burst; each refused one is answered by the proxy in less than a millisecond.
            answers = [session.get(f"{url}/livez", timeout=30) for _ in range(2000)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert {answer.status_code for answer in answers[:150]} == {200}
    assert refused
    assert refused[0].headers["Content-Type"] == "application/problem+json"
    assert refused[0].headers["Retry-After"] == "1"
    assert refused[0].json()["code"] == "too-many-requests"


def test_the_proxy_limits_streams_per_address(nginx: Callable[[str], str], tmp_path: Path) -> None:
    """And passes on the first message of each at once, although other answers are buffered."""
    (most,) = map(int, re.findall(r"limit_conn streams (\d+);", (DEPLOY / "nginx.conf").read_text()))
    with serving(tmp_path / "data") as service, ExitStack() as stack:
        url = nginx(service.url.removeprefix("http://"))
        game = requests.post(f"{url}/games", json={"variant": "duel", "players": ["Ann", "Ben"]}, timeout=30).json()
        for _ in range(most):
            stream = stack.enter_context(requests.get(f"{url}/games/{game['id']}/events", stream=True, timeout=30))
            assert stream.status_code == 200
            # Not by `iter_content`, whose end closes the connection.
            assert stream.raw.read(16)
        refused = stack.enter_context(requests.get(f"{url}/games/{game['id']}/events", stream=True, timeout=30))
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
        assert requests.get(f"{url}/games/{game['id']}", timeout=30).status_code == 200


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
def test_every_resource_is_valid(path: Path) -> None:
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
def test_an_overlay_builds_and_is_valid(overlay: str) -> None:
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
def test_the_references_in_an_overlay_resolve(overlay: str) -> None:
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
    password, address = container["env"]
    assert (password["name"], address["name"]) == ("STORE_PASSWORD", "REDIS_URL"), "only earlier variables are known"
    assert password["valueFrom"]["secretKeyRef"] == SECRET
    assert address["value"].count("$(STORE_PASSWORD)") == 1
    scheme = {"primary": "redis://", "cluster": "redis+cluster://"}[overlay]
    assert address["value"].startswith(f"{scheme}:$(STORE_PASSWORD)@store")
    settings = Settings.from_environment({**environment, "REDIS_URL": address["value"]})
    assert settings.trusted_proxies
    assert {name.lower() for name in environment} <= {*Settings.__dataclass_fields__, "durability"}
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert ports == {"http": Settings().port, "metrics": settings.metrics_port}
    assert deployment["metadata"]["annotations"]["prometheus.io/port"] == str(settings.metrics_port)
    inward = [
        [port["port"] for port in rule["ports"]] for rule in resources["NetworkPolicy", "service"]["spec"]["ingress"]
    ]
    assert inward == [["http"], ["metrics"]]
    paths = {
        probe: container[probe]["httpGet"]["path"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")
    }
    assert paths == {"startupProbe": "/livez", "livenessProbe": "/livez", "readinessProbe": "/readyz"}
    pause = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert deployment["spec"]["terminationGracePeriodSeconds"] >= pause + graceful_timeout
    assert str(deployment["spec"]["securityContext"]["runAsUser"]) in (ROOT / "Dockerfile").read_text()
    replicas = resources["StatefulSet", "store"]["spec"]["replicas"]
    assert replicas == {"primary": 1, "cluster": 6}[overlay]


SECRET = {"name": "store", "key": "password"}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_the_store_of_an_overlay_requires_its_password(overlay: str, tmp_path: Path) -> None:
    """Its arguments, run by the server that is here. The secret itself is in no file."""
    resources = {(each["kind"], each["metadata"]["name"]): each for each in built(overlay)}
    assert not [kind for kind, _ in resources if kind == "Secret"]
    (container,) = resources["StatefulSet", "store"]["spec"]["template"]["spec"]["containers"]
    (auth,) = [each for each in container["env"] if each["name"] == "REDISCLI_AUTH"]
    assert auth["valueFrom"]["secretKeyRef"] == SECRET
    program, *arguments = [each.replace("$(REDISCLI_AUTH)", "secret") for each in container["args"]]
    assert program == "valkey-server"
    assert any(each.startswith("--maxmemory ") for each in arguments)
    if overlay == "primary":
        check_password(tmp_path, [each for each in arguments if not each.startswith("--dir")])
    else:
        assert "--primaryauth secret" in arguments
        (setup,) = resources["Job", "store-setup"]["spec"]["template"]["spec"]["containers"]
        assert setup["env"] == [auth]


# Monitoring --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def metrics(store_url: str) -> dict[str, set[str]]:
    """The metrics of the service, each with its labels."""
    app = create_app(Settings(redis_url=store_url))
    api = client_of(app)
    create_game(api)
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
def test_every_expression_is_valid_and_uses_existing_metrics(metrics: dict[str, set[str]], name: str) -> None:
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


def test_every_alert_has_a_runbook_text() -> None:
    (document,) = parse(DEPLOY / "alerts.yaml")
    for rule in document["groups"][0]["rules"]:
        assert re.fullmatch(r"LostCities\w+", rule["alert"])
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert {"summary", "action"} <= rule["annotations"].keys()
        assert re.fullmatch(r"\d+m", rule["for"])


def test_prometheus_scrapes_every_instance_and_loads_the_alerts() -> None:
    (document,) = parse(DEPLOY / "prometheus.yaml")
    (job,) = document["scrape_configs"]
    assert job["job_name"] == "lostcities"
    port = compose()["services"]["service"]["environment"]["METRICS_PORT"]
    assert job["dns_sd_configs"][0]["port"] == int(port)
    mounted = [volume.split(":")[1] for volume in compose()["services"]["prometheus"]["volumes"]]
    assert {*document["rule_files"]} <= {*mounted}
