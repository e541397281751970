"""Upsets, by the bot that won."""

from arena.league.results.upsets import Upset, UpsetGroup, grouped


def upset(match: int, winner: int, chance: float) -> Upset:
    return Upset(match, winner, (9,), chance, "2026-01-01T00:00:00+00:00")


def test_the_upsets_of_a_bot_are_one_entry_whichever_of_its_copies_won() -> None:
    bots = {1: "random", 2: "random", 3: "club/owl", 9: "counter"}
    found = [upset(10, 2, 0.01), upset(11, 3, 0.02), upset(12, 1, 0.03), upset(13, 2, 0.04)]
    assert grouped(found, bots) == [UpsetGroup(found[0], 2), UpsetGroup(found[1], 0)]
    assert grouped([], bots) == []
