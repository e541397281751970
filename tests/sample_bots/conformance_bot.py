"""The bots of the conformance test in Python: one uses everything that the SDK offers, and one looks ahead.

See test_conformance.py.
"""

import sys
from time import perf_counter

from arena.sdk import Bot, Match, Question
from arena.search import evaluate, search
from referee.v1.cambio_pb2 import CambioView


class Conformance(Bot[CambioView]):
    name = "conformance"
    version = "1.2.3"
    games = ("cambio",)
    matches_at_once = 7
    wants_events = True
    wants_ready = True

    def match_started(self, match: Match) -> None:
        match.memory = 0
        print(f"started: match {match.number} of {match.game}, seat {match.seat} of {match.seats}", file=sys.stderr)

    def choose(self, question: Question[CambioView]) -> str:
        match, legal = question.match, question.legal
        match.memory += 1
        if legal[0] == "tell":
            options = joined([f"{name}={value}" for name, value in sorted(match.options.items())])
            question.note(
                f"match {match.number} of {match.game} {match.behaviour}, seat {match.seat} of {match.seats}, "
                f"options {options}, names {joined(match.names)}"
            )
            question.note(
                f"move time {match.move_time_ms}, bank {match.bank_ms}, fischer {str(match.fischer).lower()}, "
                f"ready time {match.ready_time_ms}"
            )
            question.note(
                f"card {question.view.card}, events {joined(question.events)}, bank {question.bank_ms}, "
                f"charged {question.charged_us}, again {str(question.again).lower()}, asked {match.memory}"
            )
            question.say("never heard")
            question.say(f"seat {match.seat} greets")
        elif legal[0] == "long":
            question.note("é" * 600)
        elif legal[0] == "draw":
            return question.rng.choice(legal[1:])
        elif legal[0] == "illegal":
            return "fly"
        elif legal[0] == "think":
            began = perf_counter()
            while perf_counter() < began + 0.04:
                pass
        elif legal[0] == "throw":
            raise RuntimeError("a mistake on purpose")
        return legal[-1]

    def match_ended(self, match: Match, scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        print(
            f"ended: match {match.number}, scores {joined(scores)}, ranks {joined(ranks)}, "
            f"events {joined(match.events)}, asked {match.memory}",
            file=sys.stderr,
        )


def joined(values: object) -> str:
    return ";".join(map(str, values))  # type: ignore[call-overload]


class Ahead(Conformance):
    wants_positions = True

    def choose(self, question: Question[CambioView]) -> str:
        position = question.position
        question.note(evaluate(position, worlds=20, rng=question.rng).note())
        question.note(search(position, worlds=20, rng=question.rng, observers="own", most_nodes=9).note())
        world = position.world()
        played = world.copy()
        played.play("keep")
        question.note(f"asked {joined(world.asked)}, lines {joined(played.lines(question.match.seat))}")
        return question.legal[-1]


if __name__ == "__main__":
    (Ahead if "ahead" in sys.argv else Conformance)().run()
