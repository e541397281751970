"""Cards and dice in lists."""

import pytest

from arena.language.languages import speaking
from arena.server.pages.items import Picture, move_parts, picture
from arena.server.templates import TEMPLATES


def words(game: str, move: str) -> list[str]:
    return [part if isinstance(part, str) else f"<{part.words}>" for part in move_parts(game, move)]


@pytest.mark.parametrize(
    ("game", "move", "shown"),
    [
        ("scopa", "play U10 take C7 B3", ["play ", "<king of cups>", " and take ", "<7 of coins>", "<3 of clubs>"]),
        ("perudo", "reroll keep 5 5 skull", ["keep ", "<five>", "<five>", "<skull>", " and roll the others again"]),
        ("perudo", "bid 3x4", ["bid ", "3", " × ", "<four>"]),
        ("kille", "play -2", ["play ", "<mask>"]),
        ("torionfo", "play 12 number", ["play ", "<cat>", " as a number card"]),
        ("hypp", "bet 10", ["bet ", "10"]),
        ("cambio", "exchange", ["exchange"]),
        ("no-such-game", "play 12", ["play 12"]),
    ],
)
def test_the_cards_and_dice_of_a_move_are_pictures(game: str, move: str, shown: list[str]) -> None:
    assert words(game, move) == shown


def test_pictures_have_words_in_the_language_of_the_reader() -> None:
    with speaking("ko"):
        assert words("scopa", "play C7") != words("scopa", "play U7")
        found = picture("scopa", "C7")
    assert found is not None
    assert found.words != "7 of coins"


@pytest.mark.parametrize(("game", "face"), [("scopa", "X3"), ("perudo", "9"), ("cambio", "cat"), ("no-such-game", "3")])
def test_what_is_no_card_has_no_picture(game: str, face: str) -> None:
    assert picture(game, face) is None


def test_a_drawing_is_in_the_sheet_that_it_names() -> None:
    from arena.replay import static
    from arena.server.play.tiles import SHOWN

    for game, faces in SHOWN.items():
        for face in faces:
            drawn = picture(game, face)
            assert isinstance(drawn, Picture), (game, face)
            for address in filter(None, (drawn.drawing, drawn.sign)):
                sheet, _, id = address.partition("#")
                file = sheet.removeprefix("/static/").partition("?")[0]
                assert f'id="{id}"' in static.text(file), address


def test_a_move_is_read_by_those_who_do_not_see_it() -> None:
    told = str(TEMPLATES.macro("macros.html", "move")("scopa", "play C7"))
    assert 'role="img" aria-label="7 of coins"' in told
    assert told.startswith('<span class="move-in-words">play ')
