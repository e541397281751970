"""Moves and questions: which moves are legal, their text, and which seats are asked."""

from random import Random

from arena.testing.case import MatchCase, quoted
from arena.testing.contract_check import check
from arena.testing.violation import Violation
from referee.engine.errors import MoveError
from referee.engine.game import State, find_move, meant_by

MOVES_TRIED = 6
"""Most legal moves of one question that are tried on copies."""
TEXTS = ("[", "]0[", "[0] [1]", "%s {} \\", "-1e999", "\N{SNOWMAN}")
"""What is said, among others, in games that are played with words."""
NO_MOVES = ("", " ", "no such move", "!", "0", "-1", "\N{SNOWMAN}", "play", "x" * 500, "keep\nkeep", "\x00")


@check
def check_moves(case: MatchCase) -> None:
    """Every legal move is a canonical text, is recognised and can be played; every other text is refused."""
    played = case.played
    rng = Random(case.play)
    elsewhere: dict[str, None] = {}
    listed = frozenset(case.game.actions(case.rules, case.seats))
    for step, state in enumerate(played.states):
        for seat in state.asked:
            legal = state.legal(seat)
            _check_text(legal, step)
            if (own := case.game.text_move) and (own not in legal or not state.talk_limit()):
                raise Violation(
                    f'`text_move` is "{own}": offer it in every question, with a `talk_limit` above 0', step
                )
            if listed:
                _check_listed(case, legal, listed, step)
            _check_refused((*rng.sample([*elsewhere], min(len(elsewhere), MOVES_TRIED)), *NO_MOVES), legal, step)
            tried = legal if len(legal) <= MOVES_TRIED else rng.sample(legal, MOVES_TRIED)
            for move in tried:
                if move not in elsewhere:
                    _check_documented(case, move, step)
                    elsewhere[move] = None
                _check_recognised(move, legal, step)
            if step % 8 == 0 or step + 2 > len(played.states):
                for move in tried:
                    _check_playable(state, seat, move, step)
                if own:
                    _check_texts(state, seat, own, step)
            if (default := state.default(seat)) not in legal:
                raise Violation(f'the default move of seat {seat}, "{default}", is not among {quoted(legal)}', step)


def _check_text(legal: tuple[str, ...], step: int) -> None:
    if len(set(legal)) < len(legal):
        twice = next(move for move in legal if legal.count(move) > 1)
        raise Violation(f'"{twice}" is offered twice', step)
    if len({move.lower() for move in legal}) < len(legal):
        raise Violation(f"moves differ only in capitals: {quoted(legal)}", step)
    for move in legal:
        if not move or move != " ".join(move.split()) or not move.isascii() or not move.isprintable():
            raise Violation(f'"{move}" is not a canonical text: ASCII words separated by single spaces', step)


def _check_listed(case: MatchCase, legal: tuple[str, ...], listed: frozenset[str], step: int) -> None:
    """A game that lists its moves lists all of them, but for as many as `unlisted` says."""
    unlisted = tuple([move for move in legal if move not in listed])
    if unlisted and len(unlisted) > (most := case.game.unlisted(case.rules, case.seats)):
        kind = type(case.game).__name__
        raise Violation(f"`{kind}.actions` does not list {quoted(unlisted)}, and `{kind}.unlisted` is {most}", step)


def _check_documented(case: MatchCase, move: str, step: int) -> None:
    words = [line.split()[0] for line in case.game.moves.splitlines() if line.strip()]
    if move.split()[0] not in words and not any(word.isupper() for word in words):
        raise Violation(f'"{move}" begins like no move that `{type(case.game).__name__}.moves` explains', step)


def _check_recognised(move: str, legal: tuple[str, ...], step: int) -> None:
    for text in (move, move.upper(), f"  {move} "):
        try:
            recognised = find_move(text, legal)
        except MoveError as error:
            raise Violation(f'"{text}" is offered, but refused: {error}', step) from None
        if recognised != move:
            raise Violation(f'"{text}" is taken for "{recognised}"', step)


def _check_refused(texts: tuple[str, ...], legal: tuple[str, ...], step: int) -> None:
    for text in texts:
        meant = meant_by(text, legal)  # `find_move` uses it; composing its error would take a hundred times as long
        if len(meant) == 1 and not (meant[0] in legal and meant[0].lower().startswith(" ".join(text.lower().split()))):
            raise Violation(f'"{text}" is not offered, but taken for "{meant[0]}"', step)


def _check_texts(state: State, seat: int, own: str, step: int) -> None:
    """Whatever a seat says, the rules judge it and do not fail."""
    for text in (*TEXTS, "x" * state.talk_limit()):
        copy = state.copy()
        try:
            copy.say(seat, text)
            copy.apply([own if other == seat else copy.default(other) for other in copy.asked])
        except Exception as error:
            raise Violation(f'saying "{text[:20]}" raises {type(error).__name__}: {error}', step) from error


def _check_playable(state: State, seat: int, move: str, step: int) -> None:
    """Play a move on a copy; others who are asked at the same time answer by default."""
    try:
        state.copy().apply([move if other == seat else state.default(other) for other in state.asked])
    except Exception as error:
        raise Violation(f'"{move}" is offered, but playing it raises {type(error).__name__}: {error}', step) from error


@check
def check_questions(case: MatchCase) -> None:
    """Seats are asked in seat order, only if they have a choice, and no other seat is offered a move.

    If not asking would reveal a secret, or every turn is one of the clock, a game may ask for a single move:
    `Game.asks_forced`.
    """
    seats = range(case.seats)
    for step, state in enumerate(case.played.states):
        asked: object = state.asked
        if not isinstance(asked, tuple) or list(asked) != sorted(set(asked)) or not set(asked) <= set(seats):
            raise Violation(f"`asked` is {asked!r}: it must be a tuple of different seats in seat order", step)
        for seat in seats:
            legal = state.legal(seat)
            if not isinstance(legal, tuple):
                raise Violation(f"`legal({seat})` is a {type(legal).__name__}, not a tuple", step)
            if seat not in asked and legal:
                raise Violation(f"seat {seat} is not asked, but is offered {quoted(legal)}", step)
            if seat in asked and len(legal) < (1 if case.game.asks_forced else 2):
                raise Violation(
                    f"seat {seat} is asked, but has no choice: it is offered {quoted(legal) or 'nothing'}", step
                )
            if state.legal(seat) != legal:
                raise Violation(f"seat {seat} is offered other moves by a second call of `legal`", step)
