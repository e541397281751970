"""What worlds cost: the first of a question, and each further one, in the middle of matches of random players.

    python -m bench.worlds

Prints milliseconds, medians over the questions of recorded matches, and how many worlds were dealt in vain.
"""

from random import Random
from statistics import median
from time import process_time

from tabulate import tabulate

from arena.positions import NoWorld, Position
from referee.build_info import compiled
from referee.engine import registry
from referee.engine.chance import Chance, seed_from_number
from referee.engine.events import visible
from referee.engine.game import Game

TABLES = (
    ("cambio", 6), ("cucco", 6), ("cucu", 6), ("lustu", 6), ("torionfo", 4), ("coch", 4), ("zifuli", 5), ("kille", 5),
    ("hypp", 5), ("perudo", 6), ("scopa", 4),
)  # fmt: skip
FURTHER = 10
QUESTIONS = 40


def measure(game: Game, seats: int) -> tuple[float, float, int, float]:
    """Return the milliseconds of first and further worlds, how many were in vain, and the decisions/s of playouts."""
    options, first, further, given_up = game.options(), [], [], 0
    decisions, spent = 0, 0.0
    for number in range(3):
        rng, seat = Random(number), number % seats
        state = game.start(options, seats, Chance(seed_from_number(number)))
        position = Position(game, options, seats, seat, number)
        seen = asked = 0
        while state.asked and asked < QUESTIONS:
            moves = [rng.choice(state.legal(other)) for other in state.asked]
            if seat in state.asked:
                events = [event for event in state.events[seen:] if visible(game.lines, event, seat)]
                seen, asked = len(state.events), asked + 1
                position.ask(events, state.view(seat), state.legal(seat))
                began = process_time()
                try:
                    world = position.world()
                    first.append(process_time() - began)
                    began = process_time()
                    position.worlds(FURTHER)
                    further.append((process_time() - began) / FURTHER)
                except NoWorld:
                    pass
                began = process_time()
                decisions += world.playout(rng, most=200)
                spent += process_time() - began
                position.answer(moves[state.asked.index(seat)])
            state.apply(moves)
        given_up += position.given_up
    return median(first) * 1000, median(further) * 1000, given_up, decisions / spent


def main() -> None:
    """Print the table."""
    rows = [(f"{name}, {seats} seats", *measure(registry.game(name), seats)) for name, seats in TABLES]
    print(f"rules: {'compiled' if compiled() else 'interpreted'}")
    print(
        tabulate(
            rows,
            ("game", "first, ms", "further, ms", "in vain", "playout decisions/s"),
            tablefmt="github",
            floatfmt=("", ".2f", ".2f", "", ",.0f"),
        )
    )


if __name__ == "__main__":
    main()
