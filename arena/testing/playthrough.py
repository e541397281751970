"""Playthroughs: a match of every preset of a game as text, stored with the game and reviewed when it changes.

    python -m arena.testing.playthrough --write FOLDER [GAME...]     write FOLDER/GAME/PRESET.txt
    python -m arena.testing.playthrough --check FOLDER [GAME...]     report the first that is not current

A playthrough shows the whole log and, between its lines, every question with its legal moves (some of them, if they
are many), the chosen one in brackets; at some questions also the view. Chance chooses the moves, by a function that
does not depend on the version of Python (`referee.engine.chance`). The last lines are fingerprints of the whole log
and of all questions, so every change shows: a change that alters a match raises the game's `behaviour` and rewrites
the files. A preset whose playthrough differs from that of `default` in the first line only, which names the options,
has none of its own: nothing that it changes happens in this match.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

from referee.engine.chance import Chance, deal_seed, seed_from_number
from referee.engine.errors import EngineError
from referee.engine.events import digest, text
from referee.engine.game import Game, State
from referee.engine.registry import game as game_named
from referee.engine.registry import names

SEED = 1
QUESTIONS = 240
"""Most questions of a match that are shown; the rest only enters the fingerprints."""

MOVES = 12
"""Most legal moves that are shown in full; of more, the first two, the last and the chosen one."""

VIEW_EVERY = 20
"""Every so many questions the view of the asked seat is shown."""


class StalePlaythrough(AssertionError):
    """Stored playthroughs differ from those of the rules; the message says what to do."""


def playthrough(game: Game, preset: str) -> str:
    """Return the playthrough of a preset, at a table of the recommended size or the nearest that the preset allows."""
    options = game.options.parse(game.presets[preset])
    seats = _seats(game, options)
    given = " ".join(f"{name}={value}" for name, value in options.given().items())
    lines = [
        f"{game.name}, {preset}{': ' + given if given else ''}",
        f"{seats} seats, --seed {SEED}, behaviour {game.behaviour}",
        "",
        *_played(game, options, seats),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def playthroughs(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the name of each preset and its playthrough, without those that differ from the first in its heading."""
    first = None
    for preset in game.presets:
        whole = playthrough(game, preset)
        body = whole.partition("\n")[2]
        if body != first:
            yield preset, whole
        first = first or body


def check_playthroughs(game: Game, folder: Path) -> None:
    """Compare the files FOLDER/GAME/PRESET.txt with the current rules.

    Raises StalePlaythrough for a playthrough that is missing, not current, or of no preset that has its own.
    """
    home = folder / game.name
    current = dict(playthroughs(game))
    if unknown := sorted({path.stem for path in home.glob("*.txt")} - set(current)):
        raise StalePlaythrough(
            f"{home} has playthroughs of no preset, or of one that plays as the first: {', '.join(unknown)}; "
            f"{_REMEDY.format(folder)}"
        )
    for preset, now in current.items():
        path = home / f"{preset}.txt"
        if not path.exists():
            raise StalePlaythrough(f"there is no playthrough {path}; {_REMEDY.format(folder)}")
        if (before := path.read_text("utf-8")) != now:
            place = next(
                (number for number, (one, other) in enumerate(zip(before.split("\n"), now.split("\n"), strict=False), 1)
                 if one != other),
                min(before.count("\n"), now.count("\n")) + 1,
            )  # fmt: skip
            raise StalePlaythrough(
                f"{path} differs from line {place} on. If that is intended, raise the behaviour of {game.name} "
                f"and {_REMEDY.format(folder)}"
            )


_REMEDY = "rewrite them: python -m arena.testing.playthrough --write {}"


def _seats(game: Game, options: Any) -> int:
    """Return the number of seats closest to the recommended one that can play with the options."""
    if tables := game.tables(options):
        return min(tables, key=lambda seats: abs(seats - game.recommended))
    raise EngineError(f"{game.name} cannot be played by any number of seats with {options}")


def _played(game: Game, options: Any, seats: int) -> Iterator[str]:
    """Play the match and yield its lines."""
    seed = deal_seed(seed_from_number(SEED), 0)
    state = game.start(options, seats, Chance(seed))
    policy = Chance(seed_from_number(SEED))
    asked = sha256()
    printed = questions = answers = 0
    while state.asked:
        shown = questions < QUESTIONS
        if shown:
            yield from (text(game.lines, event) for event in state.events[printed:])
            printed = len(state.events)
        moves = []
        for seat in state.asked:
            view, legal = state.view(seat), state.legal(seat)
            asked.update(f"{seat} {_shown(view)} {legal}".encode())
            move = _choice(legal, policy, answers)
            moves.append(move)
            answers += 1
            if shown:
                yield from _question(state, seat, move, view if questions % VIEW_EVERY == 0 else None)
        questions += 1
        state.apply(moves)
    if questions <= QUESTIONS:
        yield from (text(game.lines, event) for event in state.events[printed:])
    else:
        yield f"... {questions - QUESTIONS} more questions"
    outcome = state.outcome()
    yield ""
    yield f"scores {' '.join(map(str, outcome.scores))}"
    yield f"ranks {' '.join(map(str, outcome.ranks))}"
    yield f"answers {answers}, lines of the log {len(state.events)}"
    yield f"log {digest(state.events).hex()}"
    yield f"questions {asked.hexdigest()[:32]}"


def _choice(legal: Sequence[str], chance: Chance, answer: int) -> str:
    """Choose uniformly among the kinds of moves (their first words), then a move of that kind, favouring the first.

    Bids come in rising order: chosen uniformly they would soon leave none.
    """
    kinds = list(dict.fromkeys(move.split(" ", 1)[0] for move in legal))
    kind = kinds[chance.pick(len(kinds), "kind", answer)]
    moves = [move for move in legal if move.split(" ", 1)[0] == kind]
    return moves[min(chance.pick(len(moves), "move", answer, again) for again in range(4))]


def _question(state: State, seat: int, move: str, view: Any) -> Iterator[str]:
    legal = state.legal(seat)
    near = {0, 1, legal.index(move), len(legal) - 1} if len(legal) > MOVES else range(len(legal))
    shown = [f"[{other}]" if other == move else other for place, other in enumerate(legal) if place in near]
    offered = ", ".join(shown) + (f" ({len(legal)} moves)" if len(shown) < len(legal) else "")
    yield f"    seat {seat}? {offered}"
    if view is not None:
        for name, value in zip(view._fields, view, strict=True):
            yield f"        {name} = {_shown(value)}"


def _shown(value: Any) -> str:
    """Return a value of a view in one line: lists in brackets, parts by name."""
    if hasattr(value, "_fields"):
        return "{" + " ".join(f"{name}={_shown(part)}" for name, part in zip(value._fields, value, strict=True)) + "}"
    if isinstance(value, tuple):
        return "[" + " ".join(map(_shown, value)) + "]"
    return str(value)


@click.command(help="Write the playthroughs of games to a folder, or check that those in it are current.")
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--write", type=click.Path(file_okay=False, path_type=Path), help="Write FOLDER/GAME/PRESET.txt.")
@click.option("--check", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Check these files.")
def main(games: tuple[str, ...], write: Path | None, check: Path | None) -> None:
    """Write or check playthroughs."""
    if (write is None) == (check is None):
        raise click.UsageError("give either --write FOLDER or --check FOLDER")
    chosen: Mapping[str, Game] = {name: game_named(name) for name in games or names()}
    for game in chosen.values():
        if write is not None:
            _write(game, write / game.name)
        elif check is not None:
            try:
                check_playthroughs(game, check)
            except StalePlaythrough as error:
                raise click.ClickException(str(error)) from None


def _write(game: Game, home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    for stale in home.glob("*.txt"):
        stale.unlink()
    for preset, written in playthroughs(game):
        (home / f"{preset}.txt").write_text(written, "utf-8")


if __name__ == "__main__":
    main()
