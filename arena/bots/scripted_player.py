"""A player that sends the questions of a script and collects the bot's answers."""

from collections import deque
from collections.abc import Callable, Sequence

import trio
from google.protobuf.message import DecodeError

from arena.bots.report import StepFailed
from referee.match.faults import FaultKind
from referee.session.outbox import MessageStream
from referee.session.player import MIN_DELAY_SECONDS, BotPlayer
from referee.v1.play_pb2 import Answer, PlayRequest, PlayResponse, Turns
from referee.v1.work_pb2 import ProcessFailure

MOST_EXCUSED_SECONDS = 60.0
"""How much longer the answers to a message may take, where waiting for a core is not charged to the bot."""


class ScriptedPlayer(BotPlayer):
    """A player whose questions come from a conversation and not from matches.

    failure: why its process ended; empty while it has not.
    welcomed_at: when the bot was welcomed, on trio's clock, in seconds.
    """

    def __init__(self, flush: Callable[[], None], matches_at_once: int) -> None:
        """Create a player.

        flush: sends what was queued on streams.
        matches_at_once: the most matches that the bot takes at the same time.
        """
        super().__init__(
            move_time=0.0, max_failed_matches=0, matches_at_once=matches_at_once, on_pending=lambda _: None
        )
        self.failure = ""
        self.welcomed_at = 0.0
        self._flush_streams = flush
        self._answers: deque[Answer] = deque()
        self._answered: set[int] = set()
        self._wakening = trio.Event()

    # What a session tells its player

    def connect(self, stream: MessageStream, fail: Callable[[FaultKind, str], None]) -> None:
        self._stream = stream
        self._fail = fail
        self.welcomed_at = trio.current_time()

    def process_failed(self, kind: FaultKind, sentence: str, failure: ProcessFailure | None = None) -> None:
        self.disconnect()
        self.failure = self.failure or sentence
        self._wakening.set()

    def detach(self) -> None:
        """Note that an attached bot has left."""
        self.process_failed(FaultKind.CRASH, "it has left")

    def received(self, payload: bytes, stamp: float) -> None:
        try:
            request = PlayRequest.FromString(payload)
        except DecodeError:
            request = None
        if request is None or not request.HasField("answers"):
            what = "bytes that are not a protocol message" if request is None else "a message without answers"
            self._fail_protocol(f"it sent {what} after its hello")
            return
        self._answers.extend(request.answers.answers)
        self._wakening.set()

    async def watch_clock(self, flush: Callable[[], None]) -> None:
        """Do nothing: the script has time limits of its own."""

    # Called by the script

    def say(self, response: PlayResponse) -> None:
        """Send a message."""
        if self._stream is not None:
            self._stream.send(response.SerializeToString())
            self._flush_streams()

    def tell(self, turns: Turns) -> None:
        """Send turns."""
        self.say(PlayResponse(turns=turns))

    async def receive_answers(
        self, questions: Sequence[int], seconds: float, limit: str = "", *, excuses: bool = True
    ) -> dict[int, Answer]:
        """Wait for the answers to some questions, which have just been sent; return them by question number.

        limit: the time limit in words; empty: its seconds.
        excuses: what the bot waits for a core is not part of its time, up to `MOST_EXCUSED_SECONDS`.

        Raises StepFailed on a timeout, if the bot ends, or if it answers another question.
        """
        heard: dict[int, Answer] = {}
        left, most_excused = seconds, MOST_EXCUSED_SECONDS if excuses else 0.0
        if self.cpu is not None:
            self.cpu.resume()
        while True:
            with trio.move_on_after(left):
                await self._collect(questions, heard)
                return heard
            left = min(self.cpu.measure_delay()[0] if self.cpu is not None else 0.0, most_excused)
            most_excused -= left
            if left <= MIN_DELAY_SECONDS:
                missing = ", ".join(str(number) for number in questions if number not in heard)
                limit = limit or f"{seconds:g} s"
                raise StepFailed(f"no answer to question {missing} within {limit}", is_slow=True)

    async def _collect(self, questions: Sequence[int], heard: dict[int, Answer]) -> None:
        """Add the answers to some questions as they come, until there are all."""
        while len(heard) < len(questions):
            while not self._answers and not self.failure:
                self._wakening = trio.Event()
                await self._wakening.wait()
            if not self._answers:
                raise StepFailed(self.failure)
            answer = self._answers.popleft()
            if answer.question in self._answered:
                raise StepFailed(f"it answered question {answer.question} twice")
            if answer.question not in questions:
                raise StepFailed(f"it answered question {answer.question}, which is not open")
            heard[answer.question] = answer
            self._answered.add(answer.question)
