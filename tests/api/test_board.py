"""The picture of a table: drawn in every state, the same for the same table, and as secret as the view."""

import random
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest

from service.api import render
from service.api.board import board
from service.rules.game import CHANCE, FULL, Viewer
from service.rules.registry import GAMES
from service.table.game import Record, Table
from tests import pictures
from tests.client import Client, sit_down
from tests.conformance.tables import brief, every_table, every_variant
from tests.playing import steps

SVG = "{http://www.w3.org/2000/svg}"


def seated(variant: str, players: list[str], state: Any, version: int = 0) -> Table:
    """A table as the store would have it."""
    record = Record(
        id="a" * 16,
        variant=variant,
        rules_version=1,
        players=tuple(players),
        options=state.options,
        chance="client",
        seed=None,
        seeded_by=None,
        host=b"",
        seats=(b"",) * len(players),
        created_at=0,
        lifetime=1,
    )
    return Table(record, state, version, (0,) * (len(players) + 1))


def drawn(table: Table, viewer: Viewer) -> str:
    return board(render.game(table, 0, FULL if table.is_over else viewer), render.score(table))


def names(seats: int) -> list[str]:
    return [f"Player {seat}" for seat in range(seats)]


ALLOWED = {
    "svg": {"xmlns", "width", "height", "viewBox", "role", "font-family", "x", "y"},
    "title": set(),
    "desc": set(),
    "g": {"transform"},
    "rect": {"x", "y", "width", "height", "rx", "fill", "stroke", "stroke-width", "stroke-dasharray"},
    "circle": {"cx", "cy", "r", "fill", "stroke", "stroke-width"},
    "path": {"d", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin"},
    "text": {"x", "y", "font-size", "font-weight", "fill", "text-anchor"},
    "tspan": {"font-size", "font-weight", "fill"},
}
"""What pictures are made of: nothing that runs, refers to anything, is styled or has an id."""


def check(text: str) -> Any:
    """Parse the picture, which must be made of what is allowed."""
    root = ET.fromstring(text)
    for element in root.iter():
        tag = element.tag.removeprefix(SVG)
        assert element.attrib.keys() <= ALLOWED[tag], (tag, element.attrib)
    return root


def check_whole_game(variant: str, seats: int, options: dict[str, Any]) -> None:
    """Every state of a random game, through the eyes of everybody who sees something else."""
    game = GAMES[variant]
    state = game.setup(seats, game.options(options))
    for version, step in enumerate(steps(game, state, random.Random(seats)), 1):
        table = seated(variant, names(seats), step.after, version)
        viewers: list[Viewer] = [None, *range(seats), FULL]
        views = {msgspec.json.encode(game.view(step.after, viewer)): viewer for viewer in viewers}
        for viewer in views.values():
            text = drawn(table, viewer)
            root = check(text)
            assert (root.get("width"), root.get("viewBox")) == ("800", f"0 0 800 {root.get('height')}")
            assert f"version {version}<" in text


@every_table
def test_every_state_of_a_game_is_drawn_for_every_viewer(variant: str, seats: int) -> None:
    check_whole_game(variant, seats, brief(variant))


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("duel", {"expeditions": 6, "rounds": 3, "max_turns": 30}),
        ("rivals", {"piles": [77, 1, 1, 1]}),
        ("roll-and-write", {"sheet": {"arrows": {}, "scales": {"expedition": [-1000] * 10}}}),
        ("treasure-hunt", {"footprints": {"plain": [9] * 10}, "max_turns": 60}),
    ],
)
def test_a_game_with_options_is_drawn(variant: str, options: dict[str, Any]) -> None:
    check_whole_game(variant, 2, options)


@every_table
def test_a_picture_does_not_depend_on_what_its_viewer_cannot_see(variant: str, seats: int) -> None:
    """Where chance tells one seat a secret, the others' pictures are the same, byte for byte, whatever it was."""
    game, rng = GAMES[variant], random.Random(seats)
    for step in steps(game, game.setup(seats, game.options(brief(variant))), rng):
        if step.actor != CHANCE or (insider := game.witness(step.before, step.move)) is None:
            continue
        twin = game.apply(step.before, CHANCE, game.sample(step.before, rng.randrange))
        if not game.to_act(twin):
            continue
        for viewer in (None, *(seat for seat in range(seats) if seat != insider)):
            one, other = (drawn(seated(variant, names(seats), state), viewer) for state in (step.after, twin))
            assert one == other


@every_variant
@pytest.mark.parametrize(
    "name",
    [
        "<script>alert('x')</script>",
        "]]>&amp;\"'<!--",
        "</text></svg>",
        "W" * 40,
        "i" * 40,
        "李小龙" * 13,
        "אברהם בן יצחק",
        "محمد",
        "Z̸̛͎a̷l̶g̵o̵",
        "《々》",
    ],
)
def test_any_name_that_a_player_may_have_is_drawn(api: Client, variant: str, name: str) -> None:
    seats = GAMES[variant].ABOUT.seats[0]
    created = api.post("/games", {"variant": variant, "players": [name] * seats})
    root = check(api.get(f"/games/{created.body['id']}/board.svg").content.decode())
    assert name in (root.findtext(f"{SVG}desc") or "")
    # A name that is cut off is whole in the title of its text.
    assert sum("".join(text.itertext()).startswith(name) for text in root.iter(f"{SVG}text")) == seats


@every_variant
def test_the_picture_over_http(api: Client, variant: str) -> None:
    game = sit_down(api, variant, GAMES[variant].ABOUT.seats[0], seed="5e" * 32)
    answer = game.get("/board.svg")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer.headers["ETag"] == game.get("").headers["ETag"]
    assert game.get("/board.svg").content == answer.content
    own = game.get("/board.svg", token=game.seats[0])
    assert own.headers["Cache-Control"] == "no-store"
    assert game.get("/board.svg?seat=0", token=game.host).content == own.content
    assert game.get("/board.svg?version=0").content != answer.content
    for tag in (answer.headers["ETag"], f'"x", W/{answer.headers["ETag"]}'):
        known = game.get("/board.svg", headers={"If-None-Match": tag})
        assert (known.status, known.content, known.headers["ETag"]) == (304, b"", answer.headers["ETag"])
    assert game.get("/board.svg", token=game.seats[0], headers={"If-None-Match": answer.headers["ETag"]}).status == 200


@pytest.mark.parametrize(
    ("query", "who", "status"),
    [
        ("?seat=1", "seat", 403),
        ("?seat=1", None, 401),
        ("?view=full", None, 401),
        ("?view=half", "host", 422),
        ("?version=100000", None, 422),
        ("?colour=red", None, 422),
        ("?seat=7", "host", 422),
    ],
)
def test_a_picture_is_refused_as_the_game_is(api: Client, query: str, who: str | None, status: int) -> None:
    game = sit_down(api)
    token = {"seat": game.seats[0], "host": game.host, None: None}[who]
    assert game.get(f"/board.svg{query}", token=token).status == status
    assert game.get(query, token=token).status == status


@pytest.mark.parametrize("variant", pictures.MOMENTS)
def test_the_pictures_of_the_readme_are_what_the_service_draws(api: Client, variant: str) -> None:
    committed = (pictures.FOLDER / f"{variant}.svg").read_bytes()
    assert pictures.drawn(api, variant) == committed, "run `make pictures`"
    assert f"deploy/pictures/{variant}.svg" in (pictures.FOLDER.parents[1] / "README.md").read_text()


def test_a_picture_of_no_game_is_not_there(api: Client) -> None:
    assert api.get("/games/aaaaaaaaaaaaaaaa/board.svg").status == 404
