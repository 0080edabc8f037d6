"""What the tools answer, as text for a language model. Built from the JSON of the service alone."""

from collections.abc import Iterator, Sequence
from typing import Final

from lostcities.boards.text import columns, describe, in_words
from lostcities.mcp.service import JsonObject

MAX_EVENTS: Final = 40
"""Events that an answer shows. Older ones are left out."""
MAX_ADVICE: Final = 12
"""Moves that advice shows."""
PARTS: Final = {
    "<card>": "the letter of its colour and its number, or w for a wager: R7, Rw",
    "<tile>": "the letter of its colour and its number: R7",
    "<colour>": "the letter of a colour: R",
    "<face>": "what a die shows: a number, or w for a wager",
    "<bonus>": "the name of a bonus tile",
}
"""The parts of notations."""
TABLE_EVENTS: Final = {
    "undo": "take back your last move, as long as nothing else happened since",
    "resign": "give up the game: you cannot win it any more",
}
"""What a player can do besides the moves of a game. `make_move` takes these, too."""


def names_of(game: JsonObject, seat: int) -> list[str]:
    """What each seat is called in all texts for this seat."""
    return [
        f"{name} ({', '.join(marks)})" if (marks := [*_marks(game, number, seat)]) else name
        for number, name in enumerate(game["players"])
    ]


def _marks(game: JsonObject, number: int, seat: int) -> Iterator[str]:
    if number == seat:
        yield "you"
    elif game["bots"][number]:
        yield "bot"
    if number in game["resigned"]:
        yield "resigned"


def events(happened: Sequence[JsonObject], names: Sequence[str]) -> Iterator[str]:
    """What happened, a line for each event."""
    if len(happened) > MAX_EVENTS:
        yield f"  ({len(happened) - MAX_EVENTS} earlier events are left out)"
    for event in happened[-MAX_EVENTS:]:
        actor = event["actor"]
        yield f"  {names[actor] if isinstance(actor, int) else actor}: {event['notation']}"


def table(
    game: JsonObject, variant: JsonObject, seat: int, happened: Sequence[JsonObject], *, show_moves: bool
) -> Iterator[str]:
    """A game as a seat sees it: what changed, the score, the board, and what the seat can do."""
    names = names_of(game, seat)
    yield from events(happened, names)
    totals = [f"{who} {sheet['total']}" for who, sheet in zip(names, game["score"]["seats"], strict=True)]
    yield f"Score as it stands: {', '.join(totals)}"
    yield ""
    yield from describe(game, names)
    yield ""
    yield from prompt(game, variant, seat, names, show_moves=show_moves)


def prompt(
    game: JsonObject, variant: JsonObject, seat: int, names: Sequence[str], *, show_moves: bool
) -> Iterator[str]:
    """Who is to act, and how the game ended."""
    if game["outcome"] is not None:
        yield ending(game["outcome"], variant, names)
    elif seat in game["to_act"]:
        yield f"IT IS YOUR TURN. {phase_sentence(game, variant)}"
        if show_moves:
            yield "Your legal moves: " + ", ".join(move["notation"] for move in game["moves"])
    else:
        acting = ", ".join(names[each] if isinstance(each, int) else each for each in game["to_act"])
        verb = "is" if len(game["to_act"]) == 1 else "are"
        yield f"It is not your turn: {acting} {verb} to act. {phase_sentence(game, variant)} wait_for_turn waits."


def phase_sentence(game: JsonObject, variant: JsonObject) -> str:
    """The kind of decision that is due, as a sentence."""
    texts = {each["phase"]: each["text"] for each in variant["phases"]}
    return f"In this phase {texts[game['phase']]}."


def ending(outcome: JsonObject, variant: JsonObject, names: Sequence[str]) -> str:
    """How a game ended."""
    reasons = {each["reason"]: each["text"] for each in variant["endings"]}
    winners = " and ".join(names[seat] for seat in outcome["winners"]) or "no seat"
    totals = ", ".join(f"{name} {total}" for name, total in zip(names, outcome["totals"], strict=True))
    return (
        f"THE GAME IS OVER: {reasons.get(outcome['reason'], outcome['reason'])}. Winner: {winners}. Totals: {totals}."
    )


def score(sheets: JsonObject, names: Sequence[str]) -> str:
    """The score of each seat line by line."""
    lines = []
    for name, sheet in zip(names, sheets["seats"], strict=True):
        lines.append(f"{name}: {sheet['total']} points")
        for line in sheet["lines"]:
            steps = ", ".join(
                f"{step} {in_words(value)}"
                for step, value in line.items()
                if step not in ("item", "points") and value != []
            )
            lines.append(f"  {line['item']} {line['points']}" + (f" ({steps})" if steps else ""))
    return "\n".join(lines)


def advice(answer: JsonObject) -> str:
    """What a bot thinks each move is worth."""
    best = answer["moves"][:MAX_ADVICE]
    return "\n".join(
        (
            "The expert's estimate of the final margin over the best other seat, best move first:",
            *columns(*((move["notation"], f"{move['value']:+.1f}", f"± {move['error']:.1f}") for move in best)),
            *([f"({len(answer['moves']) - MAX_ADVICE} worse moves are left out)"] if best != answer["moves"] else []),
        )
    )


def variants(found: Sequence[JsonObject]) -> str:
    """The games that can be played, with their seats, options and bots."""
    lines = []
    for variant in found:
        seats = variant["seats"]
        count = seats["min"] if seats["min"] == seats["max"] else f"{seats['min']} to {seats['max']}"
        lines.append(f"{variant['variant']}: {variant['title']}, {count} players")
        lines.append(f"  bots: {', '.join(variant['bots'])}")
        lines += [f"  option {option['name']}: {option['text']}" for option in variant["options"]]
    return "\n".join(lines)


def rules(variant: JsonObject) -> str:
    """The rules of a game: its moves, its phases, what is legal, what it scores, how it ends."""
    seat_moves = [move for move in variant["moves"] if move["by"] == "seat"]
    outcomes = [move for move in variant["moves"] if move["by"] == "chance"]
    notations = " ".join(move["notation"] for move in variant["moves"])
    return "\n".join(
        (
            f"{variant['title']} ({variant['variant']})",
            "",
            "The rules:",
            *(f"- {ruling['text']}" for ruling in variant["rulings"]),
            "",
            "Your moves, as make_move takes them:",
            *columns(
                *((f"- {move['notation']}", move["text"]) for move in seat_moves),
                *((f"- {notation}", text) for notation, text in TABLE_EVENTS.items()),
            ),
            "where",
            *columns(*((f"- {part}", f"is {text}") for part, text in PARTS.items() if part in notations)),
            "",
            "What chance does, as you see it among the events:",
            *columns(*((f"- {move['notation']}", move["text"]) for move in outcomes)),
            "",
            "What is due, phase by phase:",
            *(f"- {phase['phase']}: {phase['text']}" for phase in variant["phases"]),
            "",
            "Why a move can be refused:",
            *(f"- {rule['code']}: {rule['text']}" for rule in variant["rules"]),
            "",
            "Components:",
            *(f"- {name}: {in_words(value)}" for name, value in variant["components"].items()),
            "",
            "Numbers of the score:",
            *(f"- {name}: {in_words(value)}" for name, value in variant["scales"].items()),
            "",
            "How the game ends:",
            *(f"- {end['text']}" for end in variant["endings"]),
        )
    )
