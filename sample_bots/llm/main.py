"""llm: asks a language model for its moves, at any chat endpoint that speaks as OpenAI's does.

Every question gets a legal answer in time. Where the model gives none, or its budget is used up, the fallback plays,
and the note of the answer says why.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trio
from endpoint import Endpoint, EndpointError, Reply, has_network
from fallback import Fallback, read_fallback
from prompt import LOG_LINES, THOUGHT_CHARACTERS, conversation, read_reply, read_rules, schema
from settings import Settings, SettingsError, read_settings

from arena.sdk import Bot, Match, Question

BACKOFF_SECONDS = 0.5
"""Before the second attempt; twice as long before each further one."""

LEAST_SECONDS = 0.05
"""With less time left than this no request is begun."""

ILLEGAL = {"role": "user", "content": "That was not one of the legal moves. Copy one of them."}


class GaveUp(Exception):
    """The model gives no move for this question; the sentence says why."""


@dataclass(slots=True)
class _MatchState:
    log: list[str] = field(default_factory=list)
    requests: int = 0
    tokens: int = 0


class Llm(Bot[Any]):
    """A player that thinks elsewhere."""

    name = "llm"
    wants_events = True
    wants_schema = True

    def __init__(self, settings: Settings, endpoint: Endpoint, fallback: Fallback) -> None:
        self._settings = settings
        self._endpoint = endpoint
        self._fallback = fallback
        self._matches: dict[int, _MatchState] = {}
        self._closed_until = 0.0
        self._given_up = "" if has_network() else "this bot has no network: only the organiser can grant it"

    def match_started(self, match: Match) -> None:
        self._fallback.match_started(match)

    def match_ended(self, match: Match, scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self._matches.pop(match.number, None)

    async def choose(self, question: Question[Any]) -> str:
        state = self._matches.setdefault(question.match.number, _MatchState())
        state.log = [*state.log, *question.events][-LOG_LINES:]
        if len(question.legal) == 1 and not question.match.text_move:
            return question.legal[0]
        try:
            move, thought = await self._ask(question, state)
        except GaveUp as reason:
            question.note(self._endpoint.without_key(f"{self._fallback.name} plays, not the model: {reason}"))
            return self._fallback.choose(question)
        question.note(self._endpoint.without_key(thought[:THOUGHT_CHARACTERS]) or "the model gave no reason")
        return self._endpoint.without_key(move) if question.match.text_move else move

    async def _ask(self, question: Question[Any], state: _MatchState) -> tuple[str, str]:
        """Return the move and the thought of the model. Raises GaveUp."""
        own = self._settings.folder / self._settings.rules if self._settings.rules else None
        messages = conversation(question, state.log, read_rules(question.match.game, own))
        deadline = trio.current_time() + self._seconds(question)
        problem, pause = "", 0.0
        for attempt in range(self._settings.attempts):
            await self._wait(max(pause, self._closed_until - trio.current_time()), deadline, problem)
            try:
                reply = await self._request(messages, question, state, deadline - trio.current_time())
            except EndpointError as error:
                problem, pause = str(error), self._pause(error, attempt)
                continue
            move, thought = read_reply(reply.text, question)
            if move is not None:
                return move, thought
            problem, pause = "its reply names no legal move", 0.0
            messages = [*messages, ILLEGAL]
        raise GaveUp(problem or "no attempt is allowed")

    async def _request(
        self, messages: list[dict[str, str]], question: Question[Any], state: _MatchState, seconds: float
    ) -> Reply:
        """Make one request within the budget. Raises GaveUp where there is none left, and EndpointError."""
        asked = sum(len(message["content"]) for message in messages) // 4
        left = self._settings.tokens - state.tokens - asked
        if state.requests >= self._settings.requests or left <= 0:
            raise GaveUp("the budget of the match is used up")
        state.requests += 1
        most = min(self._settings.reply_tokens, left)
        try:
            reply = await self._endpoint.ask(messages, schema(question), most, seconds)
        except EndpointError as error:
            if not error.is_refusal:  # what arrived too late or was no use is paid for all the same
                state.tokens += asked + most
            raise
        state.tokens += reply.tokens
        return reply

    def _seconds(self, question: Question[Any]) -> float:
        """Return how long a question may take."""
        settings, move_time = self._settings, question.match.move_time_ms / 1000
        if not move_time:
            return settings.seconds
        allowed = settings.clock_share * move_time + settings.bank_share * question.bank_ms / 1000
        return min(settings.seconds, allowed)

    async def _wait(self, seconds: float, deadline: float, problem: str) -> None:
        """Wait before an attempt. Raises GaveUp where no time would be left for it, or no attempt makes sense."""
        if self._given_up:
            raise GaveUp(self._given_up)
        if trio.current_time() + seconds + LEAST_SECONDS > deadline:
            raise GaveUp(f"the time is up{f' after {problem}' if problem else ''}")
        if seconds > 0:
            await trio.sleep(seconds)

    def _pause(self, error: EndpointError, attempt: int) -> float:
        """Return how long to wait before the attempt after one that failed."""
        if error.is_final:
            self._given_up = str(error)
        if error.wait is not None and error.may_pass:  # for all questions: the endpoint limits this client
            self._closed_until = max(self._closed_until, trio.current_time() + error.wait)
        if not error.may_pass:
            return 0.0
        return BACKOFF_SECONDS * 2**attempt if error.wait is None else error.wait


def main() -> None:
    """Play, by the settings in the file that the command line names."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("settings.toml")
    try:
        settings = read_settings(path)
        bot = Llm(settings, Endpoint(settings), read_fallback(settings.fallback, settings.folder))
    except SettingsError as error:
        sys.exit(f"llm: {error}")
    bot.run()


if __name__ == "__main__":
    main()
