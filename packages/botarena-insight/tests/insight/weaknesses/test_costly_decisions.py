"""The search of the costliest decisions, with playouts whose truth is known."""

from collections.abc import Sequence
from random import Random

import pytest
from arena_insight.analysis.playouts import MoveEstimate
from arena_insight.weaknesses import costly_decisions
from arena_insight.weaknesses.candidates import Candidate, choose_candidates
from arena_insight.weaknesses.choice import Choice
from arena_insight.weaknesses.contest import Contest, Place, Sitting
from arena_insight.weaknesses.costly_decisions import CostlyDecisions, candidates_for, find_costly_decisions
from arena_insight.weaknesses.decisions import Decision

from referee.games.cambio import CAMBIO
from tests.replay.replays import stored

MATCH = stored(CAMBIO, seats=4)


def candidate(number: int, others: Sequence[str] = ("b", "c")) -> Candidate:
    """Decision `number` of a seat: it played a, and could have played b or c."""
    sitting = Sitting(number, 0, Place((b"", 2), 0), 0, 0, 0, (), 1, {}, False)
    decision = Decision(sitting, number, number, Choice("its turn", "", "a"), "a", ("a", *others))
    return Candidate(decision, MATCH, 1, 1, others)


class Playouts:
    """Stands for PlayoutPosition: the win is a coin that favours move c as far as `costs` says; seeds are noted."""

    costs: dict[int, float]
    seeds: dict[int, set[int]]

    def __init__(self, _match: object, question: int, _seat: int, *, seed: int, policy: str | None) -> None:
        self._question = question
        self._random = Random(f"{question}/{seed}")
        self.seeds.setdefault(seed, set()).add(question)

    def compare_moves(self, _seat: int, playouts: int, moves: Sequence[str]) -> list[MoveEstimate]:
        def chance(move: str) -> float:
            p = 0.3 + (self.costs.get(self._question, 0.0) if move == "c" else 0.0)
            return sum(self._random.random() < p for _ in range(playouts)) / playouts

        own = chance("a")
        error = (2 * 0.25 / playouts) ** 0.5
        others = [(move, chance(move)) for move in moves]
        return [MoveEstimate("a", own, 0, 0, 0), *(MoveEstimate(m, c, 0, c - own, error) for m, c in others)]


def found(monkeypatch: pytest.MonkeyPatch, costs: dict[int, float], seed: int = 0) -> CostlyDecisions:
    monkeypatch.setattr(costly_decisions, "PlayoutPosition", Playouts)
    Playouts.costs, Playouts.seeds = costs, {}
    return find_costly_decisions([candidate(number) for number in range(20)], 4000, seed=seed)


def test_the_costliest_decisions_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    result = found(monkeypatch, {3: 0.4, 17: 0.6})
    assert [each.decision.position for each in result.decisions[:2]] == [17, 3]
    assert all(each.better == "c" and each.is_separated for each in result.decisions[:2])
    assert not any(each.is_separated for each in result.decisions[2:])
    assert result.decisions[0].cost == pytest.approx(0.6, abs=0.15)
    assert result.candidates == 20
    assert result.playouts == pytest.approx(4000, rel=0.05)


def test_what_is_reported_comes_from_playouts_that_chose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any real cost the chosen decisions look costly in the search; estimated again they do not."""
    means = []
    for seed in range(20):
        result = found(monkeypatch, {}, seed)
        *search, again = sorted(Playouts.seeds)
        assert Playouts.seeds[again] == {each.decision.position for each in result.decisions}
        assert again not in search
        means.append(sum(each.cost for each in result.decisions) / len(result.decisions))
    assert abs(sum(means)) / 20 < 0.02


def test_the_same_seed_gives_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = {5: 0.3}
    assert found(monkeypatch, costs, 1).decisions[0].cost == found(monkeypatch, costs, 1).decisions[0].cost


def test_there_are_as_many_candidates_as_playouts_allow() -> None:
    assert [candidates_for(playouts) for playouts in (200, 2000, 10**6)] == [2, 20, 64]
    assert find_costly_decisions([], 1000) == CostlyDecisions((), 0, 0)


def test_candidates_are_decisions_of_lost_seats_after_which_score_was_lost() -> None:
    row = MATCH.row
    loser = max(range(4), key=lambda seat: row.seats[seat].rank)
    sittings = [
        Sitting(1, 0, Place((row.seed, 4), seat), seat, row.seats[seat].score, float(seat != loser), (), 1, {}, False)
        for seat in range(4)
    ]
    contest = Contest("cambio", {}, {}, loser, sittings)
    chosen = choose_candidates(contest, None, lambda ids: [MATCH] if list(ids) == [1] else [], 4)
    assert chosen
    for each in chosen:
        assert each.decision.sitting.bot == loser
        assert each.loss > 0
        assert each.decision.move not in each.others
        assert set(each.others) <= set(each.decision.legal)
    winner = Contest("cambio", {}, {}, 0 if loser else 1, sittings)
    assert choose_candidates(winner, None, lambda ids: [] if not ids else [MATCH], 4) == []
