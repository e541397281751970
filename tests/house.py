"""The law of the house: which rooms arena has, and what each may import.

A room is a package. `python -m tests.house` prints the table of docs/architecture.md.
"""

from typing import NamedTuple


class Room(NamedTuple):
    """A room of the house."""

    what: str
    """What the room does, as a sentence for the table."""
    may: str = ""
    """The rooms that its modules may import besides their own, separated by spaces; "referee" stands for all rooms of
    the referee, "all" for every room of the core, without features.
    """


ROOMS = {
    "referee.engine": Room("Defines what a game is: contract, chance, events, options. Standard library only."),
    "referee.games": Room("Implements the rules, one game per file, in the order of its rule book.", "referee.engine"),
    "referee.v1": Room("Holds the stubs generated from `protos/`."),
    "referee.extensions": Room("Loads the modules that were built in C."),
    "referee.paths": Room("Tells paths and temporary folders that are UTF-8 from others."),
    "referee.wire": Room("Converts records and orders to protobuf.", "referee.engine referee.v1"),
    "referee.codec": Room(
        "Encodes views and turns, decodes answers and packs the log, in C where that was built.",
        "referee.engine referee.extensions referee.v1 referee.wire",
    ),
    "referee.match": Room(
        "Runs one match: asks the seats, judges the answers, keeps the record.",
        "referee.codec referee.engine referee.v1 referee.wire",
    ),
    "referee.sandbox": Room("Confines a bot process."),
    "referee.process": Room(
        "Starts, watches and ends bot processes; accounts for CPU time.", "referee.engine referee.sandbox"
    ),
    "referee.connection": Room(
        "Carries gRPC: a server and a socket per bot, streams, flood detection.",
        "referee.engine referee.paths referee.v1 referee.wire",
    ),
    "referee.session": Room(
        "Plays one bot through a phase: open questions, clock, crash attribution.",
        "referee.codec referee.connection referee.engine referee.match referee.process referee.sandbox referee.v1 "
        "referee.wire",
    ),
    "referee": Room("Takes orders and plays phases: the referee's top.", "referee"),
    "values": Room(
        "Holds what every room reads: definitions, stored matches, errors, durations, texts.",
        "referee.engine referee.sandbox",
    ),
    "hooks": Room("Declares the hooks of packages with features, loads these packages and calls them.", "values"),
    "language": Room("Translates what people read: catalogues, and the language of a visitor."),
    "redeal": Room(
        "Redeals what a seat could not know, so that a match can continue from any moment.", "values referee.engine"
    ),
    "positions": Room("Lets bots look ahead: worlds that a seat cannot tell from the real one.", "referee.engine"),
    "search": Room(
        "Searches positions: flat Monte Carlo, information-set tree search, thinking time.",
        "positions referee.engine",
    ),
    "ratings": Room("Fits Elo to all matches at once, with error bars; sequential tests.", "values"),
    "store": Room(
        "Stores tournaments, matches, people and their bots in SQLite or PostgreSQL; declares all tables.",
        "values referee.engine",
    ),
    "packs": Room(
        "Keeps submitted bots: manifest, pack, roster, unpacking, building.",
        "values store referee.engine referee.paths referee.process referee.sandbox referee.wire",
    ),
    "record": Room(
        "Reads the record of a match, verifies it and plays it again.",
        "values redeal store referee.codec referee.engine referee.v1 referee.wire",
    ),
    "plan": Room(
        "Settles everything before the first match: definition, field, secret, schedule, event files.",
        "values language ratings packs record redeal store sample_bots referee.engine referee.paths referee.sandbox",
    ),
    "results": Room(
        "Computes summaries, rankings, audits and verification; archives of tournaments.",
        "values language packs plan ratings record store referee.engine referee.v1 referee.wire",
    ),
    "run": Room(
        "Plays: referee processes, work units, the gate of remote bots, a person at a table.",
        "values packs plan record store sdk sample_bots referee",
    ),
    "bots": Room(
        "Builds and checks bots before they are accepted; the queue of hand-ins; new bot projects.",
        "values packs plan record results run store bridge sdk sample_bots referee",
    ),
    "replay": Room(
        "Turns a stored match into text, frames and scenes, for terminal and pages.",
        "values hooks language plan record redeal store referee.codec referee.engine referee.games referee.wire",
    ),
    "league": Room(
        "Enters, draws, plays, rates and shows leagues; their archives.",
        "values hooks language packs plan ratings record results run store referee.engine referee.process "
        "referee.sandbox referee.wire",
    ),
    "http": Room("Serves any ASGI application over HTTP/1.1 to clients that may mean ill.", "values"),
    "server": Room(
        "Serves the pages and the JSON API.",
        "values hooks http bots language league packs plan ratings record replay results run store referee.engine "
        "referee.process",
    ),
    "bench": Room(
        "Measures what arena costs on a machine: `arena bench`.",
        "values packs plan results run store referee",
    ),
    "cli": Room("Parses a command, calls the library, prints the result; the checks of `arena doctor`.", "all"),
    "api": Room(
        "Plays matches and tournaments for Python programs and notebooks, with bots of the same program.",
        "values bots packs plan ratings record replay results run store sdk referee.engine referee.paths "
        "referee.process referee.sandbox",
    ),
    "client": Room("Talks to the API of an arena on another machine.", "values packs"),
    "sdk": Room("Lets an author write a Python bot in ten lines.", "positions referee.engine referee.v1"),
    "model_server": Room(
        "Looks ahead for bots in other languages: worlds and evaluations of their questions.",
        "positions search sdk sample_bots referee.codec referee.engine referee.v1 referee.wire",
    ),
    "bridge": Room("Speaks gRPC for a bot that speaks lines of JSON.", "model_server sdk referee.v1"),
    "testing": Room(
        "Tests a game against the contract, for its author.",
        "values hooks record redeal referee.codec referee.engine referee.wire",
    ),
    "sample_bots": Room(
        "Sample bots, and hostile ones for the tests.",
        "positions sdk search referee.codec referee.engine referee.v1 referee.wire",
    ),
}  # fmt: skip
"""The rooms of the core, by name; the packages of `arena` are named without it (`home`)."""

PACKAGES = {
    "classroom": "arena_classroom",
    "cluster": "arena_cluster",
    "envs": "arena.envs",
    "insight": "arena_insight",
    "mail": "arena_mail",
    "openid": "arena_openid",
    "share": "arena_share",
    "site": "arena_site",
    "tune": "arena_tune",
    "webhooks": "arena_webhooks",
}
"""Features that are packages in `packages/`, and what is imported of these: nothing in the core does."""

DOORS = {"http"}
"""The rooms of which others import the package alone, which names all that is public, and none of its modules."""

EXCEPTIONS = {
    "arena.sdk.message_codec": "referee.extensions",
    "referee.engine.draws": "referee.extensions",
}
"""What modules import against the law today, as rooms. The list may only shrink."""


def home(room: str) -> str:
    """Return the package of a room."""
    return room if room.split(".")[0] in ("referee", "sample_bots") else f"arena.{room}"


_ROOM_OF = {home(room): room for room in ROOMS} | {"arena.__main__": "cli"}
"""The rooms of packages, and of the module that must lie outside of its room, by name."""


def place(module: str) -> str | None:
    """Return the room of a module; None if it has none, as `arena` itself."""
    fitting = [name for name in _ROOM_OF if module == name or module.startswith(f"{name}.")]
    return _ROOM_OF[max(fitting, key=len)] if fitting else None


def allowed(room: str) -> set[str]:
    """Return the rooms that the modules of a room may import, their own among them."""
    may = set(ROOMS[room].may.split())
    if "all" in may:
        return set(ROOMS)
    if "referee" in may:
        may |= {name for name in ROOMS if name.startswith("referee.")}
    return may | {room}


def table() -> str:
    """Return the table of docs/architecture.md."""
    lines = ["| room | what it does | may import |", "| --- | --- | --- |"]
    for name, room in ROOMS.items():
        may = ", ".join(f"`{each}`" for each in room.may.split())
        lines.append(f"| `{name}` | {room.what} | {may or 'nothing'} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
