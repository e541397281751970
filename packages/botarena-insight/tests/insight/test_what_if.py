"""A stored match played on from another move."""

from dataclasses import replace

import pytest
from arena_insight.match_branch import answer_at, branch, choice_of
from arena_insight.what_if import Table, play_what_if, stand_in, table_of
from arena_insight.what_if_remark import what_if_remark

from arena.packs.roster import Roster
from arena.record.match_verification import check_match
from arena.record.played_rules import steps
from arena.replay.readable import in_words
from arena.run.hosting import Hosting
from arena.values.rows import StoredMatch
from arena.values.tournament_errors import PlanError, RefereeError
from referee.engine.game import Game
from referee.engine.record import unpack_answers
from tests.replay.replays import GAMES, stored

(CAMBIO,) = (game for game in GAMES if game.name == "cambio")


def finished(game: Game) -> StoredMatch:
    """Return a match of a tournament that is over."""
    match = stored(game)
    return replace(match, event=replace(match.event, finished="2026-01-02T00:00:00+00:00"))


def choices(match: StoredMatch) -> list[tuple[int, int]]:
    """Return all moves that were not played: the answer, and the place among its legal moves."""
    return [
        (step.ply, choice)
        for _, answered in steps(match)
        for step in answered
        for choice, move in enumerate(step.legal)
        if move != step.move
    ]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_branch_is_the_record_up_to_the_move_and_legal_after_it(game: Game) -> None:
    match = finished(game)
    recorded = unpack_answers(match.row.answers)
    untried = choices(match)
    for ply, choice in untried[:: max(1, len(untried) // 6)]:
        branched = branch(match, ply, choice)
        answers = unpack_answers(branched.prefix.packed)
        assert answers[:ply] == recorded[:ply]
        assert answers[ply] == choice
        assert len(answers) == len(branched.plies) == branched.prefix.answers
        assert [recorded[played] for n, played in enumerate(branched.plies) if n != ply] == [
            answer for n, answer in enumerate(answers) if n != ply
        ]
        # The rules accept it: replaying it raises nothing.
        list(steps(replace(match, row=replace(match.row, answers=branched.prefix.packed, says=branched.prefix.says))))


def test_recorded_answers_go_on_where_seats_see_the_same_again() -> None:
    match = finished(CAMBIO)
    kept = [len(branch(match, *change).plies) - change[0] - 1 for change in choices(match)]
    assert max(kept) > 0
    assert min(kept) == 0


def test_what_is_no_other_move_is_refused() -> None:
    match = finished(CAMBIO)
    step = answer_at(match, 0)
    with pytest.raises(PlanError, match="is the move of the record"):
        branch(match, 0, step.legal.index(step.move))
    with pytest.raises(PlanError, match="has 2 legal moves"):
        branch(match, 0, 2)
    with pytest.raises(PlanError, match="has no answer 99999"):
        branch(match, 99999, 0)
    with pytest.raises(PlanError, match=r'"kepe" is not legal.*did you mean "keep"'):
        choice_of(match, 0, "kepe")
    with pytest.raises(PlanError, match="its deal is still in play"):
        branch(stored(CAMBIO), *choices(match)[0])


def test_only_bots_that_may_be_asked_play_on() -> None:
    match = finished(CAMBIO)
    asked: list[str] = []

    def may_ask(name: str) -> bool:
        asked.append(name)
        return False

    table = table_of(match, (), Roster(), may_ask)
    assert asked == match.players
    assert stand_in("cambio") == "cautious"
    assert stand_in("unknown") == "random"
    assert table.names[0] == "cautious for a"
    assert len({bot.name for bot in table.bots}) == len(table.bots)
    assert {bot.name.partition("#")[0] for bot in table.bots} == {"cautious"}


@pytest.mark.processes
def test_it_is_played_to_its_end_with_the_recorded_notes_and_times() -> None:
    match = finished(CAMBIO)
    ply, choice = next(change for change in choices(match) if change[0] > 20)
    branched = branch(match, ply, choice)
    table: Table = table_of(match, (), Roster(), lambda name: False)
    what_if = play_what_if(match, branched, table, Hosting(), 60)
    played = what_if.match
    assert check_match(played).wrong == ()
    assert played.players == list(table.names)
    assert unpack_answers(played.row.answers)[: branched.prefix.answers] == unpack_answers(branched.prefix.packed)
    assert played.row.times[:ply] == match.row.times[:ply]
    notes = {note.ply: note.text for note in played.row.notes}
    assert notes[ply] == f"what if: the record has {branched.recorded}"
    assert notes[ply - 1] == f"thought {ply - 1} of seat {answer_at(match, ply - 1).seat}"
    assert f"instead of {in_words(match, branched.recorded)} (answer {ply} of match 1)" in what_if_remark(
        what_if.match, what_if.branch
    )


@pytest.mark.processes
def test_what_nobody_waits_for_is_not_played_to_its_end() -> None:
    match = finished(CAMBIO)
    branched = branch(match, *choices(match)[0])
    table = table_of(match, (), Roster(), lambda name: False)
    with pytest.raises(RefereeError, match="its request was cancelled"):
        play_what_if(match, branched, table, Hosting(), is_cancelled=lambda: True)
