"""Which variants there are, what they and their sides are called, and how people say that their games end."""

COLOURS = ("White", "Black")

TITLES = {
    "3check": "Three-check chess",
    "5check": "Five-check chess",
    "ai-wok": "Ai-Wok",
    "amazons": "The Game of the Amazons",
    "antichess": "Antichess",
    "armageddon": "Armageddon chess: Black wins drawn games",
    "asean": "ASEAN chess",
    "ataxx": "Ataxx",
    "atomic": "Atomic chess",
    "breakthrough": "Breakthrough",
    "cambodian": "Ouk Chaktrang, Cambodian chess",
    "capablanca": "Capablanca chess",
    "chaturanga": "Chaturanga",
    "checkshogi": "Check shogi",
    "clobber": "Clobber",
    "crazyhouse": "Crazyhouse",
    "dobutsu": "Dobutsu shogi",
    "duck": "Duck chess",
    "euroshogi": "Euroshogi",
    "extinction": "Extinction chess",
    "flipello": "Reversi",
    "gardner": "Gardner's minichess",
    "giveaway": "Giveaway chess",
    "gorogoro": "Gorogoro shogi",
    "gothic": "Gothic chess",
    "grand": "Grand chess",
    "horde": "Horde chess",
    "janggi": "Janggi",
    "janus": "Janus chess",
    "judkins": "Judkins shogi",
    "kingofthehill": "King of the hill",
    "kyotoshogi": "Kyoto shogi",
    "losalamos": "Los Alamos chess",
    "losers": "Losers chess",
    "makruk": "Makruk, Thai chess",
    "manchu": "Manchu chess",
    "minishogi": "Minishogi",
    "minixiangqi": "Minixiangqi",
    "nocastle": "Chess without castling",
    "placement": "Placement chess",
    "pocketknight": "Pocket knight chess",
    "racingkings": "Racing kings",
    "seirawan": "S-chess, Seirawan chess",
    "shako": "Shako",
    "shatar": "Shatar, Mongolian chess",
    "shatranj": "Shatranj",
    "shogi": "Shogi",
    "shoshogi": "Sho shogi",
    "shouse": "S-house: Seirawan crazyhouse",
    "sittuyin": "Sittuyin, Burmese chess",
    "spartan": "Spartan chess",
    "suicide": "Suicide chess",
    "threekings": "Three kings chess",
    "torishogi": "Tori shogi",
    "torpedo": "Torpedo chess",
    "xiangqi": "Xiangqi",
    "yarishogi": "Yari shogi",
}
"""The names of the better known variants, for people. Others are called as Fairy-Stockfish calls them."""

XIANGQI = frozenset(("xiangqi", "minixiangqi", "manchu"))
"""The variants whose boards are those of xiangqi: points, a river, palaces."""

JANGGI = frozenset(("janggi", "janggicasual", "janggimodern", "janggitraditional"))

COUNTING = JANGGI | {"ai-wok", "asean", "cambodian", "karouk", "makpong", "makruk", "sittuyin"}
"""The variants with rules of counting, by which a game may end at any move."""

SHOGI = frozenset(
    (
        *("shogi", "minishogi", "mini", "micro", "kyotoshogi", "dobutsu", "gorogoro", "judkins", "torishogi"),
        *("checkshogi", "shoshogi", "yarishogi", "okisakishogi", "euroshogi"),
    )
)
"""The variants whose pieces are those of shogi, and whose first side is called Sente."""

PGN_NAMES = {
    "3check": "Three-check",
    "antichess": "Antichess",
    "atomic": "Atomic",
    "chess960": "Chess960",
    "crazyhouse": "Crazyhouse",
    "horde": "Horde",
    "kingofthehill": "King of the Hill",
    "racingkings": "Racing Kings",
}
"""The tag Variant of the variants that have one everybody knows; others are written with a capital."""

SAME = {"fischerandom": "chess960", "threecheck": "3check", "three-check": "3check", "koth": "kingofthehill"}
"""Other names of variants, and under which they are played."""

NOT_PLAYED = {
    "bughouse": "is played on two boards by four players",
    "koedem": "is played on two boards by four players",
    "supply": "is played on two boards by four players",
    "chess": "is the game chess itself: --game chess",
    "normal": "is the game chess itself: --game chess",
    "fairy": "is the game chess itself: --game chess",
}
"""What is no game here, and why."""


ENDINGS = {
    "3check": "gives check for the third time",
    "5check": "gives check for the fifth time",
    "antichess": "has lost all pieces",
    "atomic": "explodes the king",
    "extinction": "wipes out a kind of piece",
    "giveaway": "has lost all pieces",
    "horde": "takes the last piece of the horde",
    "kingofthehill": "reaches the centre with the king",
    "racingkings": "reaches the last rank with the king",
    "suicide": "has fewer pieces",
    "breakthrough": "reaches the last rank",
    "clobber": "moves last",
    "nocheckatomic": "explodes the king",
}
"""What the winner of a variant has done, where the game ends otherwise than by a mate."""


def title_of(variant: str) -> str:
    """Return the name of a variant, for people."""
    return TITLES.get(variant, variant)


def sides_of(variant: str) -> tuple[str, str]:
    """Return what both sides of a variant are called."""
    if variant in XIANGQI:
        return "Red", "Black"
    if variant in JANGGI:
        return "Blue", "Red"
    return ("Sente", "Gote") if variant in SHOGI else COLOURS


def pgn_name(variant: str) -> str:
    """Return the tag Variant of the games of a variant; "" for chess, whose games have none."""
    return "" if variant == "chess" else PGN_NAMES.get(variant, variant.capitalize())
