"""Tables as the plain data of answers. Whatever a caller is told of a game passes through here."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any, Final

import msgspec

from service.rules.game import FULL, Game, Outcome, Viewer, total
from service.rules.registry import GAMES
from service.table.asking import TABLE_RULES
from service.table.chance import ALGORITHM, commitment
from service.table.chance import __doc__ as algorithm_text
from service.table.game import Event, Record, Table, shown

Plain = dict[str, Any]

encode: Final = msgspec.json.Encoder().encode
"""How every answer becomes bytes."""


@lru_cache(maxsize=1024)
def moment(milliseconds: int) -> str:
    """A time as the contract writes it.

    >>> moment(0)
    '1970-01-01T00:00:00.000Z'
    """
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def game(table: Table, at: int, viewer: Viewer) -> Plain:
    """The game as the viewer may see it; `at` is when its last event happened."""
    record = table.record
    return {
        "id": record.id,
        "variant": record.variant,
        "rules_version": record.rules_version,
        "version": table.version,
        "players": record.players,
        **situation(table, viewer),
        "chance": record.chance,
        "seeded_by": record.seeded_by,
        "commitment": None if record.seed is None else commitment(record.seed),
        "created_at": moment(record.created_at),
        "expires_at": moment(at + record.lifetime),
    }


def situation(table: Table, viewer: Viewer) -> Plain:
    """What a position is, whether a game is stored for it or not."""
    rules, state = table.record.game, table.state
    return {
        "variant": table.record.variant,
        "status": "finished" if table.is_over else "playing",
        "to_act": table.to_act,
        "phase": rules.phase(state),
        "options": table.record.options.plain(),
        "position": rules.view(state, viewer),
        "outcome": outcome(rules.outcome(state)),
    }


def outcome(ended: Outcome | None) -> Plain | None:
    """How a game ended."""
    return None if ended is None else ended._asdict()


def moves(table: Table, seats: Iterable[int]) -> Plain:
    """The legal moves of those seats."""
    rules, variant = table.record.game, table.record.variant
    return {
        "variant": variant,
        "version": table.version,
        "moves": [
            words[each.notation]
            for seat in seats
            for words in (_words(variant, seat),)
            for each in rules.legal(table.state, seat)
        ],
    }


@cache
def _words(variant: str, seat: int) -> Mapping[str, msgspec.Raw]:
    """Every move of a variant as one of that seat, by its notation and its parts at once: encoded once and for all."""
    return {
        each.notation: msgspec.Raw(encode({"seat": seat, "notation": each.notation, "type": each.type, **each.fields}))
        for each in GAMES[variant].VOCABULARY.values()
    }


def events(record: Record, first: int, happened: Sequence[Event], viewer: Viewer) -> list[Plain]:
    """The events after version `first`, as the viewer may read them."""
    return [
        {"version": version, "actor": event.actor, "notation": shown(record, event, viewer)}
        for version, event in enumerate(happened, first + 1)
    ]


def score(table: Table) -> Plain:
    """The score, line by line, and at the end who wins."""
    rules = table.record.game
    ended = rules.outcome(table.state)
    return {
        "variant": table.record.variant,
        "final": ended is not None,
        "seats": [
            {
                "seat": seat,
                "total": total(sheet),
                "lines": [{"item": line.item, "points": line.points, **line.detail} for line in sheet],
            }
            for seat, sheet in enumerate(rules.score(table.state))
        ],
        "winners": ended.winners if ended else (),
    }


def fairness(table: Table) -> Plain:
    """What a verifier needs; the seed itself only when the game is over."""
    record = table.record
    seed = record.seed
    return {
        "algorithm": None if seed is None else ALGORITHM,
        "chance": record.chance,
        "seeded_by": record.seeded_by,
        "commitment": None if seed is None else commitment(seed),
        "seed": seed.hex() if seed is not None and table.is_over else None,
        "description": (algorithm_text or "").strip() if seed is not None else "The host answers for chance.",
    }


def variant_summary(rules: Game) -> Plain:
    """A game that can be played."""
    least, most = rules.ABOUT.seats
    return {
        "variant": rules.VARIANT,
        "title": rules.ABOUT.title,
        "rules_version": rules.RULES_VERSION,
        "seats": {"min": least, "max": most},
    }


def variant(rules: Game) -> Plain:
    """All that there is to know about a game."""
    about = rules.ABOUT
    return {
        **variant_summary(rules),
        "components": about.components,
        "options": [option._asdict() for option in about.options],
        "moves": [kind._asdict() for kind in about.moves],
        "phases": [{"phase": phase, "text": text} for phase, text in about.phases.items()],
        "rules": [{"code": code, "text": text} for code, text in {**about.rules, **TABLE_RULES}.items()],
        "scales": about.scales,
        "endings": [{"reason": reason, "text": text} for reason, text in about.endings.items()],
        "rulings": [ruling._asdict() for ruling in about.rulings],
    }


def etag(table: Table, viewer: Viewer, of: Table | None = None) -> str:
    """Names a version and through whose eyes it was seen, and nothing of what was seen.

    `of` is the game as it is now, where the table is its past.
    """
    eyes = "" if viewer is None else "-full" if viewer == FULL else f"-s{viewer}"
    past = of is not None and of.version > table.version
    return f'"{table.version}{eyes}{"-open" if past and of and of.is_over else "-past" if past else ""}"'
