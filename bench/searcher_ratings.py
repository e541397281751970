"""How strong search is: its sample bot against the best sample bot of each game that knows its rules.

    python -m bench.searcher_ratings
    python -m bench.searcher_ratings perudo scopa --seconds 0.05 --deals 100

Both sit at one table, in turn, and play each deal twice, so that either holds each hand once. Search has a limit of CPU
time for each answer, not of the wall clock, so a busy machine gives it no less. A game is over once one of the two is
better (whenever that is asked, with an error of 5 %), or after `--deals`; `--all` plays all of them.

With the policies "base" both play by the same rules of thumb, the search in its playouts; so a match shows how much the
search adds to them.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from time import process_time

import numpy as np
from tabulate import tabulate

from arena.positions import NoWorld, Position
from arena.ratings import Ranking, Result, Tally, fit_ranking
from arena.ratings.multiple_testing import ALPHA, always_valid
from arena.search import Evaluation, Experience, belief_in, evaluate, search
from arena.search.flat import MARGIN
from arena.search.policies import Policies
from referee.build_info import compiled
from referee.engine import registry
from referee.engine.chance import Chance, seed_from_number
from referee.engine.events import visible
from referee.engine.game import Game
from sample_bots.seated import SeatedBot, best_policies

PAIRINGS = {
    "cambio": ("counter", 2), "cucco": ("counter", 2), "cucu": ("reckoner", 2), "lustu": ("reckoner", 2),
    "torionfo": ("tactician", 2), "coch": ("tactician", 4), "zifuli": ("tactician", 5), "kille": ("hoarder", 3),
    "hypp": ("banker", 2), "perudo": ("actuary", 2), "scopa": ("sweeper", 2),
}  # fmt: skip
"""The opponent in each game, and the seats: as few as the rules have, which a tournament of two bots has too."""

FEWEST = 10
"""After so many deals there is a first interval."""

SEARCHER = "searcher"

Think = Callable[[Position], Evaluation]

Begin = Callable[[Game, dict[str, str], int, Random], Think]
"""Begins a match: its game, its options, its seats, and chance."""


@dataclass
class Effort:
    """What the searches of a rating have cost."""

    answers: int = 0
    """How many answers there were, those with a single legal move left out."""
    worlds: int = 0
    playouts: int = 0
    seconds: float = 0.0


@dataclass
class Duel:
    """The matches of the searcher against one opponent."""

    name: str
    opponent: str
    seats: int
    begin: Begin
    options: dict[str, str] = field(default_factory=dict)
    effort: Effort = field(default_factory=Effort)
    results: list[Result] = field(default_factory=list)

    def play_deal(self, deal: int) -> None:
        """Play a deal twice: with the searcher in every other seat, and in those between."""
        game = registry.game(self.name)
        teams = game.teams(game.options.parse(self.options), self.seats)
        firsts = [teams.index(team) for team in range(max(teams) + 1)]
        for own in (0, 1):
            names = [SEARCHER if team % 2 == own else self.opponent for team in teams]
            ranks, scores = self._play(game, names, deal)
            self.results.append(
                Result(
                    deal,
                    tuple([names[seat] for seat in firsts]),
                    tuple([ranks[seat] for seat in firsts]),
                    tuple([scores[seat] for seat in firsts]),
                )
            )

    def _play(self, game: Game, names: Sequence[str], deal: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        options = game.options.parse(self.options)
        state = game.start(options, self.seats, Chance(seed_from_number(deal)))
        positions: dict[int, Position] = {}
        thinks: dict[int, Think] = {}
        bots: dict[int, SeatedBot] = {}
        rngs = [Random(f"{deal} {seat}") for seat in range(self.seats)]
        for seat, name in enumerate(names):
            seed = rngs[seat].randbytes(32)
            if name == SEARCHER:
                positions[seat] = Position(game, options, self.seats, seat, seed)
                thinks[seat] = self.begin(game, self.options, self.seats, rngs[seat])
            else:
                bots[seat] = SeatedBot(name, game, self.options, self.seats, seat, seed)
        seen = [0] * self.seats
        while state.asked:
            moves = []
            for seat in state.asked:
                legal: Sequence[str] = state.legal(seat)
                if seat in bots:
                    moves.append(bots[seat].choose(state.view(seat), legal))
                    continue
                position = positions[seat]
                events = [event for event in state.events[seen[seat] :] if visible(game.lines, event, seat)]
                seen[seat] = len(state.events)
                position.ask(events, state.view(seat), legal)
                move = self._answer(position, thinks[seat], rngs[seat])
                position.answer(move)
                moves.append(move)
            state.apply(moves)
        outcome = state.outcome()
        return outcome.ranks, outcome.scores

    def _answer(self, position: Position, think: Think, rng: Random) -> str:
        try:
            found = think(position)
        except NoWorld:
            return rng.choice(position.legal)
        if found.reason != "forced":
            effort = self.effort
            effort.answers += 1
            effort.worlds += found.worlds
            effort.playouts += found.playouts
            effort.seconds += found.seconds
        return found.best

    def ranking(self) -> Ranking:
        """Return the ranking of all matches so far."""
        return fit_ranking(Tally(self.results))

    def is_decided(self) -> bool:
        """Tell whether one of the two is surely better, as often as somebody asks."""
        deals = len(self.results) // 2
        return deals >= FEWEST and self.p_value() <= ALPHA

    def p_value(self) -> float:
        """Return the probability to see such a difference, at any number of deals, where there is none."""
        ranking = self.ranking()
        better = float(ranking.los[0, 1])
        p_value = np.array(2 * min(better, 1 - better))
        return float(always_valid(p_value, len(self.results) / 2 / FEWEST))

    def row(self) -> list[str]:
        """Return the row of the table."""
        ranking, effort = self.ranking(), self.effort
        mine = next(row for row in ranking.rows if row.bot == SEARCHER)
        other = next(row for row in ranking.rows if row.bot != SEARCHER)
        elo = f"{mine.bound}{mine.elo - other.elo:+.0f}"
        if mine.ci95 is not None:
            elo += f" ± {2 * mine.ci95:.0f}"  # two bots: the errors of both are one
        share = mean_share(self.results)
        return [
            self.name,
            self.opponent,
            str(self.seats),
            str(len(self.results)),
            f"{share:.2f}",
            elo,
            f"{effort.seconds / max(1, effort.answers):.3f}",
            f"{effort.worlds / max(effort.seconds, 1e-9):,.0f}",
            f"{effort.playouts / max(effort.seconds, 1e-9):,.0f}",
        ]


HEADERS = (
    "game", "against", "seats", "matches", "share", "Elo above it", "CPU s/answer", "worlds/s", "playouts/s",
)  # fmt: skip


def mean_share(results: Sequence[Result]) -> float:
    """Return the share of its comparisons with the opponent that the searcher won; level ones are half won."""
    won = compared = 0.0
    for result in results:
        for name, rank in zip(result.teams, result.ranks, strict=True):
            for against, other in zip(result.teams, result.ranks, strict=True):
                if name == SEARCHER != against:
                    compared += 1
                    won += (rank < other) + 0.5 * (rank == other)
    return won / compared if compared else 0.5


def main() -> None:
    """Play, and print the table, a row as soon as it is known."""
    parser = argparse.ArgumentParser(description="Rate search against rule-based sample bots.")
    parser.add_argument("games", nargs="*", help="the games; by default all")
    parser.add_argument("--seconds", type=float, default=0.1, help="CPU time for an answer (0.1)")
    parser.add_argument("--deals", type=int, default=200, help="the most deals of a game (200)")
    parser.add_argument("--all", action="store_true", help="play so many deals, whoever is better")
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal (0)")
    parser.add_argument("--tree", action="store_true", help="the tree search instead of flat Monte Carlo")
    parser.add_argument(
        "--policies", choices=["base", "learnt", "random"], default="base", help="who plays in playouts (base)"
    )
    parser.add_argument("--no-belief", action="store_true", help="all worlds count alike, whatever the others did")
    parser.add_argument(
        "--margin", type=float, default=MARGIN, help=f"standard errors to be ahead of the base policy ({MARGIN:g})"
    )
    parser.add_argument(
        "-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the games"
    )
    given = parser.parse_args()
    seek: Callable[..., Evaluation] = search if given.tree else partial(evaluate, margin=given.margin)

    def begin(game: Game, options: dict[str, str], seats: int, rng: Random) -> Think:
        policies: Policies = given.policies if given.policies != "base" else best_policies(game, options, seats, rng)
        return partial(
            seek,
            seconds=given.seconds,
            policies=policies,
            belief=None if given.no_belief else belief_in(policies),
            experience=Experience(),
            rng=rng,
            clock=process_time,
        )

    options = dict(option.split("=", 1) for option in given.option)
    rows = []
    for name in given.games or PAIRINGS:
        duel = Duel(name, *PAIRINGS[name], begin, options)
        for deal in range(given.first, given.first + given.deals):
            duel.play_deal(deal)
            print(" | ".join(duel.row()), file=sys.stderr, flush=True)
            if not given.all and duel.is_decided():
                break
        rows.append(duel.row())
        print(" | ".join(rows[-1]), flush=True)
    print(f"\nrules: {'compiled' if compiled() else 'interpreted'}; {given.seconds} s of CPU for an answer at most\n")
    print(tabulate(rows, HEADERS, tablefmt="github"))


if __name__ == "__main__":
    main()
