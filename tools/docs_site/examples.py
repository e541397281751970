"""Worked examples of a game: scenario files, with the log that the rules write when they are played."""

from pathlib import Path

from referee.engine.scenario import judge

SHOWN = {
    "cambio": ("example_1_round_1", "faq_1_human_against_fool", "ask_12_with_the_own_card", "anti_caller_loses"),
    "coch": ("picture_is_followed", "lion_beats_the_cuckoo", "second_count_decides"),
    "cucco": ("open_position_0_of_three", "ask_12", "cancellation_pair_then_weakest"),
    "cucu": ("book_dealer_exchanges_a_cat", "inn_agrees_and_pays", "entry_bought"),
    "hypp": ("weaker_card_loses", "shortened_bets_in_proportion", "lowest_card_passes_the_deal"),
    "kille": ("book_must_beat_the_strongest", "book_last_trick", "duplicate_winner_takes_chips"),
    "lustu": ("book_non_dealer_shot", "cat_back_meets_a_cuckoo", "inn_accepts_money"),
    "perudo": ("skulls_count_as_the_face", "exact_right", "track_first_skull_cell", "showdown_skulls_are_no_jokers"),
    "scopa": ("capture_a_sum", "scopa_with_one_card", "aces_beat_fives", "a_capture_is_forced"),
    "torionfo": ("lead_names_picture", "torionfo_beats_the_15", "discard_then_play"),
    "zifuli": ("bid_is_weaker", "partner_stays_secret", "boss_wins"),
}
"""For each game the scenarios that are shown whole, in the order of its rules."""

_NOT_FOUND = "{ data-search-exclude }"
"""After a heading: the search passes over its section, as there are a thousand scenarios."""


def worked_examples(root: Path, game: str) -> str:
    """Return the section of a page of rules with its examples, and a list of all scenarios of the game.

    root: of the checkout.

    Raises ValueError if a scenario does not hold.
    """
    folder = root / "tests/scenarios" / game
    shown = "\n".join(_example(folder / f"{name}.toml") for name in SHOWN[game])
    return (
        "## Worked examples\n\n"
        "Each is a [scenario file](../scenarios.md) that the tests play; `arena scenario FILE` prints its log.\n\n"
        f"{shown}\n### All scenarios {_NOT_FOUND}\n\n{_list(folder)}"
    )


def _example(file: Path) -> str:
    text = file.read_text()
    verdict = judge(text)
    if verdict.word != "ok":
        raise ValueError(f"{file} is {verdict.word}: {verdict.wrong or verdict.differences}")
    code = "\n".join(text.splitlines()[1:])
    log = _indented("\n".join(verdict.log))
    return (
        f"### {verdict.shows.rstrip('.')} {_NOT_FOUND}\n\n"
        f'``` toml title="tests/scenarios/{file.parent.name}/{file.name}"\n{code}\n```\n\n'
        f'??? example "What happens"\n\n    ```\n{log}\n    ```\n'
    )


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def _list(folder: Path) -> str:
    """Return a table of all scenarios of a game: the file, and what it shows in its own words."""
    rows = (f"| `{file.name}` | {judge(file.read_text()).shows} |" for file in sorted(folder.glob("*.toml")))
    return f"In `tests/scenarios/{folder.name}`:\n\n| file | what it shows |\n| --- | --- |\n" + "\n".join(rows) + "\n"
