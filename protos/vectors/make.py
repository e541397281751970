"""Writes vectors.json: messages as proto-JSON and as bytes, with what a bot must do. Run by `make vectors`."""

import base64
import json
import sys
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from referee.v1.cambio_pb2 import CambioView
from referee.v1.perudo_pb2 import PerudoView
from referee.v1.play_pb2 import PlayRequest, PlayResponse, Refusal

FILE = Path(__file__).with_name("vectors.json")

SEED = bytes(range(32))
UNKNOWN_FIELD = bytes([0xFA, 0x7F, 3]) + b"new"
"""Field 2047 with three bytes, as a later version of the protocol may send one."""


def vectors() -> list[dict[str, Any]]:
    """Return all vectors in their order."""
    return [*_sent_by_bots(), *_sent_by_the_referee(), *_views()]


def _sent_by_bots() -> list[dict[str, Any]]:
    hello = PlayRequest()
    hello.hello.protocols.append(1)
    hello.hello.token = "0123456789abcdef0123456789abcdef"
    full = PlayRequest()
    full.hello.MergeFrom(hello.hello)
    full.hello.protocols.append(7)
    full.hello.name = "Zürich, 東京 🎲"
    full.hello.version = "1.2.3"
    full.hello.games.extend(["cambio", "perudo"])
    full.hello.matches_at_once = 1
    full.hello.wants_events = full.hello.wants_schema = full.hello.whole_batches = full.hello.wants_ready = True
    answers = PlayRequest()
    first = answers.answers.answers.add(question=1)
    first.index = 0  # the first move: present, though it is 0
    answers.answers.answers.add(question=300, index=129, note="sure to 87 %")
    answers.answers.answers.add(question=2**63 + 7, text="bid 2xskull", say="you bluff, don't you?")
    answers.answers.answers.add(question=4)
    nothing = PlayRequest()
    nothing.answers.SetInParent()
    return [
        _vector("hello", hello, "The first message of every bot."),
        _vector("hello, all fields", full, "A bot may say more of itself."),
        _vector(
            "answers",
            answers,
            "By index (0 must be on the wire), with a note, by text with table talk; the last names no move, which "
            "is ruled illegal.",
        ),
        _vector("no answers", nothing, "Allowed, and of no use."),
    ]


def _sent_by_the_referee() -> list[dict[str, Any]]:
    welcome = PlayResponse()
    welcome.welcome.protocol = 1
    welcome.welcome.matches_at_once = 256
    told = []
    for reason, sentence in (
        (Refusal.REASON_PROTOCOL, "the bot speaks protocol 9, and this referee speaks 1"),
        (Refusal.REASON_TOKEN, "the token is unknown or was used before"),
        (Refusal.REASON_GAME, "the bot plays perudo, and this is cambio"),
        (Refusal.REASON_HELLO, "the first message is a hello"),
    ):
        refusal = PlayResponse()
        refusal.refusal.reason = reason
        refusal.refusal.sentence = sentence
        refusal.refusal.protocols.append(1)
        name = Refusal.Reason.Name(reason).removeprefix("REASON_").lower()
        told.append(_vector(f"refusal, {name}", refusal, "Print the sentence to stderr and exit with 1."))
    starts = PlayResponse()
    for match, seat in ((1, 0), (2, 2)):
        start = starts.turns.starts.add(match=match, game="cambio", seats=3, seat=seat, behaviour=1)
        start.options["chips"] = "5"
        start.view_type = "referee.v1.CambioView"
        start.bot_seed = SEED
        start.move_time_ms, start.bank_ms = 1000, 10_000
    full = PlayResponse()
    start = full.turns.starts.add(match=3, game="perudo", seats=2, seat=1, behaviour=2, names=["owl", "Zürich"])
    start.options["palifico"] = "false"
    start.view_type = "referee.v1.PerudoView"
    start.bot_seed = SEED
    start.move_time_ms, start.bank_ms, start.fischer = 100, 60_000, True
    start.ready_question, start.ready_time_ms = 2**63 + 9, 10_000
    file = start.schema.file.add(name="referee/v1/perudo.proto", package="referee.v1", syntax="proto3")
    file.message_type.add(name="PerudoView")
    both = PlayResponse()
    both.CopyFrom(starts)
    both.turns.questions.add(
        id=1, match=1, view=_cambio().SerializeToString(), legal=["keep", "exchange"], bank_ms=10_000
    )
    both.turns.questions.add(
        id=2, match=2, legal=["keep", "exchange", "cuckoo"], bank_ms=9_500, charged_us=4_294_967_295
    )
    again = PlayResponse()
    again.turns.questions.add(
        id=2**64 - 1, match=2, legal=["pass", "cuckoo"], again=True, events=["set 1 begins", "seat 2 is dealt 15"]
    )
    end = PlayResponse()
    end.turns.ends.add(match=1, scores=[-5, 0, 2_147_483_647], ranks=[3, 2, 1], events=["seat 2 takes the box of 9"])
    end.turns.ends.add(match=2)
    empty = PlayResponse()
    empty.turns.SetInParent()
    return [
        _vector("welcome", welcome, "Go on: turns follow."),
        *told,
        _vector("matches start", starts, "Remember both matches by their numbers; there is nothing to answer."),
        _vector(
            "a match starts, all fields",
            full,
            "Get ready for the match, then answer the ready question, which has no view, with the index 0.",
        ),
        _vector("matches start and ask", both, "Answer questions 1 and 2, in any order; the starts come first."),
        _vector(
            "asked again",
            again,
            "Answer with the number as it is, all 64 bits of it: a question that a process before this one left open.",
        ),
        _vector("matches end", end, "Forget both matches. The second did not end by its rules: it has no scores."),
        _vector("nothing in particular", empty, "Nothing is to be done."),
        _vector("welcome with a field to come", welcome, "Pass over fields that are not known.", UNKNOWN_FIELD),
        _vector("a message to come", PlayResponse(), "Pass over a message of which nothing is known.", UNKNOWN_FIELD),
    ]


def _cambio() -> CambioView:
    view = CambioView(set=1, round=2, dealer=0, cuckoos=2, box=3, chips=[4, 4, 4], order=[1, 2, 0])
    view.card = -4
    view.known.extend([-4, 99, 99])
    return view


def _views() -> list[dict[str, Any]]:
    perudo = PerudoView(round=1, counts=[5, 5, 5], dice=[1, 2, 4, 4, 5], bidders=[1], quantities=[3], faces=[4])
    perudo.quantity, perudo.face, perudo.bidder = 3, 4, 1
    return [
        _vector("a view of cambio", _cambio(), "Negative cards are zigzag numbers; an absent card is not 0."),
        _vector("a view of perudo", perudo, "Lists of numbers are packed."),
        _vector("an empty view", PerudoView(), "All fields have their defaults."),
    ]


def _vector(name: str, message: Message, must: str, more: bytes = b"") -> dict[str, Any]:
    """Return a vector.

    more: bytes of unknown fields, which the JSON does not show.
    """
    return {
        "name": name,
        "message": message.DESCRIPTOR.full_name,
        "must": must,
        "json": MessageToDict(message),
        "bytes": base64.b64encode(message.SerializeToString(deterministic=True) + more).decode(),
    }


def text() -> str:
    """Return the file's content."""
    return json.dumps({"vectors": vectors()}, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
    sys.stdout.write(f"{FILE.name}: {len(vectors())} vectors\n")
