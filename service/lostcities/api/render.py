"""Converts games to JSON data for responses. All data about a game that a caller receives is made here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from lostcities.api.json_provider import encode
from lostcities.api.variants.labels import labels
from lostcities.bots.expert import Estimate, is_mistake
from lostcities.bots.levels import levels_of
from lostcities.games.chance import ALGORITHM, DESCRIPTION, commitment
from lostcities.games.clock import running
from lostcities.games.game import Event, Game, endings, redact
from lostcities.games.moves import GAME_RULES, GAME_VALUES, ViewRequest, acting_seats
from lostcities.games.service import Verification
from lostcities.games.storage import StoredGame
from lostcities.games.tokens import Caller
from lostcities.languages import translate
from lostcities.variants.core import FULL, AnyRules, Move, Result, Text, Viewer, total
from lostcities.variants.registry import VARIANTS

Plain = dict[str, Any]


@lru_cache(maxsize=1024)
def format_time(milliseconds: int) -> str:
    """A time in the format of the contract.

    >>> format_time(0)
    '1970-01-01T00:00:00.000Z'
    """
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Include(NamedTuple):
    """Which members to add to a game, and for which caller."""

    names: tuple[str, ...]
    caller: Caller
    view: ViewRequest = ViewRequest()

    def members(self, game: Game, seats: Iterable[int] | None = None) -> Plain:
        """The added members.

        :param seats: whose moves to list; by default those that the caller may act for
        """
        added: Plain = {}
        if "moves" in self.names:
            listed = acting_seats(game, self.caller, self.view) if seats is None else seats
            added["moves"] = moves(game, listed)["moves"]
        if "score" in self.names:
            added["score"] = score(game)
        return added


def game(stored: StoredGame, viewer: Viewer, include: Include | None = None) -> Plain:
    """The game as the viewer may see it."""
    game, setup = stored.game, stored.game.setup
    return {
        "id": stored.id,
        "variant": setup.variant,
        "rules_version": setup.rules_version,
        "version": game.version,
        "players": game.players,
        "bots": [game.bot_of(seat) for seat in range(game.seats)],
        **situation(game, game.effective_viewer(viewer)),
        "chance": setup.chance,
        "seeded_by": setup.seeded_by,
        "commitment": None if setup.seed is None else commitment(setup.seed),
        "resigned": game.seating.resigned,
        "turn_seconds": setup.turn_seconds,
        "on_timeout": setup.on_timeout,
        "clocks": clocks(stored),
        "created_at": format_time(stored.registration.created_at),
        "expires_at": format_time(stored.at + stored.lifetime),
        **(include.members(game) if include else {}),
    }


def clocks(stored: StoredGame) -> list[Plain]:
    """Since when and until when the seats are to act, in a game with a time limit."""
    since = stored.registration.acting_since
    return [
        {"seat": seat, "since": format_time(since[seat]), "until": format_time(until)}
        for seat, until in running(stored.game, since).items()
    ]


def situation(game: Game, viewer: Viewer) -> Plain:
    """The members that a stored game and a position in a request have in common, as the viewer may see them."""
    to_act = game.to_act
    return {
        "variant": game.setup.variant,
        "status": "playing" if to_act else "finished",
        "to_act": to_act,
        "phase": game.phase,
        "options": game.state.options.plain(),
        "position": game.rules.to_position(game.state, viewer),
        "outcome": outcome(game.result),
    }


def outcome(ended: Result | None) -> Plain | None:
    """How a game ended."""
    return None if ended is None else ended._asdict()


def moves(game: Game, seats: Iterable[int]) -> Plain:
    """The legal moves of those seats."""
    rules, variant = game.rules, game.setup.variant
    return {
        "variant": variant,
        "version": game.version,
        "moves": [
            words[each.notation]
            for seat in seats
            for words in (_words(variant, seat),)
            for each in rules.legal_moves(game.state, seat)
        ],
    }


def advice(game: Game, seat: int, estimates: Iterable[Estimate]) -> Plain:
    """What each legal move of the seat is worth."""
    return {
        "variant": game.setup.variant,
        "version": game.version,
        "seat": seat,
        "moves": [
            {
                **_move(seat, each.move),
                "value": round(each.value, 2),
                "error": round(each.error, 2),
                "loss": round(each.loss, 2),
                "loss_error": round(each.loss_error, 2),
                "mistake": is_mistake(each),
            }
            for each in estimates
        ],
    }


def _move(seat: int, move: Move) -> Plain:
    return {"seat": seat, "notation": move.notation, "type": move.type, **move.fields}


@cache
def _words(variant: str, seat: int) -> Mapping[str, msgspec.Raw]:
    """Pre-serialised moves of a variant for one seat, by notation."""
    return {
        each.notation: msgspec.Raw(encode(_move(seat, each))) for each in VARIANTS[variant].rules.VOCABULARY.values()
    }


def events(rules: AnyRules, first: int, happened: Sequence[Event], viewer: Viewer) -> list[Plain]:
    """The events after version `first`, redacted for the viewer."""
    return [
        {"version": version, "actor": event.actor, "notation": redact(rules, event, viewer)}
        for version, event in enumerate(happened, first + 1)
    ]


def score(game: Game) -> Plain:
    """The score sheets, and the winners of a finished game."""
    rules = game.rules
    ended = game.result
    return {
        "variant": game.setup.variant,
        "final": ended is not None,
        "seats": [
            {
                "seat": seat,
                "total": total(sheet),
                "lines": [line.plain() for line in sheet],
            }
            for seat, sheet in enumerate(rules.score(game.state))
        ],
        "winners": ended.winners if ended else (),
    }


def fairness(game: Game, language: str) -> Plain:
    """The data to verify chance, described in that language. The seed is included only when the game is over."""
    setup, seed, public = game.setup, game.setup.seed, game.public_seed
    return {
        "algorithm": None if seed is None else ALGORITHM,
        "chance": setup.chance,
        "seeded_by": setup.seeded_by,
        "commitment": None if seed is None else commitment(seed),
        "seed": None if public is None else public.hex(),
        "seed_from": None if seed is None else setup.seed_from,
        "description": (
            translate(Text("The host supplies chance outcomes."), language)
            if seed is None
            else describe_chance(setup.rules, language)
        ),
    }


def describe_chance(rules: AnyRules, language: str) -> str:
    """How the outcomes of chance of a variant follow from the seed, in full and in that language."""
    own = Text("In {variant}: {chance}", variant=rules.VARIANT, chance=translate(rules.INFO.chance, language))
    return f"{translate(DESCRIPTION, language)}\n\n{translate(own, language)}"


def verification(verified: Verification) -> Plain:
    """The result of verifying a valid record."""
    game = verified.game
    return {
        "valid": True,
        "version": game.version,
        "chance": "verified" if verified.is_chance_verified else "unverified",
        "score": score(game),
        "outcome": outcome(game.result),
    }


def variant_summary(rules: AnyRules, language: str) -> Plain:
    """Summary of a variant, with its title in that language."""
    least, most = rules.INFO.seats
    return {
        "variant": rules.VARIANT,
        "title": translate(rules.INFO.title, language),
        "rules_version": rules.RULES_VERSION,
        "seats": {"min": least, "max": most},
    }


def variant(rules: AnyRules, language: str) -> Plain:
    """Full description of a variant in that language."""
    about = rules.INFO

    values = {**about.values, **GAME_VALUES}

    def say(text: Text | str) -> str:
        return translate(text, language)

    return {
        **variant_summary(rules, language),
        "components": _worded(about.components, say),
        "labels": labels(rules, language),
        "options": [{**option._asdict(), "text": say(option.text)} for option in about.options],
        "moves": [{**kind._asdict(), "text": say(kind.text)} for kind in about.moves],
        "chance": say(about.chance),
        "bots": levels_of(rules.VARIANT),
        "phases": [{"phase": phase, "text": say(text)} for phase, text in about.phases.items()],
        "rules": [
            {"code": code, "text": say(text), "values": values.get(code, ())}
            for code, text in {**about.rules, **GAME_RULES}.items()
        ],
        "scales": _worded(about.scales, say),
        "endings": [{"reason": reason, "text": say(text)} for reason, text in endings(rules).items()],
        "rulings": [{**ruling._asdict(), "text": say(ruling.text)} for ruling in about.rulings],
    }


WORDED: Final = frozenset({"bonuses", "bridge_standings", "multiplier", "turn_stages"})
"""The components and scales that are sentences for people. All other texts in them are names."""


def _worded(components: Mapping[str, Any], say: Callable[[str], str]) -> Plain:
    def said(value: Any) -> Any:
        return say(value) if isinstance(value, str) else {name: say(text) for name, text in value.items()}

    return {name: said(value) if name in WORDED else value for name, value in components.items()}


def etag(version: int, viewer: Viewer, now: Game | None = None, include: Include | None = None) -> str:
    """The ETag of a version for a viewer. It contains no data of the position.

    :param now: the current game, if `version` is an earlier version
    """
    names = include.names if include else ()
    eyes = "" if viewer is None else "-full" if viewer == FULL else f"-s{viewer}"
    if include and viewer is None and "moves" in names and include.caller.role == "host":
        eyes = "-host"  # a spectator sees the same game, and no moves
    past = "" if now is None or now.version == version else "-open" if now.is_public else "-past"
    added = "".join(f"-{name}" for name in ("moves", "score") if name in names)
    return f'"{version}{eyes}{past}{added}"'
