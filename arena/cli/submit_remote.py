"""`arena submit --to`: hand in a bot at a server, and follow its check."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode
from uuid import uuid4

from arena.cli.output import echo, print_progress
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.client.connection import Server

ATTEMPTS = 3
"""To send a bot: repeating is safe, as the server recognises the request."""

EXIT_CODES = {"accepted": 0, "refused": 1}
"""By the state of a hand-in; 2 for all others."""


def submit_remote(
    path: Path,
    name: str | None,
    include: Sequence[str],
    server: "Server",
    as_json: bool,
    *,
    practice_only: bool = False,
) -> int:
    """Hand in a bot, print the steps of its check as they come, and return the exit code of the command.

    include: files that are packed though they look like secrets, are large, or are of a kind that is left out.
    practice_only: whether its version is to practise, and to enter neither leagues nor tournaments.
    """
    from arena.client.answers import TOKEN
    from arena.client.upload import pack_bot
    from arena.packs.names import check_name, name_for

    packed = pack_bot(path, include)
    print_progress(packed.sentence)
    title = name_for(path) if name is None else check_name(name)
    if "/" not in title:
        holder = server.get("/token", TOKEN)
        title = f"{holder.get('owner') or holder['account']}/{title}"
    query = urlencode({"name": title, "file": packed.file, **({"practice_only": "true"} if practice_only else {})})
    headers = {"Content-Type": packed.media_type, "Idempotency-Key": str(uuid4())}
    received = _send(server, f"/hand-ins?{query}", packed.content, headers)
    number = received["hand_in"]
    print_progress(f"{title} is received: {server.address}/hand-ins/{number}")
    last = follow_hand_in(server, number, quiet=as_json)
    if as_json:
        echo(json_text(last))
    else:
        print_end(server, number, last)
    return EXIT_CODES.get(last["state"], 2)


def print_end(server: "Server", number: int, last: dict[str, Any]) -> None:
    """Print the result of a hand-in, after what a refused bot printed, and where an accepted one plays."""
    from arena.cli.check import output_lines
    from arena.client.answers import ENTRIES, REPORT, checked

    if last["state"] == "refused":
        report = server.get(f"/hand-ins/{number}/report", REPORT)
        for line in output_lines(last["bot"], report["output"]):
            echo(line)
        if report["output"]:
            echo("")
        if report["findings"]:
            echo(f"the questions at which it failed are at {server.address}/hand-ins/{number}")
    echo(f"{last['bot']} {last['sentence']}")
    for entry in checked(last.get("entries", []), ENTRIES):
        path = f"{server.address}/leagues/{quote(entry['league'], safe='')}/entries/{entry['entry']}"
        echo(f"league {entry['league']}: {entry['state']}, see {path}")


def _send(server: "Server", path: str, content: bytes, headers: dict[str, str]) -> Any:
    from arena.client.answers import RECEIVED
    from arena.client.errors import Unreachable

    for _ in range(ATTEMPTS - 1):
        try:
            return server.post(path, RECEIVED, content, headers)
        except Unreachable as error:
            print_progress(f"{error}; trying again")
    return server.post(path, RECEIVED, content, headers)


def follow_hand_in(server: "Server", number: int, *, quiet: bool = False) -> dict[str, Any]:
    """Print how far a hand-in is until it is finished and in leagues; return its last state.

    quiet: whether to leave out the steps of its check.
    """
    from arena.client.answers import HAND_IN, checked
    from arena.client.server_events import events

    shown, waiting, noticed = 0, "", set[str]()
    state: dict[str, Any] = {}
    for _, state in events(server, f"/hand-ins/{number}/events", HAND_IN, _is_over):
        steps = state["steps"]
        if len(steps) < shown:  # its check began anew
            shown = 0
        for place, step in enumerate(steps[shown:], shown + 1):
            if not quiet:
                echo(f"{place:>3}. {step['verdict']:<8}{step['title']}: {step['sentence']}")
        shown = len(steps)
        for notice in checked(state.get("notices", []), [str]):
            if notice not in noticed:
                print_progress(notice)
                noticed.add(notice)
        if not state["is_finished"] and (line := _place(state)) != waiting:
            print_progress(line)
            waiting = line
    return dict(state)


def _is_over(state: dict[str, Any]) -> bool:
    return bool(state["is_finished"]) and not state.get("awaited")


def _place(state: dict[str, Any]) -> str:
    """Return where an unfinished hand-in is, in words."""
    if state["place"]:
        seconds = f", about {state['seconds']} s" if state["seconds"] is not None else ""
        return f"place {state['place']} in the queue{seconds}"
    return "it is built" if state["state"] == "building" else "it is checked"
