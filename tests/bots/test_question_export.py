"""Questions of stored matches in files: what the seat was shown, all of it and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.bots.question_export import plies_of, recorded_question
from arena.cli import main
from arena.sdk import BadQuestion, Bot, Question, ask
from arena.sdk.question_turns import question_turns
from arena.sdk.recorded_question import parse_question
from arena.store import open_store
from arena.values.tournament_errors import PlanError
from referee.codec import ViewEncoder
from referee.engine.game import Game
from referee.wire import view_message
from tests.replay.replays import GAMES, replay, stored

pytestmark = pytest.mark.usefixtures("in_process")

SEATS = ("random", "./recorder.py", "cautious")

RECORDER = """
import json
from arena.sdk import Bot

class Recorder(Bot):
    wants_events = True

    def match_started(self, match):
        fields = ("game", "behaviour", "options", "seats", "seat", "view_type", "move_time_ms", "bank_ms")
        print(json.dumps({name: getattr(match, name) for name in fields} | {
            "names": list(match.names), "bot_seed": match.bot_seed.hex()}
            | ({"fischer": True} if match.fischer else {})), flush=True)

    def choose(self, question):
        view = question.view.SerializeToString().hex()
        print(json.dumps([view, question.legal, question.events, question.bank_ms, question.charged_us]), flush=True)
        return question.legal[-1]

Recorder().run()
"""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_file_holds_the_views_of_its_seat_byte_for_byte(game: Game) -> None:
    match = stored(game)
    encode = ViewEncoder(game).encode
    for seat in (0, len(match.row.seats) - 1):
        recorded = recorded_question(match, plies_of(match, seat)[-1])
        sent = [encode(position.view(seat)) for position in replay(game).positions if seat in position.asked]
        assert parse_question(recorded.to_text().encode()) == recorded
        assert recorded.encoded_views(view_message(game)) == sent


class Thinker(Bot[Any]):
    """Looks ahead at each question, and plays the last legal move, whatever it was in the match."""

    wants_positions = True

    def __init__(self) -> None:
        self.views: list[Any] = []

    def choose(self, question: Question[Any]) -> int:
        self.views.append(question.position.world().view(question.match.seat))
        return len(question.legal) - 1


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_bot_that_looks_ahead_can_be_asked_a_question_of_a_file(game: Game) -> None:
    recorded = recorded_question(stored(game), plies_of(stored(game), 1)[-1])
    bot = Thinker()
    ask(bot, parse_question(recorded.to_text().encode()))
    assert bot.views == [position.view(1) for position in replay(game).positions if 1 in position.asked]


def test_a_file_of_an_earlier_version_tells_too_little_to_look_ahead() -> None:
    recorded = recorded_question(stored(GAMES[0]), plies_of(stored(GAMES[0]), 1)[0])
    content = json.loads(recorded.to_text())
    del content["question"]["values"]
    with pytest.raises(BadQuestion, match="export the question again"):
        ask(Thinker(), parse_question(json.dumps(content).encode()))


@pytest.mark.parametrize("clock", [(), ("--fischer",)])
def test_it_holds_what_the_bot_was_sent_and_nothing_else(
    clock: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("recorder.py").write_text(RECORDER)
    words = ["match", "--game", "cambio", "-o", "chips=2", *SEATS, "--seed", "7", "--db", "a.db", *clock]
    assert CliRunner().invoke(main, words).exit_code == 0
    with open_store("a.db") as store:
        match = store.match(1)
    start, *asked = (json.loads(line) for line in match.outputs[1].text.splitlines())
    recorded = recorded_question(match, plies_of(match, 1)[-1])
    assert parse_question(recorded.to_text().encode()) == recorded
    turns = list(question_turns(recorded, recorded.encoded_views(view_message(GAMES[0])), events=True))
    [sent] = turns[0].starts
    for name, value in start.items():
        expected = {"options": dict(sent.options), "names": list(sent.names), "bot_seed": sent.bot_seed.hex()}
        assert expected.get(name, getattr(sent, name)) == value
    assert sent.fischer == bool(clock)
    assert len(turns) == len(asked) >= 2
    spent_us = 0
    for turn, (view, legal, events, bank_ms, charged_us) in zip(turns, asked, strict=True):
        [question] = turn.questions
        assert (question.view.hex(), list(question.legal), list(question.events)) == (view, legal, events)
        spent_us += charged_us
        # Charges are stored with a limited precision, and a Fischer clock takes all of each from the bank.
        assert question.bank_ms == pytest.approx(bank_ms, rel=0, abs=1 + 0.08e-3 * spent_us if clock else 0)
        assert question.charged_us == pytest.approx(charged_us, rel=0.08, abs=1)
    # What the file holds beside that: which match and bot it is from, and what that bot answered.
    values = json.loads(recorded.to_text())
    assert set(values) == {"format", "version", "source", "match", "before", "question"}
    assert values["source"] == {"match": 1, "bot": "recorder"}
    assert set(values["match"]) == set(start)
    assert {key for part in (*values["before"], values["question"]) for key in part} == {
        "events", "view", "legal", "bank_ms", "charged_us", "move", "values"
    }  # fmt: skip
    assert all(part["move"] == part["legal"][-1] for part in values["before"])
    for secret in (match.event.secret.hex(), match.row.seed.hex(), "cautious", "random"):
        assert secret not in recorded.to_text()


def test_a_fault_is_told_and_the_move_of_the_referee_marked() -> None:
    game = GAMES[0]
    ply = plies_of(stored(game), 1)[1]
    match = stored(game, faults={ply: "crash"})
    *_, asked = recorded_question(match, plies_of(match, 1)[-1]).before
    assert asked.fault == ""
    recorded = recorded_question(match, ply)
    assert recorded.question.fault == f"crash: seat 1 failed at {ply}"
    assert recorded.question.move in recorded.question.legal


def test_a_right_move_must_be_legal_there() -> None:
    match = stored(GAMES[0])
    legal = recorded_question(match, 0).question.legal
    assert recorded_question(match, 0, (legal[0],)).expect == (legal[0],)
    with pytest.raises(PlanError, match='"fly" is not a legal move there: '):
        recorded_question(match, 0, ("fly",))
    with pytest.raises(PlanError, match="has no answer 999999"):
        recorded_question(match, 999999)


def example() -> dict[str, Any]:
    """Return the values of a question in a file."""
    values: dict[str, Any] = json.loads(recorded_question(stored(GAMES[0]), plies_of(stored(GAMES[0]), 1)[2]).to_text())
    return values
