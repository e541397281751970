"""The key events of the games of tricks: tricks that weigh most, deals and their bosses, and last tricks."""

from collections.abc import Iterator, Sequence

from arena.language.message import Message, counted
from arena.replay.games.items import named_card
from arena.replay.log_lines import LogLine
from arena.replay.story import Cast, KeyEvent, Measure, event_of
from referee.games import coch, kille, torionfo, trick_count, tricks, zifuli

PLAYS = tricks.LOG.lines[tricks.PLAYED].text, torionfo.LOG.lines[torionfo.NAMES_TYPE].text
"""The lines by which a card is played; other games have other lines of the second one's number."""

Won = tuple[int, int, int, float]
"""A trick: the line that tells its winner, the winner, the card that won it, and what its cards count."""


def _tricks(lines: Sequence[LogLine], values: dict[int, float]) -> Iterator[Won]:
    """Yield the tricks of a match.

    values: what each card counts.
    """
    cards: dict[int, int] = {}
    for number, line in enumerate(lines):
        kind, *told = event_of(line)
        if line.kind.text in PLAYS:
            cards[told[0]] = told[1]
        elif kind == tricks.WINS:
            yield number, told[0], cards.get(told[0], 0), sum(values.get(card, 0) for card in cards.values())
            cards = {}


def _rich(name: str, points: object, card: int) -> str:
    one, many = "{0} wins a trick of {1} point with the {2}", "{0} wins a trick of {1} points with the {2}"
    return counted(float(str(points)), one, many, name, points, named_card(card))


HALVES = {card: halves / 2 for card, halves in trick_count.HALVES.items()}
MEASURE_COCH = Measure(
    "points of the deal",
    lambda state: [(state.points[seat] + state.points[(seat + 2) % 4]) / 2 for seat in range(4)],
    tells_lead=False,
)


def coch_events(lines: Sequence[LogLine], cast: Cast) -> Iterator[KeyEvent]:
    """Yield the richest tricks, those that gave a team more than half of the points, and what each deal brought."""
    half = trick_count.ALL_HALVES / 4
    won = {number: (winner, card, points) for number, winner, card, points in _tricks(lines, HALVES)}
    points = [0.0, 0.0]
    counted: tuple[str, str] = ("", "")
    again: tuple[int, int] | None = None
    for number, line in enumerate(lines):
        kind, *values = event_of(line)
        if kind == tricks.DEAL:
            points, again = [0.0, 0.0], None
        elif number in won:
            winner, card, gained = won[number]
            before = points[winner % 2]
            points[winner % 2] += gained
            text = _rich(cast.names[winner], f"{gained:g}", card)
            if before <= half < points[winner % 2]:
                majority = Message("{0}: more than half of all points for {1}", text, cast.side(winner))
                yield KeyEvent(number, 7, "half", majority)
            else:
                yield KeyEvent(number, 1 + gained, "trick", text)
        elif kind == trick_count.COUNT:
            counted = values[0], values[1]
        elif kind == trick_count.RECOUNT:
            again = values[0], values[1]
        elif kind == coch.WIN_DEAL:
            yield KeyEvent(number, 6, "deal", _counted(cast, values, counted, again))
        elif kind == coch.DRAW:
            yield KeyEvent(number, 5, "deal", Message("the deal is a draw: half a deal for each team"))


def _counted(cast: Cast, seats: list[int], counted: tuple[str, str], again: tuple[int, int] | None) -> str:
    """Return who won a deal, and by what: each count has that of seats 0 and 2 first."""
    one, many = "{0} wins the deal by {1} points to {2}", "{0} win the deal by {1} points to {2}"
    if again is not None:
        one = "{0} wins the deal by the second count, {1} to {2}: points were equal"
        many = "{0} win the deal by the second count, {1} to {2}: points were equal"
    ours, theirs = again or counted
    return cast.says(one, many, seats, *((theirs, ours) if seats[0] % 2 else (ours, theirs)))


def kille_events(lines: Sequence[LogLine], cast: Cast) -> Iterator[KeyEvent]:
    """Yield the last tricks, which alone count."""
    won = {number: (winner, card) for number, winner, card, _ in _tricks(lines, {})}
    last = -1
    for number, line in enumerate(lines):
        kind, *values = event_of(line)
        if kind == tricks.WINS:
            last = number
        elif kind in (kille.SCORES, kille.RECEIVES) and last in won:
            winner, card = won[last]
            point = "{0} wins the last trick, the one that counts, with the {1}: a point"
            chips = "{0} wins the last trick, the one that counts, with the {1}: {2} chips"
            told = Message(chips if len(values) > 1 else point, cast.names[winner], named_card(card), *values[1:])
            yield KeyEvent(number, 5, "last", told)


def torionfo_events(lines: Sequence[LogLine], cast: Cast) -> Iterator[KeyEvent]:
    """Yield the richest tricks, and by how much each deal was won."""
    rich = {
        number: (winner, card, int(points))
        for number, winner, card, points in _tricks(lines, dict(torionfo.TorionfoState.values))
    }
    most = max([points for _, _, points in rich.values()], default=1) or 1
    first = 0
    for number, line in enumerate(lines):
        kind, *values = event_of(line)
        if number in rich:
            winner, card, points = rich[number]
            text = _rich(cast.names[winner], points, card)
            yield KeyEvent(number, 4.5 * points / most, "trick", text)
        elif kind == torionfo.COUNT and values[0] == 0:
            first = values[1]
        elif kind == torionfo.COUNT:
            seat, ours, theirs = (0, first, values[1]) if first >= values[1] else (1, values[1], first)
            text = (
                Message("the deal is even: {0} points each", ours)
                if ours == theirs
                else Message("the deal goes to {0} by {1} points to {2}", cast.side(seat), ours, theirs)
            )
            yield KeyEvent(number, 3 + 4 * (ours - theirs) / max(1, ours), "deal", text)


def zifuli_events(lines: Sequence[LogLine], cast: Cast) -> Iterator[KeyEvent]:
    """Yield how each boss fared, with whom, and how the match ended."""
    names = cast.names
    boss, partner, counted, is_alone = 0, None, ("", ""), False
    for number, line in enumerate(lines):
        kind, *values = event_of(line)
        if kind == tricks.DEAL:
            partner, is_alone = None, False
        elif kind == zifuli.BOSS:
            boss = values[0]
        elif kind == zifuli.PARTNER:
            partner = values[0]
        elif kind == zifuli.PLAYS_ALONE:
            is_alone = True
        elif kind == trick_count.COUNT:
            counted = values[0], values[1]
            ours, theirs = map(float, counted)
            if ours != theirs:
                side = names[boss] if partner is None else Message("{0} and {1}", names[boss], names[partner])
                yield _boss(number, side, counted, is_won=ours > theirs, is_alone=is_alone or partner is None)
        elif kind == zifuli.NOBODY_PAYS:
            yield KeyEvent(number, 3, "even", Message("both sides count the same: nobody pays"))
        elif kind == zifuli.BROKE:
            yield KeyEvent(number, 7, "end", Message("{0} has no chips left: the match is over", names[values[0]]))


def _boss(number: int, side: str, counted: tuple[str, str], *, is_won: bool, is_alone: bool) -> KeyEvent:
    """Tell how a boss fared."""
    margin = abs(float(counted[0]) - float(counted[1]))
    words = {
        (True, True): "{0} is boss alone against four and wins by {1} points to {2}",
        (True, False): "{0} is boss alone against four and loses by {1} points to {2}",
        (False, True): "boss and secret partner, {0}, win by {1} points to {2}",
        (False, False): "boss and secret partner, {0}, lose by {1} points to {2}",
    }
    return KeyEvent(number, 3 + margin / 6 + 2 * is_alone, "boss", Message(words[is_alone, is_won], side, *counted))
