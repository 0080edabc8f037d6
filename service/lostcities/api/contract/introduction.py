"""The introduction of the contract: what a reader has to know before the first call.

Its sections are tags without operations, which `/docs` and other pages show. They are not in `info.description`:
openapi-generator copies that into every file that it generates.
"""

import re
from collections.abc import Iterator
from typing import Final

from lostcities.games.table import NOTATIONS
from lostcities.variants.registry import VARIANTS

SUMMARY: Final = """\
Legal moves, judgements, outcomes and scores of the Lost Cities games. A game can be stored by the service and played
move by move. The same questions can be asked about a position in the request; then nothing is stored.

A first game takes four calls: `POST /games` creates it, `GET /games/{game_id}/moves` lists the legal moves,
`POST /games/{game_id}/moves` makes one of them as it is listed, and `GET /games/{game_id}/score` shows the points.
`GET /variants` lists the games that can be played.

The tags whose names begin with "About" are the introduction to this API."""

_BEFORE_NOTATION: Final = """\
# Authentication

A new game has a token for the host and one for each seat. `POST /games` shows them once. Send one as
`Authorization: Bearer` and the token. A seat's token moves for its seat and sees what its seat knows. The host's token
moves for every seat, reports the outcomes of chance where the host decides them, and may ask for any view with `seat`
or `view`. A request without a token sees what a spectator sees. When a game is finished, everything in it is public. A
service can be configured with API keys: then `POST /games` needs one of them as its bearer token.

# Moves and notation

A move has a notation (`play R7`) and fields (`"type": "play", "card": "R7"`). A request gives either form, or both, as
the list of legal moves has them. `seat` can be left out where only one seat is possible. A list of moves is made as a
whole or not at all.

A card or a tile is the letter of a colour and a number: `R10` is the red 10. A wager has `w` in place of the number:
`Yw` is a yellow wager. In the treasure hunt `R6w` is the red 6 that lies wager side up. `?` is a card that the caller
may not see. Seats are numbered from 0. A notation has exactly one space between its words.

"""

_PLACEHOLDERS: Final = """
In the next table, `<card>` and `<tile>` stand for a card and a tile, `<wager>` for a card that is a wager, `<colour>`
for the letter of a colour, `<seat>` for the number of a seat, `<1..36>` for a number from 1 to 36, `<digit>` for a
digit from 0 to 9, `<face>` for what a die of the treasure hunt shows, 1 to 5 or `w`, and `<bonus>` for the name of a
bonus tile, such as `four-red`. `x8` repeats what is before it eight times, `x1..3` one to three times.

"""

_AFTER_NOTATION: Final = """
The components of a game and the meaning of its moves are in the answer of `GET /variants/{variant}`.

# Bots

The service can play seats: a player of a new game is a name, or `{"name": "Ben", "bot": "greedy"}`. The levels are
`random`, `greedy` and `expert`. A bot moves in the same step as the move that makes it act, and the response has its
events. It knows what its seat may see. No token moves for it, the host's included. `GET /games/{game_id}/advice` says
what each move is worth.

# The table

What happens at the table and not in the rules is an event of the game, too. Its actor is the seat that it concerns.

"""

_AFTER_TABLE: Final = """
A seat sends `POST /games/{game_id}/resign`, `/undo` and `/clockwise` for itself, and `/claim` when the time of another
seat is up. The host sends them for any seat, and hands seats over with `POST /games/{game_id}/seats/{seat}`.
`POST /games/{game_id}/fork` creates a game that goes on from a version of this one.

# Chance

Deals, draws and rolls are outcomes of the actor `chance`. By default the service decides them from a seed of 256 bits.
It publishes the SHA-256 of the seed (`commitment`) when the game is created, and the seed when the game is finished, so
that every outcome can be computed again: `GET /games/{game_id}/fairness` describes how. With `chance: client` the host
reports what real cards and dice show, as `{"actor": "chance", "notation": "roll 1 5 w"}`.

# Errors

Errors are `application/problem+json` (RFC 9457). `code` is stable and for programs, `detail` is for people. `type` is
the path that explains the code: `GET /problems/{code}` says what it means and what to do, and `GET /problems` lists all
codes. `errors` names the parts of the request that are wrong: by JSON pointer in the body, by the name of the parameter
in the query and the headers. 409 means that a well-formed move breaks a rule, 422 that the request does not fit.
A request that is not valid HTTP, or whose head is too large, gets an HTML page instead, with 400, 414, 431 or 501.

# Retries

Send an `Idempotency-Key`, a new UUID for each decision, with every POST that creates or changes a game. A repeated
request with the same key and body is carried out once and gets the same response. Repeat a request after a lost
connection and after 429, 502, 503 and 504, with the same key, after the seconds in `Retry-After` and a pause that
grows. `If-Match` with the ETag of the game refuses a decision that was made on an old state (412): then read the game
again and decide anew.

# Streams

The call `GET /games/{game_id}/events` sends every event when it happens, as server-sent events that can be resumed with
`Last-Event-ID`. `GET /games/{game_id}?after=7&wait=25` is a long poll: it answers when the game has a later version
than 7, or after 25 seconds. Both show what the token of the request may see. With `include=moves` both
contain the legal moves of the caller. A client with such a stream sends one request for each of its moves, and none to
learn that it is its turn.

# Limits

A body has at most 64 KiB, or more if it has a record. A list has at most 100 moves, a page of the history at most 500
events. A game without events expires, at the time in `expires_at`.

Rate limits are counted for each client address. By default an address may create 60 games a minute and 500 a day,
import or verify 30 records a minute, and use 60 seconds a minute of the experts' thinking. The operator may set other
limits, and limits for all calls of an address or of a token. A response to a call that was counted has the headers
`RateLimit-Policy` (the limits) and `RateLimit` (what is left of them). A call over a limit is answered with 429 and
`Retry-After`.

# Changes

The version of this contract, `info.version`, follows semantic versioning. Every response has it in the header
`API-Version`. [The changelog](/docs/changelog) says what changed. Within a major version a client goes on working if it
ignores members of answers, values marked as extensible (`x-extensible-enum`) and problem codes that it does not know.
These changes are not breaking: new calls, new optional parameters and members of requests, new members of answers, new
values of extensible lists, new problem codes, wider limits. Everything else is breaking: removed or renamed calls,
parameters, members, values and codes, new required parameters and members, narrower limits, other types, and new values
of other lists in answers. A breaking change comes with a new major version.

Before a call or a parameter is removed, it is marked as `deprecated` here, for at least six months. Its responses then
have the header `Deprecation` (RFC 9745) with the time since which it is deprecated, `Sunset` (RFC 8594) with the time
after which it may be removed, and a `Link` to what replaces it. Nothing is deprecated now.

Requests are closed: an unknown member or parameter is refused, so that a misspelled one is not ignored. Moves are the
same in requests and answers, and closed. Options and positions are closed in requests and open in answers.
"""


def sections() -> list[tuple[str, str]]:
    """The name and the text of each section as Markdown, in the order of the names."""
    tables = "\n".join(_colours()) + "\n" + _PLACEHOLDERS + "\n".join(_notations()) + "\n"
    text = _BEFORE_NOTATION + tables + _AFTER_NOTATION + "\n".join(_table_events()) + "\n" + _AFTER_TABLE
    _, *parts = re.split("^# (.+)$", text, flags=re.MULTILINE)
    texts = zip(parts[::2], parts[1::2], strict=True)
    return sorted((f"About {heading.lower()}", text.strip()) for heading, text in texts)


def _colours() -> Iterator[str]:
    """A table with the colours of every game that has some."""
    yield "| game | colours |"
    yield "|---|---|"
    for name, variant in VARIANTS.items():
        if colours := variant.rules.INFO.components.get("colours"):
            yield f"| {name} | {', '.join(f'`{letter}` {name}' for letter, name in colours.items())} |"


def _notations() -> Iterator[str]:
    """A table with the notation of every move and outcome."""
    yield "| game | notation | by | meaning |"
    yield "|---|---|---|---|"
    for name, variant in VARIANTS.items():
        for kind in variant.rules.INFO.moves:
            notation = kind.notation.replace("|", "\\|")
            yield f"| {name} | `{notation}` | {kind.by} | {kind.text} |"


def _table_events() -> Iterator[str]:
    """A table with the notation of every table event."""
    yield "| notation | meaning |"
    yield "|---|---|"
    for notation, meaning in NOTATIONS.items():
        yield f"| `{notation}` | {meaning} |"
