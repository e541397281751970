"""What an author finds in every language: each feature is played by a bot in each, and the table in the docs has these.

The bots are alike (`conformance` in the folders of sample_bots, conformance_bot.py for Python). A stand-in for the
referee talks to them, and the first legal move of a question says what it wants to see:

    tell     the match and the question, in lines of the note, and table talk
    long     a note that the protocol does not allow
    draw     a move by chance
    illegal  a move that is not legal
    think    the last move, after 40 ms
    throw    a failure of the author's code
    keep     a question of a real match, in which it looks ahead
"""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from arena.model_server.model import Model
from referee.v1.cambio_pb2 import CambioView
from referee.v1.model_pb2 import (
    DropRequest,
    EvaluateRequest,
    ModelRequest,
    ModelResponse,
    SearchRequest,
    Step,
    StepsRequest,
    ViewRequest,
    WorldsRequest,
)
from referee.v1.play_pb2 import Answer, Hello, PlayRequest, PlayResponse
from tests.model_server.told import ToldSeat
from tests.sample_bots.commands import command
from tests.sdk.conftest import Deal, Ended, Standin, welcome

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_bots"
PAGE = ROOT / "docs/languages/README.md"

PYTHON = [sys.executable, str(Path(__file__).with_name("conformance_bot.py"))]
PROGRAMS = {
    "Go": "go/build/bot",
    "Rust": "rust/target/release/bot",
    "TypeScript": "typescript/build/bot.mjs",
    "Java": "java/target/bot.jar",
    "C++": "cpp/build/bot",
    "C": "c/build/bot",
    "shell": "shell/bot.sh",
}
"""What is built of the bot of each language, below sample_bots: it is started with the word `conformance`."""

THROWN = r"(?i)\bconformance(_bot)?\.\w+(:|\", line )\d+"
"""The place in the bot's code that a failure names."""

AHEAD = (
    r"((keep|exchange) 0\.\d+( ± 0\.\d+)?, (keep|exchange) 0\.\d+( ± 0\.\d+)?; \d+ worlds\n){2}"
    r"asked 1, lines seat 1 keeps;?.*"
)
"""What the bot in Python notes that looks ahead."""

OPTIONS = {"strong_fools": "true", "chips": "5"}
SEED = bytes(range(32))
READY = (1 << 63) + 5
DRAWS = 12


@dataclass
class Played:
    """What the stand-in heard of a bot."""

    hello: Hello = field(default_factory=Hello)
    messages: list[list[Answer]] = field(default_factory=list)
    """The messages with answers, in the order of their arrival."""
    ended: Ended = field(default_factory=lambda: Ended(-1, "", ""))

    def answer(self, question: int) -> Answer:
        """Return the answer to a question, which there must be once."""
        [answer] = [each for message in self.messages for each in message if each.question == question]
        return answer

    def answers(self) -> int:
        return sum(map(len, self.messages))

    def hear(self, requests: Iterator[PlayRequest], answers: int) -> None:
        """Take messages until the bot has given so many answers."""
        while self.answers() < answers:
            self.messages.append(list(next(requests).answers.answers))


def started(deal: Deal, match: int, seed: bytes) -> Deal:
    """Add the start of a match."""
    return deal.start(
        match, seats=3, seat=match % 3, behaviour=4, options=OPTIONS, names=["ann", "bob", "cid"], move_time_ms=1000,
        bank_ms=10000, fischer=True, ready_question=READY + match, ready_time_ms=20000, bot_seed=seed,
    )  # fmt: skip


@cache
def match_played(language: str) -> Played:
    """Let a bot play three matches at once, to their ends."""
    played = Played()
    view = CambioView(card=7).SerializeToString()

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        played.hello = next(requests).hello
        yield welcome()
        begun = Deal()
        for match, seed in (1, SEED), (2, SEED), (3, SEED[::-1]):
            started(begun, match, seed)
        yield begun.response
        played.hear(requests, 3)
        told = Deal().ask(
            1, 1, "tell", "a", "b", view=view, events=["x", "y"], bank_ms=9000, charged_us=1234, again=True
        )
        yield told.ask(2, 2, "long", "keep").ask(3, 1, "tell", "a", view=view, bank_ms=8000).response
        played.hear(requests, 6)
        drawn = Deal()
        for draw in range(DRAWS):
            for match in 1, 2, 3:
                drawn.ask(10 * draw + 10 + match, match, "draw", *map(str, range(1, 101)))
        yield drawn.response
        played.hear(requests, 6 + 3 * DRAWS)
        yield Deal().ask(201, 3, "illegal", "keep").ask(202, 3, "think", "keep").ask(203, 2, "think", "keep").response
        played.hear(requests, 9 + 3 * DRAWS)
        yield Deal().end(1, (-4, 8, 0), (3, 1, 2), events=["x", "over"]).end(2).response

    played.ended = run(language, talk)
    return played


@cache
def failure_played(language: str) -> Played:
    """Let a bot fail at the second of two questions."""
    played = Played()

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        next(requests)
        yield welcome()
        yield started(Deal(), 1, SEED).response
        played.hear(requests, 1)
        yield Deal().ask(1, 1, "wait", "keep").ask(2, 1, "throw", "keep").response
        for request in requests:
            played.messages.append(list(request.answers.answers))

    played.ended = run(language, talk)
    return played


@cache
def look_ahead_played(language: str) -> tuple[Played, list[str]]:
    """Let a bot look ahead at two questions of a match; return what it played, and what a model here finds."""
    played = Played()
    model = Model()
    wanted: list[str] = []

    def told(seat: ToldSeat) -> PlayResponse:
        model.tell(seat.turns)
        wanted.append(look_ahead(model, seat))
        return PlayResponse(turns=seat.turns)

    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        played.hello = next(requests).hello
        yield welcome()
        seat = ToldSeat("cambio", seat=1, match=4, chips=5)
        seat.turns.starts[0].ready_question = READY + 4
        yield told(seat)
        played.hear(requests, 2)
        model.take_answers(seat.answer("exchange"))
        yield told(seat)
        played.hear(requests, 3)

    played.ended = run(language, talk, "ahead")
    return played, wanted


def look_ahead(model: Model, seat: ToldSeat) -> str:
    """Return what a bot notes that looks ahead."""

    def ask(**request: Any) -> ModelResponse:
        response = model.reply(ModelRequest(**request))
        assert response is not None
        return response

    evaluation = ask(evaluate=EvaluateRequest(match=4, worlds=20, policy="counter")).evaluation
    tree = SearchRequest(match=4, worlds=20, policy="counter", observers="own", most_nodes=9)
    searched = ask(search=tree).evaluation
    first, second = (world.world for world in ask(worlds=WorldsRequest(match=4, count=2)).worlds.worlds)
    step = Step(world=first, moves=["keep"], copy=True)
    [copy] = ask(steps=StepsRequest(steps=[step])).worlds.worlds
    lines = ";".join(ask(view=ViewRequest(world=copy.world, seat=1)).view.lines)
    kept = ask(drop=DropRequest(worlds=[first, second, copy.world])).dropped.kept
    said = f"worlds {first};{second}, copy {copy.world} asks seat {copy.asked[0].seat}, lines {lines}, kept {kept}"
    failure = ask(worlds=WorldsRequest(match=4, count=1_000_000)).error.sentence
    assert failure.startswith("1,000,000 more worlds are asked for")
    return f"{evaluation.note}\n{searched.note}\n{said}\n{failure}"


def run(language: str, talk: Callable[[Iterator[PlayRequest]], Iterator[PlayResponse]], *words: str) -> Ended:
    with TemporaryDirectory() as folder:
        standin = Standin(f"unix:{folder}/s")
        try:
            return standin.run([*bot_command(language), *words], talk, {"ARENA_PYTHON": sys.executable})
        finally:
            standin.stop()


def bot_command(language: str) -> list[str]:
    """Return the command of a bot; skip where it is not built."""
    if language == "Python":
        return PYTHON
    program = SAMPLES / PROGRAMS[language]
    if not program.exists():
        pytest.skip(f"the bot in {language} is not built: `make bots` says what is missing")
    return [*command(SAMPLES / PROGRAMS[language].partition("/")[0]), "conformance"]


def introduces_itself(language: str) -> None:
    hello = match_played(language).hello
    assert (hello.name, hello.version, list(hello.games)) == ("conformance", "1.2.3", ["cambio"])
    assert (hello.matches_at_once, hello.token, list(hello.protocols)) == (7, "sesame", [1])


def answers_moves(language: str) -> None:
    answers = [match_played(language).answer(question) for question in (1, 2, 3)]
    assert [answer.index for answer in answers] == [2, 1, 1]
    assert all(answer.HasField("index") for answer in answers)


def decodes_views(language: str) -> None:
    assert "\ncard 7, " in match_played(language).answer(1).note


def knows_its_match(language: str) -> None:
    facts, times, _ = match_played(language).answer(1).note.splitlines()
    assert facts == "match 1 of cambio 4, seat 1 of 3, options chips=5;strong_fools=true, names ann;bob;cid"
    assert times == "move time 1000, bank 10000, fischer true, ready time 20000"


def knows_its_times(language: str) -> None:
    assert ", bank 9000, charged 1234, again true, " in match_played(language).answer(1).note
    assert ", bank 8000, charged 0, again false, " in match_played(language).answer(3).note


def hears_events(language: str) -> None:
    played = match_played(language)
    assert played.hello.wants_events
    assert ", events x;y, bank" in played.answer(1).note
    assert ", events , bank" in played.answer(3).note
    assert ", events x;over, asked" in played.ended.err


def leaves_notes(language: str) -> None:
    played = match_played(language)
    assert len(played.answer(1).note.splitlines()) == 3
    assert played.answer(2).note == "é" * 512
    assert not played.answer(202).note


def talks(language: str) -> None:
    assert match_played(language).answer(1).say == "seat 1 greets"
    assert not match_played(language).answer(2).say


def starts_matches(language: str) -> None:
    err = match_played(language).ended.err
    assert [line for line in err.splitlines() if line.startswith("started: ")] == [
        f"started: match {match} of cambio, seat {match % 3} of 3" for match in (1, 2, 3)
    ]


def gets_ready(language: str) -> None:
    played = match_played(language)
    assert played.hello.wants_ready
    assert [played.answer(READY + match).HasField("index") for match in (1, 2, 3)] == [True] * 3


def ends_matches(language: str) -> None:
    first, second = (line for line in match_played(language).ended.err.splitlines() if line.startswith("ended: "))
    assert first.startswith("ended: match 1, scores -4;8;0, ranks 3;1;2, ")
    assert second.startswith("ended: match 2, scores , ranks , ")


def remembers_each_match(language: str) -> None:
    played = match_played(language)
    assert [played.answer(question).note.rpartition(", ")[2] for question in (1, 3)] == ["asked 1", "asked 2"]
    assert re.findall(r"asked \d+$", played.ended.err, re.MULTILINE) == [f"asked {2 + DRAWS}"] * 2


def draws_by_its_seed(language: str) -> None:
    played = match_played(language)
    drawn = [[played.answer(10 * draw + 10 + match).index for draw in range(DRAWS)] for match in (1, 2, 3)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]
    assert min(map(min, drawn)) >= 1
    assert len(set(drawn[0])) > DRAWS // 2


def sends_what_is_finished(language: str) -> None:
    ids = [[answer.question for answer in message] for message in match_played(language).messages]
    assert 203 in ids[-1]
    assert 202 not in ids[-1]


def reports_illegal_moves(language: str) -> None:
    played = match_played(language)
    answer = played.answer(201)
    assert (answer.HasField("index"), answer.text) == (False, "fly")
    assert re.search(r"fly.*not a legal move.*\bkeep\b", played.ended.err)


def looks_ahead(language: str) -> None:
    played, wanted = look_ahead_played(language)
    assert played.ended.code == 0, played.ended.err
    assert played.hello.wants_values
    if language == "Python":  # which has no model server: positions are its own
        for question in (1, 2):
            assert re.fullmatch(AHEAD, played.answer(question).note), played.answer(question).note
        return
    assert [played.answer(question).note for question in (1, 2)] == wanted


def ends_in_good_order(language: str) -> None:
    assert match_played(language).ended.code == 0


def tells_that_it_failed(language: str) -> None:
    played = failure_played(language)
    assert played.ended.code == 1
    assert "a mistake on purpose" in played.ended.err
    assert played.answer(1).index == 1, "what was answered before counts"


def tells_where_it_failed(language: str) -> None:
    err = failure_played(language).ended.err
    assert re.search(THROWN, err), err


FEATURES: dict[str, Callable[[str], None]] = {
    "name, version, games, most matches at once": introduces_itself,
    "a move as its text": answers_moves,
    "views, by stubs that come with it": decodes_views,
    "a match's game, options, seats, own seat, names, times": knows_its_match,
    "a question's bank, charged time and `again`": knows_its_times,
    "events: the lines of the log": hears_events,
    "notes, shown in the replay": leaves_notes,
    "table talk": talks,
    "the start of a match": starts_matches,
    "getting ready before the clock runs": gets_ready,
    "the end of a match, with scores and ranks": ends_matches,
    "memory of each match, many at once": remembers_each_match,
    "random numbers from the match's seed": draws_by_its_seed,
    "finished answers leave while others are thought about": sends_what_is_finished,
    "an illegal move is reported with the legal ones": reports_illegal_moves,
    "a failure of the bot's code is told, and earlier answers count": tells_that_it_failed,
    "... with file and line": tells_where_it_failed,
    "looking ahead: worlds, moves in them, evaluations, tree search": looks_ahead,
    "exit code 0 at the end of the stream": ends_in_good_order,
}
"""What is played, as the table in the docs names it."""

MISSING = {("C++", "... with file and line"), ("shell", "... with file and line")}
"""Pairs of language and feature that there are not."""

LANGUAGES = ["Python", *PROGRAMS]

MARKS = {"Python": pytest.mark.promise, "shell": pytest.mark.processes}
"""The marks of languages whose bots need no toolchain."""


def table() -> str:
    """Return the table of the docs."""
    rows = [["", *LANGUAGES], ["---", *(":-:" for _ in LANGUAGES)]]
    rows += [[name, *("" if (language, name) in MISSING else "✓" for language in LANGUAGES)] for name in FEATURES]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def test_the_table_in_the_docs_is_what_is_played() -> None:
    assert table() in PAGE.read_text()


@pytest.mark.parametrize("feature", FEATURES)
@pytest.mark.parametrize(
    "language",
    [pytest.param(each, marks=MARKS.get(each, pytest.mark.toolchain)) for each in LANGUAGES],
)
def test_it_is_there(language: str, feature: str) -> None:
    if (language, feature) in MISSING:
        pytest.skip("not in this language")
    FEATURES[feature](language)
