from arena.run.remote.renumbering import Renumbering
from referee.v1.play_pb2 import Answer, Answers, MatchEnd, MatchStart, Question, Turns


def asked(numbers: Renumbering[str], seat: str, match: int, *questions: int, start: bool = True) -> Turns:
    turns = Turns(questions=[Question(id=id, match=match) for id in questions])
    if start:
        turns.starts.add(match=match)
    numbers.renumber_turns(seat, turns)
    return turns


def said(numbers: Renumbering[str], *questions: int) -> dict[str, list[int]]:
    answers = Answers(answers=[Answer(question=number, index=1, note="n") for number in questions])
    messages = numbers.route_answers(answers)
    assert all(answer.note == "n" for message in messages.values() for answer in message.answers.answers)
    return {seat: [answer.question for answer in message.answers.answers] for seat, message in messages.items()}


def test_matches_and_questions_of_several_referees_are_counted_through() -> None:
    numbers: Renumbering[str] = Renumbering()
    first, second = asked(numbers, "a", 1, 1, 2), asked(numbers, "b", 1, 1)
    assert [start.match for start in (*first.starts, *second.starts)] == [1, 2]
    assert [(question.id, question.match) for question in (*first.questions, *second.questions)] == [
        (1, 1), (2, 1), (3, 2)
    ]  # fmt: skip
    assert said(numbers, 3, 2) == {"b": [1], "a": [2]}
    assert asked(numbers, "a", 1, 3, start=False).questions[0].match == 1
    assert said(numbers, 4, 1) == {"a": [3, 1]}


def test_questions_whether_a_bot_is_ready_are_counted_with_the_others() -> None:
    numbers: Renumbering[str] = Renumbering()
    asked(numbers, "a", 1, 7)
    turns = Turns(starts=[MatchStart(match=1, ready_question=1), MatchStart(match=2)])
    numbers.renumber_turns("b", turns)
    assert [(start.match, start.ready_question) for start in turns.starts] == [(2, 2), (3, 0)]
    assert numbers.open == 2
    assert said(numbers, 2) == {"b": [1]}
    turns = Turns(starts=[MatchStart(match=3, ready_question=5)])
    numbers.renumber_turns("b", turns)
    numbers.renumber_turns("b", Turns(ends=[MatchEnd(match=3)]))
    assert numbers.open == 1, "a match that is over needs nobody who is ready"


def test_an_answer_to_what_is_not_open_is_for_a_referee_to_count() -> None:
    numbers: Renumbering[str] = Renumbering()
    assert said(numbers, 1) == {}
    asked(numbers, "a", 1, 1)
    assert said(numbers, 1) == {"a": [1]}
    assert said(numbers, 1, 77) == {"a": [0, 0]}


def test_a_match_that_is_over_takes_its_questions_with_it() -> None:
    numbers: Renumbering[str] = Renumbering()
    asked(numbers, "a", 1, 1)
    asked(numbers, "a", 2, 2)
    turns = Turns(ends=[MatchEnd(match=1)])
    numbers.renumber_turns("a", turns)
    assert turns.ends[0].match == 1
    assert numbers.unanswered == 1
    assert said(numbers, 1, 2) == {"a": [0, 2]}
    assert numbers.unanswered == 0


def test_what_was_under_way_with_a_referee_that_is_gone_is_over() -> None:
    numbers: Renumbering[str] = Renumbering()
    asked(numbers, "a", 1, 1)
    asked(numbers, "b", 1, 1)
    assert [end.match for end in numbers.close_stream("a").ends] == [1]
    assert said(numbers, 1, 2) == {"b": [0, 1]}
    assert numbers.close_stream("a") == Turns()
    turns = Turns(starts=[MatchStart(match=9)])
    numbers.renumber_turns("c", turns)
    assert turns.starts[0].match == 3
