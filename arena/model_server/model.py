"""Answers the requests of one bot about its matches: protos/referee/v1/model.proto says what each asks for."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from time import perf_counter
from typing import Any

from arena.model_server.failure import LIMIT, MATCH, MOVE, NO_WORLD, POLICY, REQUEST, Failure
from arena.model_server.matches import ToldMatch
from arena.model_server.policies import BASE, make_policies
from arena.model_server.worlds import KeptWorlds
from arena.positions import NoWorld, Position, World
from arena.sdk.errors import NoPositions
from arena.search import Allowance, Evaluation, Horizon, Observers, PolicyError, belief_in, evaluate, search
from arena.search.policies import LEARNT, RANDOM, Policies, of_seats
from referee.v1 import model_pb2 as pb
from referee.v1.play_pb2 import Answers, MatchEnd, Question, Turns

MOST_PLAYOUTS = 100_000
"""How many playouts one request may ask for."""

MOST_STEPS = 100_000
"""How many steps one request may ask for."""

MOST_NODES = 200_000
"""How many nodes of a tree one request may ask for. One takes about 1.5 KB."""

USUAL_NODES = 50_000
"""How many nodes a tree may have unless a request says so: 75 MB, beside a memory limit of 256 MB for all of a bot."""

KINDS = ("", "set", "deal", "round")
"""Where playouts may end."""


class Model:
    """What a bot was told, and the worlds that it holds.

    clock: seconds of a clock that never goes back.
    """

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._clock_began = clock()
        """When the clock of the open questions began to run: as they came, or with the last answer."""
        self._matches: dict[int, ToldMatch] = {}
        self._open: dict[int, ToldMatch] = {}
        """The matches by the number of their open question."""
        self._worlds = KeptWorlds()
        self._replies: dict[str, Callable[[Any], pb.ModelResponse]] = {
            "lines": self._lines,
            "worlds": self._find_worlds,
            "steps": self._steps,
            "copy": self._copy,
            "drop": self._drop,
            "view": self._view,
            "playouts": self._playouts,
            "evaluate": self._evaluate,
            "search": self._search,
        }

    def tell(self, turns: Turns) -> None:
        """Take what the referee said."""
        self._clock_began = self._clock()
        for start in turns.starts:
            self._worlds.drop_match(start.match)
            self._matches[start.match] = ToldMatch(start)
        for question in turns.questions:
            self._worlds.drop_match(question.match)
            if (match := self._matches.get(question.match)) is not None:
                match.ask(question)
                self._open[question.id] = match
        for end in turns.ends:
            self._worlds.drop_match(end.match)
            match = self._matches.pop(end.match, None)
            if match is not None and match.question is not None:
                self._open.pop(match.question.id, None)

    def take_answers(self, answers: Answers) -> None:
        """Take what the bot answered."""
        self._clock_began = self._clock()
        for answer in answers.answers:
            if (match := self._open.pop(answer.question, None)) is not None:
                match.answer(answer)

    def reply(self, request: pb.ModelRequest) -> pb.ModelResponse | None:
        """Return the response to a request; None to what has none."""
        kind = request.WhichOneof("message")
        if kind == "turns":
            self.tell(request.turns)
            return None
        if kind == "answers":
            self.take_answers(request.answers)
            return None
        try:
            if kind is None:
                raise Failure(REQUEST, "a request has no content that is known here: set exactly one field of it")
            return self._replies[kind](getattr(request, kind))
        except Failure as failure:
            return _error(failure.reason, str(failure))
        except NoPositions as none:
            return _error(MATCH, str(none))
        except NoWorld as none:
            return _error(NO_WORLD, str(none))
        except PolicyError as failed:
            return _error(POLICY, str(failed))

    # Requests

    def _lines(self, turns: Turns) -> pb.ModelResponse:
        matches = dict(self._matches)
        self.tell(turns)
        matches |= self._matches
        told = Turns()
        told.CopyFrom(turns)
        parts: list[Question | MatchEnd] = [*told.questions, *told.ends]
        for part in parts:
            with suppress(NoPositions, KeyError):  # without the rules there are no lines: the values stay
                lines = matches[part.match].lines(part.events)
                del part.events[:]
                part.events.extend(lines)
        return pb.ModelResponse(lines=told)

    def _find_worlds(self, request: pb.WorldsRequest) -> pb.ModelResponse:
        position = self._position(request.match)
        if not request.count:
            raise Failure(REQUEST, "no world is asked for: let count be 1 or more")
        self._worlds.check_room(request.count)
        return self._keep((request.match, world) for world in position.worlds(request.count))

    def _steps(self, request: pb.StepsRequest) -> pb.ModelResponse:
        if len(request.steps) > MOST_STEPS:
            raise Failure(LIMIT, f"{len(request.steps):,} steps are asked for, at most {MOST_STEPS:,} in one request")
        self._worlds.check_room(sum(step.copy for step in request.steps))
        played: dict[int, World] = {}  # so that nothing has changed where a later step fails
        results: list[tuple[int, int, World]] = []
        for step in request.steps:
            match, world = self._worlds.find(step.world)
            world = (
                played.get(step.world, world).copy() if step.copy or step.world not in played else played[step.world]
            )
            try:
                world.play(*step.moves)
            except ValueError as error:
                raise Failure(MOVE, f"world {step.world}: {error}") from None
            if not step.copy:
                played[step.world] = world
            results.append((0 if step.copy else step.world, match, world if step.copy else world.copy()))
        for number, world in played.items():
            self._worlds.replace(number, world)
        told = [_world(number or self._worlds.add(match, world), world) for number, match, world in results]
        return pb.ModelResponse(worlds=pb.Worlds(worlds=told))

    def _copy(self, request: pb.CopyRequest) -> pb.ModelResponse:
        self._worlds.check_room(len(request.worlds))
        found = [self._worlds.find(number) for number in request.worlds]
        return self._keep((match, world.copy()) for match, world in found)

    def _drop(self, request: pb.DropRequest) -> pb.ModelResponse:
        self._worlds.drop(request.worlds)
        return pb.ModelResponse(dropped=pb.Dropped(kept=len(self._worlds)))

    def _view(self, request: pb.ViewRequest) -> pb.ModelResponse:
        number, world = self._worlds.find(request.world)
        seat = request.seat if request.HasField("seat") else None
        if seat is not None and seat >= world.seats:
            raise Failure(REQUEST, f"there is no seat {seat}: the seats are 0 to {world.seats - 1}")
        if seat is None:
            seat = world.asked[0] if world.asked else world.seat
        view = self._matches[number].encode(world.view(seat))
        return pb.ModelResponse(view=pb.WorldView(view=view, lines=world.lines(seat), match=number))

    def _playouts(self, request: pb.PlayoutsRequest) -> pb.ModelResponse:
        count = request.count or 1
        if count * len(request.worlds) > MOST_PLAYOUTS:
            raise Failure(
                LIMIT,
                f"{count * len(request.worlds):,} playouts are asked for, at most {MOST_PLAYOUTS:,} in one request",
            )
        _check_kind(request.until)
        found = [self._worlds.find(number) for number in request.worlds]
        if request.policy == LEARNT:
            raise Failure(POLICY, f'"{LEARNT}" is what an evaluation learns in its playouts: name another policy here')
        matches = {number: self._matches[number] for number, _ in found}
        chosen = {
            number: of_seats(self._policies(match, request.policy or RANDOM), match.match.seats)
            for number, match in matches.items()
        }
        playouts = pb.Playouts()
        for number, world in found:
            rng = matches[number].rng
            for _ in range(count):
                played = world.copy()
                playouts.decisions += played.playout(
                    rng, chosen[number], until=request.until, most=request.most or None
                )
                outcome = played.state.outcome()
                playouts.playouts.add(scores=outcome.scores, ranks=outcome.ranks)
        return pb.ModelResponse(playouts=playouts)

    def _evaluate(self, request: pb.EvaluateRequest) -> pb.ModelResponse:
        return self._weighed(request, evaluate)

    def _search(self, request: pb.SearchRequest) -> pb.ModelResponse:
        names = [observers.value for observers in Observers]
        if request.observers and request.observers not in names:
            raise Failure(REQUEST, f'observers "{request.observers:.40}" are not known: they are "every" or "own"')
        if request.most_nodes > MOST_NODES:
            raise Failure(LIMIT, f"{request.most_nodes:,} nodes are asked for, a tree may have {MOST_NODES:,} at most")
        nodes = request.most_nodes or USUAL_NODES
        return self._weighed(request, search, observers=request.observers or Observers.EVERY, most_nodes=nodes)

    def _weighed(
        self, request: pb.EvaluateRequest | pb.SearchRequest, weigh: Callable[..., Evaluation], **how: Any
    ) -> pb.ModelResponse:
        """Weigh the moves of a question, within the limits of a request."""
        match = self._match(request.match)
        position = match.position
        policy = request.policy or BASE
        policies = self._policies(match, policy)
        allowed: Allowance | None = None
        if request.time_ms:
            allowed = Allowance(request.time_ms / 1000, request.time_ms / 1000)
        elif not request.worlds:
            allowed = match.allowance(self._clock() - self._clock_began)
        horizon: Horizon | None = None
        if len(position.legal) > 1:
            began, of_all = self._clock(), allowed

            def has_used(share: float) -> bool:
                return of_all is not None and self._clock() - began >= share * of_all.seconds

            horizon = match.horizon(policy, of_seats(policies, match.match.seats), has_used)
            allowed = allowed and allowed.less(self._clock() - began)
        found = weigh(
            position,
            worlds=request.worlds or None,
            seconds=allowed,
            policies=policies,
            belief=belief_in(policies),
            horizon=horizon,
            rng=match.rng,
            **how,
        )
        moves = [
            pb.MoveValue(move=value.move, mean=value.mean, error=value.error, playouts=value.playouts)
            for value in found.moves
        ]
        return pb.ModelResponse(
            evaluation=pb.Evaluation(
                moves=moves,
                best=found.best,
                worlds=found.worlds,
                playouts=found.playouts,
                reason=found.reason,
                note=found.note(),
            )
        )

    # Parts of them

    def _match(self, number: int) -> ToldMatch:
        try:
            return self._matches[number]
        except KeyError:
            raise Failure(
                MATCH,
                f"match {number} is not under way: it has ended, or its start was not passed on to the model server",
            ) from None

    def _position(self, number: int) -> Position:
        return self._match(number).position

    @staticmethod
    def _policies(match: ToldMatch, name: str) -> Policies:
        return make_policies(name, match.game, match.match, match.rng)

    def _keep(self, worlds: Iterable[tuple[int, World]]) -> pb.ModelResponse:
        told = [_world(self._worlds.add(match, world), world) for match, world in worlds]
        return pb.ModelResponse(worlds=pb.Worlds(worlds=told))


def _world(number: int, world: World) -> pb.World:
    """Return a world as it is told."""
    outcome = world.state.outcome()
    asked = [pb.LegalMoves(seat=seat, legal=world.legal(seat)) for seat in world.asked]
    return pb.World(world=number, weight=world.weight, asked=asked, scores=outcome.scores, ranks=outcome.ranks)


def _check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise Failure(REQUEST, f'playouts cannot end at "{kind:.40}": until is "set", "deal", "round" or empty')


def _error(reason: pb.ModelError.Reason.ValueType, sentence: str) -> pb.ModelResponse:
    return pb.ModelResponse(error=pb.ModelError(reason=reason, sentence=sentence))
