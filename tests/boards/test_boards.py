"""SVG pictures: every state can be drawn, and a picture shows only what its viewer may see."""

import random
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from lostcities.api import render
from lostcities.boards import board
from lostcities.boards.svg import card_back
from lostcities.games.game import Game, Setup
from lostcities.games.storage import StoredGame
from lostcities.variants.core import CHANCE, FULL, Viewer
from lostcities.variants.duel.board import HAND_SIZE
from lostcities.variants.registry import VARIANTS
from lostcities.variants.roll_and_write.board import bridge

from tests import pictures
from tests.client import Client, create_game
from tests.conformance.tables import brief, every_table, every_variant
from tests.playing import do, steps
from tests.store.tables import registration

SVG = "{http://www.w3.org/2000/svg}"


def seated(variant: str, players: list[str], state: Any, version: int = 0) -> Game:
    """A game in the given state."""
    setup = Setup(
        variant=variant,
        rules_version=1,
        players=tuple(players),
        options=state.options,
        chance="client",
    )
    return Game(setup, state, version, (0,) * (len(players) + 1))


def drawn(table: Game, viewer: Viewer) -> str:
    stored = StoredGame(registration(table.seats), table, 0)
    return board(render.game(stored, viewer), render.score(table))


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
"""Allowed elements and attributes: no scripts, references, styles or ids."""


def check(text: str) -> Any:
    """Parse the picture and check its elements and attributes."""
    root = ET.fromstring(text)
    for element in root.iter():
        tag = element.tag.removeprefix(SVG)
        assert element.attrib.keys() <= ALLOWED[tag], (tag, element.attrib)
    return root


def check_whole_game(variant: str, seats: int, options: dict[str, Any]) -> None:
    """Draw every state of a random game for every viewer with a different view."""
    game = VARIANTS[variant].rules
    state = game.setup(seats, game.parse_options(options))
    for version, step in enumerate(steps(game, state, random.Random(seats)), 1):
        table = seated(variant, names(seats), step.after, version)
        viewers: list[Viewer] = [None, *range(seats), FULL]
        views = {msgspec.json.encode(game.to_position(step.after, viewer)): viewer for viewer in viewers}
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
def test_a_picture_does_not_depend_on_hidden_cards(variant: str, seats: int) -> None:
    """Where chance gives one seat a secret card, the pictures for other viewers are identical for every card."""
    game, rng = VARIANTS[variant].rules, random.Random(seats)
    for step in steps(game, game.setup(seats, game.parse_options(brief(variant))), rng):
        if step.actor != CHANCE or (insider := game.visible_to(step.before, step.move)) is None:
            continue
        twin = game.apply(step.before, CHANCE, game.sample_chance(step.before, rng.randrange))
        if not game.to_act(twin):
            continue
        for viewer in (None, *(seat for seat in range(seats) if seat != insider)):
            one, other = (drawn(seated(variant, names(seats), state), viewer) for state in (step.after, twin))
            assert one == other


@pytest.mark.parametrize("viewer", [None, 1])
def test_a_picture_shows_the_known_cards_of_a_hidden_hand(viewer: Viewer) -> None:
    """Seat 0 discards R2, which seat 1 leaves; seat 0 then draws it."""
    game = VARIANTS["duel"].rules
    state = game.setup(2, game.parse_options({}))
    deals = ("chance deal 0 Yw Y2 Y5 B3 B8 Rw R2 R8", "chance deal 1 Yw B2 B10 W4 W9 G2 G7 R7")
    turns = ("0 discard R2", "0 draw deck", "chance draw W10", "1 discard B2", "1 draw deck", "chance draw W8")
    state = do(game, state, *deals, *turns, "0 discard B3")
    openly, unseen = do(game, state, "0 draw R"), do(game, state, "0 draw deck", "chance draw R3")
    backs = [drawn(seated("duel", names(2), each), viewer).count(card_back(*HAND_SIZE)) for each in (openly, unseen)]
    assert backs == ([7, 8] if viewer == 1 else [15, 16])


def test_a_picture_tells_a_lost_bridge_from_one_that_can_still_be_passed() -> None:
    game = VARIANTS["roll-and-write"].rules
    given = game.to_position(game.setup(2, game.parse_options({})), FULL)
    given["seats"][0] |= {"dice": 7, "bridges": {**given["seats"][0]["bridges"], "dice": "bonus"}}
    state = VARIANTS["roll-and-write"].positions.from_position(2, game.parse_options({}), given)
    text = drawn(seated("roll-and-write", names(2), state), None)
    # Each of them is also in the legend. A lost bridge is struck out.
    assert [text.count(bridge(standing)) for standing in ("bonus", "lost", "late")] == [2, 2, 1]


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
    seats = VARIANTS[variant].rules.INFO.seats[0]
    created = api.post("/games", {"variant": variant, "players": [name] * seats})
    root = check(api.get(f"/games/{created.body['id']}/board.svg").content.decode())
    assert name in (root.findtext(f"{SVG}desc") or "")
    # A truncated name is complete in the `<title>` of its text.
    assert sum("".join(text.itertext()).startswith(name) for text in root.iter(f"{SVG}text")) == seats


@every_variant
def test_the_picture_over_http(api: Client, variant: str) -> None:
    game = create_game(api, variant, VARIANTS[variant].rules.INFO.seats[0], seed="5e" * 32)
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
def test_a_picture_has_the_same_permissions_as_the_game(api: Client, query: str, who: str | None, status: int) -> None:
    game = create_game(api)
    token = {"seat": game.seats[0], "host": game.host, None: None}[who]
    assert game.get(f"/board.svg{query}", token=token).status == status
    assert game.get(query, token=token).status == status


@every_variant
def test_the_pictures_of_the_readme_are_what_the_service_draws(api: Client, variant: str) -> None:
    committed = (pictures.FOLDER / f"{variant}.svg").read_bytes()
    assert pictures.drawn(api, variant) == committed, "run `make pictures`"
    assert f"deploy/pictures/{variant}.svg" in (pictures.FOLDER.parents[1] / "README.md").read_text()


def test_a_picture_of_an_unknown_game_is_404(api: Client) -> None:
    assert api.get("/games/aaaaaaaaaaaaaaaa/board.svg").status == 404
