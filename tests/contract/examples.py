"""Records the examples of the contract from real requests.

`python -m tests.contract.examples` regenerates them. Values that differ between runs (ids, tokens, times, commitments
to random seeds) are replaced by fixed text of the same form, and so is what a better expert changes: the order and the
values of advice. The rest follows from fixed seeds.
"""

import base64
import hashlib
import io
import json
import random
import re
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flask import Flask
from lostcities.app import create_app
from lostcities.client_timeouts import LATE_BODY
from lostcities.config import RateLimits, Settings
from lostcities.games import clock
from lostcities.games.chance import commitment
from lostcities.store.embedded import EmbeddedStore
from lostcities.variants.registry import VARIANTS
from werkzeug.exceptions import RequestTimeout

from tests.client import Answer, Client
from tests.conformance.tables import brief
from tests.conftest import client_of
from tests.contract import conforms

FILE = Path(__file__).parents[2] / "service" / "lostcities" / "api" / "contract" / "examples.json"
SEED = "5e" * 32
NAMES = ("Ann", "Ben", "Cid", "Dee", "Eve")
PLAIN_TIMES = {
    "created_at": "2026-11-01T12:00:00.000Z",
    "expires_at": "2026-12-01T12:00:00.000Z",
    "since": "2026-11-01T12:00:00.000Z",
    "until": "2026-11-01T12:05:00.000Z",
}
SECONDS_LEFT = re.compile(r'(?<="detail": "the seat has )\d+|(?<="name": "seconds", "value": ")\d+')
REQUEST_ID = "example-1"


class Recorder:
    """Sends requests and records them with their responses."""

    def __init__(self, api: Client) -> None:
        self._api = api
        self._tokens: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self.operations: dict[str, Any] = {}
        self.problems: dict[str, Any] = {}

    def ask(
        self,
        name: str,
        summary: str,
        method: str,
        path: str,
        body: Any = None,
        content_type: str = "application/json",
        last: int | None = None,
        **kwargs: Any,
    ) -> Any:
        """Send a request, and record it with its response under a name."""
        headers = {"X-Request-Id": REQUEST_ID, "Content-Type": content_type}
        headers |= {} if last is None else {"Last-Event-ID": str(last)}
        answer = self._api(method, path, body, headers=headers, **kwargs)
        operation = conforms.operation_of(method, path) or {}
        if answer.status >= 400:
            self._record_problem(operation, name, summary, answer)
        else:
            self._record(operation["operationId"], name, summary, body, answer)
        return _said(answer)

    def quietly(self, method: str, path: str, body: Any = None, **kwargs: Any) -> Any:
        """Send a request without recording it."""
        answer = self._api(method, path, body, **kwargs)
        assert answer.status < 400, answer.content
        return answer.body

    def _record_problem(self, operation: Any, name: str, summary: str, answer: Answer) -> None:
        reference = operation.get("responses", {}).get(str(answer.status), {}).get("$ref", "/MethodNotAllowed")
        example = {"summary": summary, "value": self._fixed(answer.body)}
        self.problems.setdefault(reference.rsplit("/", 1)[1], {})[name] = example

    def _record(self, operation_id: str, name: str, summary: str, body: Any, answer: Answer) -> None:
        recorded = self.operations.setdefault(operation_id, {})
        if body is not None:
            recorded.setdefault("request", {})[name] = {"summary": summary, "value": self._fixed(body)}
        said = _said(answer)
        if operation_id == "listProblems":
            said = {"problems": said["problems"][:3]}
        example = {"summary": summary, "value": self._fixed(_fixed_advice(said))}
        recorded.setdefault("responses", {}).setdefault(str(answer.status), {})[name] = example

    def _fixed(self, value: Any) -> Any:
        """The value with fixed ids, times, tokens and commitments. A text is a stream: its data are fixed."""
        if isinstance(value, str):
            return re.sub(r"(?<=^data: ).*$", self._fixed_data, value, flags=re.MULTILINE)
        text = re.sub(r'(?<="commitment": ")[0-9a-f]{64}', self._fixed_commitment, json.dumps(value))
        for name, time in PLAIN_TIMES.items():
            text = re.sub(rf'"{name}": "[^"]*"', f'"{name}": "{time}"', text)
        text = SECONDS_LEFT.sub("300", text)
        text = re.sub(r'(?<="id": ")[a-z2-7]{16}(?=")', self._fixed_id, text)
        return json.loads(re.sub(r"(host|seat)_[0-9a-f]{32}", self._fixed_token, text))

    def _fixed_data(self, match: re.Match[str]) -> str:
        return json.dumps(self._fixed(json.loads(match[0])), separators=(",", ":"))

    def _fixed_id(self, match: re.Match[str]) -> str:
        digest = hashlib.sha256(str(len(self._ids)).encode()).digest()
        return self._ids.setdefault(match[0], base64.b32encode(digest[:10]).decode().lower())

    def _fixed_commitment(self, match: re.Match[str]) -> str:
        known = commitment(bytes.fromhex(SEED))
        return known if match[0] == known else commitment(bytes(32))

    def _fixed_token(self, match: re.Match[str]) -> str:
        number = str(len(self._tokens)).encode()
        secret = hashlib.sha256(number).hexdigest()[:32]
        return self._tokens.setdefault(match[0], f"{match[1]}_{secret}")


def _fixed_advice(value: Any) -> Any:
    """Advice in alphabetical order with falling values. Anything else is returned unchanged."""
    moves = value.get("moves") if isinstance(value, dict) else None
    if not moves or "value" not in moves[0]:
        return value
    ordered = sorted(moves, key=lambda move: str(move["notation"]))
    return {**value, "moves": [{**move, **_fixed_estimate(place)} for place, move in enumerate(ordered)]}


def _fixed_estimate(place: int) -> dict[str, Any]:
    return {"value": 9.5 - place, "error": 1.25, "loss": place, "loss_error": 1.0, "mistake": place > 2}


def _said(answer: Answer) -> Any:
    is_stream = answer.headers["Content-Type"].startswith("text/event-stream")
    return answer.content.decode() if is_stream else answer.body


def record(app: Flask) -> dict[str, Any]:
    """Send all example requests to the application. Returns the examples."""
    recorder = Recorder(client_of(app))
    _create(recorder, "duel", "duel", "A game of duel")
    for variant in VARIANTS:
        _describe(recorder, variant)
        _play(recorder, variant)
        _ask_about_a_position(recorder, variant)
    _ask_by_view(recorder)
    _host_rolls(recorder)
    _play_against_a_bot(recorder)
    _change_the_table(recorder)
    _operate(recorder)
    _go_wrong(recorder)
    _lose_the_store(recorder)
    _exceed_a_limit(recorder)
    _break(recorder)
    return {"operations": recorder.operations, "problems": recorder.problems}


def _describe(recorder: Recorder, variant: str) -> None:
    recorder.ask("all", "Every game", "GET", "/variants")
    recorder.ask(variant, f"About {variant}", "GET", f"/variants/{variant}")


def _create(recorder: Recorder, variant: str, name: str, summary: str, **more: Any) -> Any:
    players = NAMES[: VARIANTS[variant].rules.INFO.seats[0]]
    wish = {"variant": variant, "players": players, **more}
    return recorder.ask(name, summary, "POST", "/games", wish)


def _play(recorder: Recorder, variant: str) -> None:
    """Play a whole game, and record its first decision and its end."""
    options = {"max_turns": 12} if brief(variant) else {}
    summary = f"A reproducible game of {variant}"
    game = _create(recorder, variant, f"{variant}-seeded", summary, options=options, seed=SEED)
    path, tokens = f"/games/{game['id']}", game["tokens"]["seats"]
    look = "as seat 0 sees it"
    recorder.ask(variant, f"{variant}, {look}", "GET", path, token=tokens[0])
    and_more = f"{path}?include=moves,score"
    recorder.ask(f"{variant}-include", f"{variant}, with moves and score", "GET", and_more, token=tokens[0])
    moves = recorder.ask(variant, f"{variant}, seat 0", "GET", f"{path}/moves", token=tokens[0])["moves"]
    recorder.ask(variant, f"{variant}, seat 0", "GET", f"{path}/advice", token=tokens[0])
    recorder.ask(variant, f"{variant}, a legal move", "POST", f"{path}/check", moves[0], token=tokens[0])
    recorder.ask(variant, f"{variant}, the move as it was listed", "POST", f"{path}/moves", moves[0], token=tokens[0])
    recorder.ask(variant, f"{variant}, {look}", "GET", f"{path}/history", token=tokens[0])
    recorder.ask(variant, f"{variant}, while it goes on", "GET", f"{path}/score")
    recorder.ask(f"{variant}-playing", f"{variant}, while it goes on", "GET", f"{path}/fairness")
    _keep_a_record(recorder, variant, path, game["tokens"]["host"])
    _play_on(recorder, variant, game)
    if variant == "duel":
        recorder.ask(f"{variant}-finished", f"{variant}, finished", "GET", path)
    recorder.ask(f"{variant}-final", f"{variant}, final", "GET", f"{path}/score")
    recorder.ask(f"{variant}-finished", f"{variant}, finished: the seed is public", "GET", f"{path}/fairness")
    last = recorder.quietly("GET", path)["version"] - 2
    recorder.ask(f"{variant}-end", f"{variant}, resumed before its last two events", "GET", f"{path}/events", last=last)
    if variant == "duel":
        more = f"{path}/events?include=moves,score"
        recorder.ask(f"{variant}-include", f"{variant}, the same with moves and score", "GET", more, last=last)


def _keep_a_record(recorder: Recorder, variant: str, path: str, host: str) -> None:
    """Export a game that has just begun, verify its record, and create a game from it."""
    record = recorder.ask(variant, f"{variant}, the host's own seed", "GET", f"{path}/record", token=host)
    recorder.ask("valid", "A legal and fair game", "POST", f"/variants/{variant}/verify", record)
    early = {**record, "events": record["events"][1:]}
    recorder.ask("invalid", "Without its first event", "POST", f"/variants/{variant}/verify", early)
    if variant == "duel":
        recorder.ask("record", "A game that goes on from a record", "POST", "/games", {"record": record})
        recorder.ask("illegal-event", "A record without its first event", "POST", "/games", {"record": early})


def _play_on(recorder: Recorder, variant: str, game: Any) -> None:
    rng = random.Random(variant)
    path, tokens = f"/games/{game['id']}", game["tokens"]["seats"]
    while to_act := recorder.quietly("GET", path)["to_act"]:
        seat = rng.choice(to_act)
        move = rng.choice(recorder.quietly("GET", f"{path}/moves", token=tokens[seat])["moves"])
        recorder.quietly("POST", f"{path}/moves", {"notation": move["notation"]}, token=tokens[seat])


def _ask_about_a_position(recorder: Recorder, variant: str) -> None:
    game = recorder.quietly(
        "POST", "/games", {"variant": variant, "players": NAMES[: VARIANTS[variant].rules.INFO.seats[0]], "seed": SEED}
    )
    path, host = f"/games/{game['id']}", game["tokens"]["host"]
    position = recorder.quietly("GET", f"{path}?view=full", token=host)["position"]
    move = recorder.quietly("GET", f"{path}/moves", token=host)["moves"][0]
    noted = {"notation": move["notation"]}
    question = f"/variants/{variant}"
    recorder.ask("position", "What is legal here?", "POST", f"{question}/moves", {"position": position})
    recorder.ask("position", "What does it score?", "POST", f"{question}/score", {"position": position})
    recorder.ask("move", "One move", "POST", f"{question}/apply", {"position": position, "move": noted})
    more, after = f"{question}/apply?include=score", {"position": position, "move": noted}
    recorder.ask("include", "One move, with the score after it", "POST", more, after)
    recorder.ask("move", "One move", "POST", f"{question}/check", {"position": position, "move": move})
    twice = {"position": position, "moves": [noted, noted]}
    recorder.ask("list", "The same move twice", "POST", f"{question}/check", twice)
    recorder.ask("twice", "The same move twice", "POST", f"{question}/apply", twice)
    recorder.ask("position", "What is each move worth?", "POST", f"{question}/advice", {"position": position})
    players = NAMES[: VARIANTS[variant].rules.INFO.seats[0]]
    undealt = recorder.quietly("POST", "/games", {"variant": variant, "players": players, "chance": "client"})
    before_chance = {"position": undealt["position"]}
    recorder.ask("no-advice", "A position in which chance is to act", "POST", f"{question}/advice", before_chance)
    recorder.ask("no-position", "Nothing to ask about", "POST", f"{question}/score", {})


def _ask_by_view(recorder: Recorder) -> None:
    """Record questions about what one seat of a duel sees."""
    game = recorder.quietly("POST", "/games", {"variant": "duel", "players": NAMES[:2], "seed": SEED})
    path, seats = f"/games/{game['id']}", game["tokens"]["seats"]
    own, other = (recorder.quietly("GET", path, token=seat)["position"] for seat in seats)
    move = recorder.quietly("GET", f"{path}/moves", token=seats[0])["moves"][0]
    question = "/variants/duel"
    recorder.ask("view", "What is legal for the seat that sees this?", "POST", f"{question}/moves", {"position": own})
    recorder.ask(
        "view", "A move of the seat that sees this", "POST", f"{question}/apply", {"position": own, "move": move}
    )
    recorder.ask("view", "A view scores like a position", "POST", f"{question}/score", {"position": other})
    recorder.ask("hidden", "A move of a hidden hand", "POST", f"{question}/check", {"position": other, "move": move})


def _host_rolls(recorder: Recorder) -> None:
    """Record a game with `chance: client`, whose host sends the outcomes."""
    game = _create(recorder, "treasure-hunt", "real-dice", "A host who rolls real dice", chance="client")
    path, host = f"/games/{game['id']}/moves", game["tokens"]["host"]
    roll = {"actor": "chance", "notation": "roll 1 5 w"}
    recorder.ask("outcome", "An outcome of chance, said by the host", "POST", path, roll, token=host)
    recorder.ask("notation", "A move by its notation", "POST", path, {"seat": 0, "notation": "keep"}, token=host)
    take = {"seat": 0, "type": "take", "tile": "R1"}
    recorder.ask("structured", "A move by its type and operands", "POST", path, take, token=host)
    turn = [{"actor": "chance", "notation": "roll 2 2 3"}, {"notation": "keep"}, {"notation": "take R2"}]
    recorder.ask("list", "A list of moves, all or nothing", "POST", path, {"moves": turn}, token=host)
    early = {"seat": 0, "notation": "keep"}
    recorder.ask("illegal", "A move that is illegal here", "POST", f"/games/{game['id']}/check", early, token=host)
    roll = {"actor": "chance", "notation": "roll 3 4 w"}
    recorder.ask("include", "With the next legal moves", "POST", f"{path}?include=moves", roll, token=host)


def _play_against_a_bot(recorder: Recorder) -> None:
    """Record a game in which the service plays a seat."""
    wish = {"variant": "treasure-hunt", "players": ["Ann", {"name": "Ben", "bot": "random"}], "seed": SEED}
    game = recorder.ask("bot", "A game against a bot", "POST", "/games", wish)
    path, seat = f"/games/{game['id']}", game["tokens"]["seats"][0]
    recorder.quietly("POST", f"{path}/moves", {"notation": "keep"}, token=seat)
    skip = {"notation": "skip"}
    recorder.ask("bot", "A move, and the bot's answer", "POST", f"{path}/moves", skip, token=seat)
    recorder.ask("seat", "A seat that the game does not have", "GET", f"{path}/advice?seat=7", token=seat)


def _change_the_table(recorder: Recorder) -> None:
    """Record what happens at the table: undo, a claim, a seat that changes hands, a fork, a seat that resigns."""
    wish = {"variant": "treasure-hunt", "players": NAMES[:3], "seed": SEED, "turn_seconds": 300, "on_timeout": "bot"}
    game = recorder.ask("time-limit", "A game with a time limit", "POST", "/games", wish)
    path, host, seats = f"/games/{game['id']}", game["tokens"]["host"], game["tokens"]["seats"]
    recorder.ask("chance", "Chance has acted since", "POST", f"{path}/undo", {}, token=seats[0])
    recorder.quietly("POST", f"{path}/moves", {"notation": "keep"}, token=seats[0])
    recorder.ask("own", "The caller's own last move", "POST", f"{path}/undo", {}, token=seats[0])
    recorder.ask("early", "The seat has time left", "POST", f"{path}/claim", {}, token=seats[1])
    with patch.object(clock, "MILLISECONDS", 0):
        recorder.ask("late", "The time of another seat is up", "POST", f"{path}/claim", {}, token=seats[1])
    person = {"person": "Cleo"}
    recorder.ask("person", "A person instead of a bot", "POST", f"{path}/seats/0", person, token=host)
    recorder.ask("bot", "A bot instead of a person", "POST", f"{path}/seats/2", {"bot": "greedy"}, token=host)
    recorder.ask("unnamed", "The host names no seat", "POST", f"{path}/resign", {}, token=host)
    recorder.ask("fork", "What if?", "POST", f"{path}/fork", {"version": 2}, token=host)
    recorder.ask("future", "A version that is still to come", "POST", f"{path}/fork", {"version": 999}, token=host)
    recorder.ask("host", "The host lets a seat resign", "POST", f"{path}/resign", {"seat": 0}, token=host)
    recorder.ask("resigned", "A seat that has resigned", "POST", f"{path}/seats/0", person, token=host)
    recorder.quietly("POST", f"{path}/resign", {}, token=seats[1])
    recorder.ask("over", "The game is over", "POST", f"{path}/resign", {}, token=seats[1])
    last = recorder.quietly("GET", path)["version"]
    recorder.ask("over", "The last version", "POST", f"{path}/fork", {"version": last}, token=host)
    wish = {"variant": "roll-and-write", "players": NAMES[:3], "seed": SEED}
    game = recorder.quietly("POST", "/games", wish)
    path, seat = f"/games/{game['id']}/clockwise", game["tokens"]["seats"][2]
    recorder.ask("order", "The others choose in turn", "POST", path, {}, token=seat)
    recorder.ask("again", "They do so already", "POST", path, {}, token=seat)


def _operate(recorder: Recorder) -> None:
    recorder.ask("first", "The first three codes", "GET", "/problems")
    recorder.ask("stale", "A decision on an old state", "GET", "/problems/stale")
    recorder.ask("ascending", "A code that several variants have", "GET", "/problems/ascending")
    recorder.ask("ok", "All is well", "GET", "/livez")
    recorder.ask("ok", "All is well", "GET", "/readyz")


def _go_wrong(recorder: Recorder) -> None:
    game = recorder.quietly("POST", "/games", {"variant": "duel", "players": NAMES[:2], "seed": SEED})
    path, seat = f"/games/{game['id']}", game["tokens"]["seats"][0]
    move = {"notation": "draw deck"}
    recorder.ask("not-json", "A body that is cut off", "POST", "/games", data=b'{"variant": ')
    recorder.ask("no-token", "A move without a token", "POST", f"{path}/moves", move)
    recorder.ask("another-token", "A token of another game", "GET", path, token="seat_" + "0" * 32)
    recorder.ask("another-seat", "A move for another seat", "POST", f"{path}/moves", {**move, "seat": 1}, token=seat)
    recorder.ask("no-game", "No game of that id", "GET", "/games/aaaaaaaaaaaaaaaa")
    recorder.ask("no-problem", "Not one of the codes", "GET", "/problems/ugly")
    recorder.ask("no-variant", "Not one of the variants", "GET", "/variants/chess")
    recorder.ask("not-taken", "A method that the path does not take", "PUT", "/games")
    recorder.ask("illegal", "A draw before a card is played", "POST", f"{path}/moves", move, token=seat)
    recorder.ask("stale", "The caller has seen too little", "POST", f"{path}/moves", move, token=seat, if_match='"1"')
    recorder.ask("large", "Too much", "POST", f"{path}/moves", data=b" " * 70_000)
    recorder.ask("no-type", "A body without its type", "POST", "/games", data=b"{}", content_type="text/plain")
    recorder.ask("unknown", "A parameter that is not there", "GET", f"{path}/fairness?x=1")
    recorder.ask("include", "A member that cannot be included", "GET", f"{path}?include=history")
    recorder.ask("players", "One player too few", "POST", "/games", {"variant": "duel", "players": ["Ann"]})
    recorder.ask("both", "Two views at once", "GET", f"{path}/history?seat=0&view=full", token=seat)
    recorder.ask("future", "A version that is still to come", "GET", f"{path}?version=1000")
    recorder.ask("future", "A version that is still to come", "GET", f"{path}/events", last=1000)
    recorder.ask("seat", "A seat that the game does not have", "GET", f"{path}/moves?seat=7", token=seat)
    recorder.ask("no-move", "Text that is no move", "POST", f"{path}/moves", {"notation": "hello"}, token=seat)
    recorder.ask("no-move", "Text that is no move", "POST", f"{path}/check", {"notation": "hello"}, token=seat)


def _lose_the_store(recorder: Recorder) -> None:
    away = Recorder(client_of(create_app(Settings(redis_url="redis://127.0.0.1:1"))))
    away.ask("away", "The store does not answer", "GET", "/readyz")
    recorder.problems |= away.problems


def _exceed_a_limit(recorder: Recorder) -> None:
    """Without a store each process counts by itself."""
    limited = Recorder(
        client_of(create_app(Settings(redis_url="redis://127.0.0.1:1", rate_limits=RateLimits(client="1/day"))))
    )
    limited.quietly("GET", "/variants")
    limited.ask("limited", "The second request of a day", "GET", "/variants")
    recorder.problems |= limited.problems


def _break(recorder: Recorder) -> None:
    """Make the service fail, and send a body that is late."""
    app = create_app(Settings(redis_url="redis://127.0.0.1:1", rate_limits=None))
    app.extensions["games"] = None
    broken = Recorder(client_of(app))
    broken.ask("broken", "A fault of the service", "GET", "/readyz")
    recorder.problems |= broken.problems
    headers = {"X-Request-Id": REQUEST_ID}
    late = app.test_client().post(
        "/games", input_stream=LateBody(b" " * 10), content_length=10, content_type="application/json", headers=headers
    )
    recorder.problems["RequestTimeout"] = {"late": {"summary": "A body that does not arrive", "value": late.json}}


class LateBody(io.BytesIO):
    """The body of a request of which nothing arrives in time."""

    def readinto(self, buffer: Any) -> int:
        del buffer
        raise RequestTimeout(LATE_BODY)


def text(examples: Any) -> str:
    """The examples in the format of the committed file."""
    return json.dumps(examples, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        store = EmbeddedStore(Path(folder))
        store.start()
        try:
            FILE.write_text(text(record(create_app(Settings(redis_url=store.url, rate_limits=None)))))
        finally:
            store.stop()
