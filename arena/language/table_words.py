"""The words on the tables of our games: labels, cards, moves, reasons.

Games and their renderers write them as messages (`arena.language.message`); {0}, {1} ... stand for the arguments. The
moves of a game are messages by its phrases. "game: text" is a message of one game only, where games use a word
differently, and "value: text" an argument.
"""

from arena.language.story_words import STORY

CARDS = (
    *("cuckoo", "human", "horse", "cat", "house", "nulla", "bucket", "mask", "lion", "fool", "hunter", "inn"),
    *("{0} of coins", "{0} of cups", "{0} of swords", "{0} of clubs", "face down"),
)
DICE = ("skull", "two", "three", "four", "five", "six", "hidden die", "none")
VALUES = ("knave", "knight", "king", "number", "picture", "skull", "number cards", "picture cards")
"""Arguments that are words themselves."""

MOVES = (
    *("keep", "exchange", "cuckoo", "pass", "i lose"),
    *("play", "play {0}", "play {0} number", "play {0} picture", "play {0} take {1}", "discard", "discard {0}"),
    *("bid", "zifuli: bid", "bid {0}", "bid {0}x{1}", "no", "cucu: no", "lustu: no", "exact", "showdown", "stand"),
    *("reroll keep", "reroll keep {0}", "packet", "packet {0}", "bet", "bet {0}", "stay", "cucu: stay", "give up"),
    *("enter", "stay out", "share", "share {0}", "join", "split", "split {0}", "accept", "decline"),
    *("pay if zero", "agree", "refuse", "offer", "offer none", "offer {0}", "offer {0}%"),
)
COUNTED = (
    *("{0} skulls", "{0} ones", "{0} twos", "{0} threes", "{0} fours", "{0} fives", "{0} sixes"),
    *("{0} skull", "{0} one", "{0} two", "{0} three", "{0} four", "{0} five", "{0} six"),
)
"""A number of dice with one face, as a bid is read."""
SEATS = ("team {0}", "{0}, {1}")
"""How texts speak of several seats, and of several cards."""
HEADINGS = ("set {0}, round {1}", "set {0}", "round {0}", "deal {0}", "deal {0} of 4, cut at {1}")
ZONES = (
    *("card", "hand", "pile", "pack", "box", "tray", "discards", "aside", "trick", "last trick", "bids", "packet"),
    *("pool", "tokens", "token", "claims", "cup", "bids before", "count", "lost dice", "table", "taken"),
    *("Torionfo", "put back", "looked at", "from the cut", "turned up"),
    "seat {0} shares what seat {1} wins: {2} %",
    "seat {0} shares what seat {1} wins: for {2} paid",
)
FACTS = (
    *("chips", "coins", "money", "purse", "points", "tricks", "score", "scopas", "team", "partner", "dice"),
    *(
        "to follow",
        "number cards",
        "picture cards",
        "seats {0} and {1}",
        "seat {0}",
        "{0} point, {1} won",
        "{0} points, {1} won",
    ),
    *(
        "{0} point, {1} now",
        "{0} points, {1} now",
        "the twin was led as",
        "packets of",
        "dice in play",
        "showdown by",
        "re-entry",
    ),
    *("closed", "offer"),
)
BADGES = (
    *("dealer", "starts", "kept", "passed", "strong fool", "cuckoo opens", "showed a {0}", "exchanged with seat {0}"),
    *("exchanged with the pile", "drew from the pile", "drew from the pack", "exchanged with the pack"),
    *("stopped by seat {0}", "stopped by the pile", "stopped by the pack", "defeated", "defeated by a {0}"),
    *("defeated by a fool", "virgin", "changed hands once", "changed hands twice", "changed hands {0} times"),
    *("seat {0} pays for a zero", "gets {0} %", "dealt first", "lowest card", "boss", "plays alone", "partner"),
    *("cutter", "captured last", "most cards: {0}", "most coins: {0}", "settebello", "best primiera", "started"),
    *("has called its showdown", "may call a showdown", "out since round {0}"),
)
MARKS = ("seat {0} won", "seat {0}, {1} again", "seen")
UNITS = ("chips", "money", "points", "dice", "deals won")
SINGLE = ("chip", "point", "die", "deal won")
"""One of each unit but money."""
REASONS = (
    "Cards are not played here: choose one of the moves",
    "You have {0}, which were led: you must play one of them",
    "A bid must be one of the {0} and weaker than the last bid, {1}",
    "You can beat the table, so you must: play a card stronger than {0}",
    "This card captures nothing, and another card of your hand does: play one that captures",
    "This card is not played: keep it, or ask for an exchange",
    "Your card does not matter for this question: choose one of the moves",
    "Only who holds a cuckoo (15), and knows it, can call it",
    "It opens by itself",
    "The last bid cannot be raised: say no or exact",
    "There is no bid yet: open with one",
    "Nobody may say exact under a showdown",
    "Only in the turn after you were brought down to one die, once in a match",
)
FRAME = ("to the content", "pages", "redealt", "unchanged")
NAVIGATION = ("Home", "Leagues", "Tournaments", "Matches", "Bots", "Play", "Submit", "Sign in", "Take part")

LOG_OF_ONE_GAME = ("zifuli: seat {0} bids {1}", "hypp: round {0} begins: seat {1} deals")
"""Lines of a log that a game shares with another one, but means differently."""

LOG_OF_PACKAGES = ("seat {0} plays {1} ({2})",)
"""Lines of games that come by packages, as that of chess."""

DATES = ("opens", "last hand-in counts", "board is hidden", "season ends")
"""What the dates of a league are called."""

STAGES = ("Swiss round {0} of {1}", "knockout round {0}", "quarter-final", "semi-final", "final", "ladder round {0}")
"""What the stages of a tournament are called."""

BATCHES = tuple(
    f"batch: {word}"
    for word in (
        *("placement", "standing", "final", "trial", "challenge"),
        *("stored", "void", "released", "failed", "expired", "{0} of {1}"),
    )
)
"""What kinds of batches, their states and the outcomes of attempts are called."""

SEASONS = (
    "season {0} is frozen: its final begins when what is under way is over",
    "the final of season {0} is played: {1} of {2} parts",
    "season {0} has ended",
)
"""What is said of the end of a season."""

VOID = (
    "it was dropped before it was played, as its season or league ended, or as a bot of it plays no more",
    "its attempts came to no result, although its entry met sample bots alone",
    "its attempts came to no result, and each of its entries is tried alone",
)
"""Why a batch is void."""

AUDIT = (
    "forfeited {0} of its matches ({1} %)",
    "and {0} took {1} points of 100 more from the others at their tables than the ratings predict, in {2} deals",
    "lost to {0} {1} points of 100 more than the ratings predict, in {2} deals",
    "took from {0} {1} points of 100 more than the ratings predict, in {2} deals",
    "This is no proof, as one style may play into the hands of another: look at the matches.",
)
"""What an audit says of an entry of a league."""

TELLING = (
    "the least expected win: the ratings expected {0} in 100",
    "the latest last change of the lead",
    "the narrowest win: a margin of {0} in {1}",
    "the clearest win: a margin of {0} in {1}",
)
"""Why a match of a tournament is shown."""

LINKS = ("why it loses", "where it gives points away")
"""What links to the reports of packages are called."""

WORDS = (
    *(
        *CARDS,
        *DICE,
        *COUNTED,
        *SEATS,
        *(f"value: {value}" for value in VALUES),
        *MOVES,
        *HEADINGS,
        *ZONES,
        *FACTS,
        *BADGES,
        *MARKS,
    ),
    *(*UNITS, *SINGLE, *REASONS, *FRAME, *NAVIGATION, *LOG_OF_ONE_GAME, *LOG_OF_PACKAGES, *DATES, *STAGES),
    *(*BATCHES, *SEASONS, *VOID, *AUDIT, *LINKS, *TELLING, *STORY),
)


def with_context(text: str) -> tuple[str | None, str]:
    """Return the context of a word, which is a game, "value" or "batch", and its text."""
    context, separator, rest = text.partition(": ")
    return (
        (context, rest)
        if separator and context in ("value", "batch", "zifuli", "hypp", "cucu", "lustu")
        else (None, text)
    )
