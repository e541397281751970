"""Scenario files: how they are played, what fails, and what is wrong with a wrong one."""

import pytest

from referee.engine.chance import Chance, deal_seed, seed_from_number
from referee.engine.scenario import judge, parse
from tests.guessing import GUESSING, GuessingOptions

WHOLE = """\
# Two rounds: the starter goes on, then the match is over.
game = "guessing"
seats = 3
[options]
rounds = 2
[chance]
first = 1
deck = [3, 1, 2, 2, 1, 3]
dice = [[1, 2], [6, 6]]
[[play]]
seat = 2
move = "high"
[[play]]
seat = 0
move = "low"
[[play]]
seat = 1
move = "low"
[[play]]
seat = 1
move = "again"
[[play]]
seat = 0
move = "high"
[[play]]
seat = 1
move = "high"
[[play]]
seat = 2
move = "low"
[expect]
over = true
scores = [5, 2, 0]
ranks = [1, 2, 3]
to_act = []
illegal = { 1 = ["again"], 0 = ["low", "high"] }
view = { 1 = { round = 2, card = 1, last = "high", points = [5, 2, 0], table = { pile = 0 } } }
events = ["dice 1 2", "seat 0 says low", "seat 1 says low", "seat 2 says high", "round 2", "seat 0 scores 2"]
"""

HEAD = 'game = "guessing"\nseats = 2\n'
DEALT = HEAD + "[chance]\nfirst = 1\ndeck = [3, 1]\ndice = [[1, 2]]\n"


def plays(*moves: tuple[int, str]) -> str:
    return "".join(f'[[play]]\nseat = {seat}\nmove = "{move}"\n' for seat, move in moves)


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny game in place of the installed ones."""
    monkeypatch.setattr("referee.engine.scenario.stage.game", lambda name: GUESSING)


def test_a_whole_scenario() -> None:
    # The second deal scores 2 to seat 0 and 1 to seat 1; the first 3 and 1.
    verdict = judge(WHOLE)
    assert (verdict.wrong, verdict.differences) == ("", [])
    assert verdict.word == "ok"
    assert verdict.shows == "Two rounds: the starter goes on, then the match is over."
    assert verdict.log[:5] == ["round 1", "seat 0 gets 3", "seat 1 gets 1", "seat 2 gets 2", "dice 1 2"]


def test_a_file_needs_only_game_and_seats() -> None:
    assert judge(HEAD).word == "ok"
    assert judge(HEAD).shows == ""
    assert judge("\ufeff# A mark of some editors.\r\n" + HEAD).shows == "A mark of some editors."


@pytest.mark.parametrize("text", [HEAD + "seed = 7\n", HEAD + "[chance]\nseed = 7\n"])
def test_a_seed_deals_what_a_match_of_that_seed_deals(text: str) -> None:
    seed = deal_seed(seed_from_number(7), 0)
    state = GUESSING.start(GuessingOptions(), 2, Chance(seed))
    log = judge(text).log
    assert log == judge(text).log != judge(HEAD).log
    assert log[1:3] == [f"seat {seat} gets {card}" for seat, card in enumerate(state.cards)]
    assert judge(HEAD).log == judge(HEAD + "seed = 0\n").log


def test_sealed_answers_are_open_until_the_last_has_come() -> None:
    verdict = judge(
        DEALT
        + plays((1, "low"))
        + '[expect]\nto_act = [0]\nscores = [0, 0]\nlegal = { 0 = ["high", "low"] }\nillegal = { 1 = ["low"] }\n'
    )
    assert (verdict.wrong, verdict.differences) == ("", [])


@pytest.mark.parametrize(
    ("expect", "difference"),
    [
        ("over = true", "over: expected true, found false"),
        ("scores = [3, 3]", "scores: expected [3, 3], found [3, 0]: seat 1 has 0, not 3"),
        ("ranks = [1, 1]", "ranks: expected [1, 1], found [1, 2]: seat 1 has 2, not 1"),
        ("to_act = [0, 1]", "to_act: expected [0, 1], found [1]"),
        ('legal = { 1 = ["again", "low"] }', 'legal: seat 1 is not offered "low"; it may "again", "stop"'),
        ('legal = { 0 = ["low"] }', 'legal: seat 0 is not offered "low"; it may nothing (it is not asked)'),
        ('illegal = { 1 = ["stop"] }', 'illegal: seat 1 is offered "stop"; it may "again", "stop"'),
        ("view = { 0 = { card = 2 } }", "view: seat 0 sees card = 3, expected 2"),
        ("view = { 0 = { points = [3] } }", "view: seat 0 sees points = [3, 0], expected [3]"),
        (
            "view = { 0 = { table = { dice = 3 } } }",
            'view: seat 0 sees table = {"pile": 4, "dice": 2}, expected {"dice": 3}',
        ),
        (
            "view = { 0 = { table = { cups = 3 } } }",
            'view: seat 0 sees table = {"pile": 4, "dice": 2}, expected {"cups": 3}',
        ),
        ('view = { 0 = { last = "none" } }', 'view: seat 0 sees last = "low", expected "none"'),
        ('events = ["round 2"]', 'events: "round 2" is not in the log; nearest: "round 1"'),
        ('events = ["zzzzzzzz"]', 'events: "zzzzzzzz" is not in the log'),
        (
            'events = ["dice 1 2", "seat 0 gets 3"]',
            'events: "seat 0 gets 3" is line 2 of the log, expected after line 4',
        ),
        (
            'events = ["dice 1 2", "dice 1 2"]',
            'events: "dice 1 2" is line 4 of the log, expected after line 4',
        ),
    ],
)
def test_differences(expect: str, difference: str) -> None:
    verdict = judge(DEALT + plays((0, "low"), (1, "high")) + "[expect]\n" + expect)
    assert verdict.wrong == ""
    assert verdict.differences == [difference]
    assert verdict.word == "failed"


def test_an_empty_field_is_expected_as_none() -> None:
    assert judge(DEALT + '[expect]\nview = { 0 = { last = "none" } }').word == "ok"
    verdict = judge(DEALT + '[expect]\nview = { 0 = { last = "low" } }')
    assert verdict.differences == ['view: seat 0 sees last = none, expected "low"']


def test_every_difference_is_told() -> None:
    verdict = judge(DEALT + "[expect]\nover = true\nscores = [1, 0]\nto_act = []\n")
    assert [line.split(":")[0] for line in verdict.differences] == ["over", "scores", "to_act"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("seats = 2", "game is missing: it must be a text in quotes"),
        ('game = "guessing"', "seats is missing: it must be a whole number, 1 or more"),
        ("game = 3\nseats = 2", "game must be a text in quotes, not 3"),
        ('game = "guessing"\nseats = "2"', 'seats must be a whole number, 1 or more, not "2"'),
        ('game = "guessing"\nseats = true', "seats must be a whole number, 1 or more, not true"),
        ('game = "guessing"\nseats = 0', "seats must be 1 or more, not 0"),
        ('game = "guessing"\nseats = 5', "guessing is played by 2 to 4 seats, not 5"),
        ('game = "guessing"\nseats = 3\n[options]\ndouble = true', "three seats do not play double"),
        (
            HEAD + "[chanse]",
            'unknown key "chanse"; did you mean "chance"? (known: game, seats, seed, options, chance, play, expect)',
        ),
        (
            HEAD + "[options]\nround = 2",
            'there is no option "round"; did you mean "rounds"? (options: rounds, double)',
        ),
        (HEAD + "[options]\nrounds = 0", "rounds is from 1 to 9, not 0"),
        (HEAD + "options = 3", "options must be a table: a line [options] with its keys below it, not 3"),
        (
            HEAD + "[chance]\ndecks = []",
            'unknown key "chance.decks"; did you mean "deck"? (known: seed, first, deck, dice, cut)',
        ),
        (HEAD + "[chance]\ndeck = 3", "chance.deck must be a list, not 3"),
        (HEAD + "[chance]\ndeck = [3, 1.5]", "chance.deck[2] must be a whole number or a text in quotes, not 1.5"),
        (HEAD + "[chance]\ndice = [3]", "chance.dice[1] must be a list, not 3"),
        (HEAD + '[chance]\nfirst = "0"', 'chance.first must be a whole number, not "0"'),
        (HEAD + "seed = 1\n[chance]\nseed = 1", "seed stands both at the top and in [chance]; one of them is enough"),
        (HEAD + "[chance]\nfirst = 2", "first = 2 is out of range: it must be from 0 to 1"),
        (HEAD + "[chance]\ncut = 3", "chance.cut is given, but guessing has not asked for it by the last play"),
        (HEAD + "[chance]\ndeck = [3, 9]", "the script deals 9, but the pack has no such card"),
        (HEAD + "[chance]\ndice = [[1, 2, 3]]", "the script rolls 3 dice (1, 2, 3) where the rules roll 2"),
        (HEAD + "[chance]\ndice = [[1, 7]]", "no die shows 7: the faces are 1, 2, 3, 4, 5, 6"),
        (HEAD + "[play]\nseat = 1", 'play must be a list of tables, each below a line [[play]], not {"seat": 1}'),
        (HEAD + '[[play]]\nmove = "low"', "play[1].seat is missing: it must be a whole number"),
        (HEAD + "[[play]]\nseat = 1", "play[1].move is missing: it must be a text in quotes"),
        (HEAD + "[[play]]\nseat = 1\nmove = 3", "play[1].move must be a text in quotes, not 3"),
        (
            HEAD + '[[play]]\nseet = 1\nmove = "low"',
            'unknown key "play[1].seet"; did you mean "seat"? (known: seat, move, say)',
        ),
        (HEAD + plays((0, "low"), (2, "low")), "play[2].seat names seat 2, but the seats are 0 to 1"),
        (HEAD + plays((-1, "low")), "play[1].seat names seat -1, but the seats are 0 to 1"),
        (HEAD + plays((0, "low"), (0, "low")), "play 2 is seat 0's, but it has answered: seat 1 is asked"),
        (DEALT + plays((0, "low"), (1, "low"), (0, "stop")), "play 3 is seat 0's, but seat 1 is asked"),
        (
            'game = "guessing"\nseats = 3\n[chance]\nfirst=0\n' + plays((0, "low"), (0, "low")),
            "play 2 is seat 0's, but it has answered: seats 1 and 2 are asked",
        ),
        (HEAD + plays((0, "lwo")), 'unknown move "lwo" at play 1: seat 0 may "low", "high"; did you mean "low"?'),
        (HEAD + plays((0, "lo")), 'unknown move "lo" at play 1: seat 0 may "low", "high"; did you mean "low"?'),
        (HEAD + plays((0, "zz")), 'unknown move "zz" at play 1: seat 0 may "low", "high"'),
        (HEAD + plays((0, "")), 'unknown move "" at play 1: seat 0 may "low", "high"'),
        (HEAD + plays((0, "stop")), '"stop" is not legal at play 1: seat 0 may "low", "high"'),
        (
            DEALT + plays((0, "low"), (1, "low"), (1, "stop"), (1, "stop")),
            "play 4 is seat 1's, but the match is over after 3 plays",
        ),
        (
            HEAD + "[expect]\nscore = []",
            'unknown key "expect.score"; did you mean "scores"? '
            "(known: over, scores, ranks, to_act, legal, illegal, view, events)",
        ),
        (HEAD + "[expect]\nscores = [1]", "expect.scores has 1 number for 2 seats"),
        (HEAD + "[expect]\nscores = [1, 2, 3]", "expect.scores has 3 numbers for 2 seats"),
        (HEAD + '[expect]\nranks = [1, "2"]', 'expect.ranks[2] must be a whole number, not "2"'),
        (HEAD + "[expect]\nover = 1", "expect.over must be true or false, not 1"),
        (HEAD + "[expect]\nto_act = [2]", "expect.to_act names seat 2, but the seats are 0 to 1"),
        (HEAD + "[expect]\nto_act = 0", "expect.to_act must be a list, not 0"),
        (HEAD + '[expect]\nlegal = { x = ["low"] }', "expect.legal names seat x, but the seats are 0 to 1"),
        (
            HEAD + '[expect]\nlegal = { 0 = "low" }',
            'expect.legal.0 must be a list of texts, like ["one", "two"], not "low"',
        ),
        (
            HEAD + "[expect]\nview = { 0 = 3 }",
            "expect.view.0 must be a table: a line [expect.view.0] with its keys below it, not 3",
        ),
        (HEAD + "[expect]\nevents = [3]", "expect.events[1] must be a text in quotes, not 3"),
        (
            HEAD + "[expect]\nview = { 0 = { cart = 3 } }",
            'the view of guessing has no field "cart"; did you mean "card"? '
            "(fields: seat, round, card, last, points, table)",
        ),
    ],
)
def test_wrong_files(text: str, sentence: str) -> None:
    verdict = judge(text)
    assert verdict.word == "wrong"
    assert verdict.wrong == sentence


@pytest.mark.parametrize(("text", "line"), [("game = \n", 1), (HEAD + "seats = 3\n", 3), (HEAD + "[expect\n", 3)])
def test_invalid_toml_names_the_line(text: str, line: int) -> None:
    wrong = judge(text).wrong
    assert wrong.startswith("not valid TOML: ")
    assert f"(at line {line}," in wrong


def test_toml_beyond_measure() -> None:
    assert judge("a = " + "[" * 20000).wrong.startswith("not valid TOML: ")
    assert judge("seats = " + "9" * 5000).wrong.startswith("not valid TOML: ")


def test_the_log_of_a_wrong_file_ends_where_it_went_wrong() -> None:
    verdict = judge(DEALT + plays((0, "low"), (1, "low"), (1, "low")))
    assert verdict.wrong.startswith('"low" is not legal at play 3')
    assert verdict.log[-1] == "seat 1 scores 1"


def test_a_deck_may_be_longer_than_the_match() -> None:
    assert judge(HEAD + "[chance]\ndeck = [3, 3, 1, 1, 2, 2, 3]").word == "ok"


def test_a_card_that_is_gone_when_it_has_to_be_dealt() -> None:
    text = HEAD + "[options]\nrounds = 2\n[chance]\nfirst = 0\ndeck = [3, 3, 3, 1]\n"
    assert judge(text).word == "ok"
    verdict = judge(text + plays((0, "low"), (1, "low"), (0, "again")))
    assert verdict.wrong == (
        "the deck's next card, 3, was not in the pack when it had to be dealt (after 3, 3 of this shuffle): "
        "every copy of it is in a hand or on the table"
    )


def test_a_card_that_is_gone_is_told_before_the_plays_that_go_wrong_by_it() -> None:
    text = HEAD + "[options]\nrounds = 2\n[chance]\nfirst = 0\ndeck = [3, 3, 3, 1]\n"
    verdict = judge(text + plays((0, "low"), (1, "low"), (0, "again"), (1, "again")))
    assert verdict.wrong.startswith("the deck's next card, 3, was not in the pack")


def test_parsed_values() -> None:
    scenario = parse(WHOLE)
    assert scenario.script.deck == (3, 1, 2, 2, 1, 3)
    assert scenario.script.dice == ((1, 2), (6, 6))
    assert scenario.script.picks == {"first": 1}
    assert [play.seat for play in scenario.plays] == [2, 0, 1, 1, 0, 1, 2]
    assert scenario.expect.view[1]["card"] == 1
