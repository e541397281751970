import json
import random
import re

import pytest

from arena.api.ranking_html import ranking_html
from arena.ratings import BotStats, Ranking, Result, Tally, fit_ranking
from arena.ratings.ranking_output import (
    GRANTS_LEGEND,
    ODDS_LEGEND,
    los_csv,
    los_json,
    los_text,
    ranking_csv,
    ranking_json,
    ranking_text,
)
from arena.server.tournaments.ranking import ranking as ranking_page


@pytest.fixture(scope="module")
def table() -> Ranking:
    draw = random.Random(4)
    results = []
    for deal in range(40):
        luck = {"ann": draw.random() + 0.5, "bob": draw.random(), "cat": draw.random()}
        order = sorted(luck, key=lambda bot: -luck[bot])
        results.append(Result(deal, tuple(luck), tuple(order.index(bot) + 1 for bot in luck), (3, 2, 1)))
    return fit_ranking(Tally(results))


CONDUCT = {"bob": BotStats({"timeout": 3, "crash": 1}, 0.12345), "ann": BotStats({"illegal": 0})}


def test_json_has_every_key_of_the_ranking(table: Ranking) -> None:
    first, *_ = ranking = ranking_json(table, CONDUCT)
    assert json.loads(json.dumps(ranking)) == ranking
    assert set(first) >= {
        "rank",
        "bot",
        "elo",
        "bar",
        "score",
        "expected_place",
        "matches",
        "faults",
        "ms_per_decision",
    }
    bob = next(entry for entry in ranking if entry["bot"] == "bob")
    assert (bob["faults"], bob["ms_per_decision"], bob["matches"]) == ({"crash": 1, "timeout": 3}, 0.1235, 40)
    assert (first["bot"], first["faults"], first["ms_per_decision"]) == ("ann", {"illegal": 0}, None)
    assert first["elo"] == round(table.rows[0].elo, 2)


def test_text_shows_ranks_bars_and_faults(table: Ranking) -> None:
    lines = ranking_text(table, CONDUCT).splitlines()
    assert [re.sub(" {2,}", " | ", line.strip()) for line in lines if "--" not in line] == [
        "rank | bot | Elo | ± 95 % | score | ± 95 % | expected place | matches | faults | ms/decision",
        "1 | ann | +240.2 | 78.8 | 3.00 | 1.23 | 40 | -",
        "2 | bob | -94.6 | 70.4 | 2.00 | 2.30 | 40 | crash 1, timeout 3 | 0.12",
        "≈3 | cat | -145.6 | 75.4 | 1.00 | 2.48 | 40 | -",
        "≈ not separated from the bot above: the 95 % interval of their difference contains 0.",
    ]


def test_processes_that_failed_have_a_column_where_there_are_any(table: Ranking) -> None:
    failed = {**CONDUCT, "cat": BotStats({"crash": 1}, 0.5, None, {"start": 1, "crash": 3})}
    lines = [re.sub(" {2,}", " | ", line.strip()) for line in ranking_text(table, failed).splitlines()]
    assert lines[0].endswith("| faults | process failures | ms/decision")
    assert lines[3].endswith("| crash 1, timeout 3 | - | 0.12")
    assert lines[4].endswith("| crash 1 | crash 3, start 1 | 0.50")
    assert [entry["process_failures"] for entry in ranking_json(table, failed)] == [{}, {}, {"crash": 3, "start": 1}]
    assert ranking_csv(table, failed).splitlines()[3].endswith(",crash=3 start=1,,")


def test_grants_have_a_column_and_a_legend_where_there_are_any(table: Ranking) -> None:
    granted = {**CONDUCT, "bob": BotStats({}, 0.5, grants=("network", "device:/dev/nvidia0"))}
    lines = [re.sub(" {2,}", " | ", line.strip()) for line in ranking_text(table, granted).splitlines()]
    assert lines[0].endswith("| ms/decision | grants")
    assert lines[3].endswith("| 0.50 | network, device:/dev/nvidia0")
    assert lines[-1] == GRANTS_LEGEND
    assert [entry["grants"] for entry in ranking_json(table, granted)] == [[], ["network", "device:/dev/nvidia0"], []]
    heading, _, bob, _ = ranking_csv(table, granted).splitlines()
    assert heading.endswith(",grants,clock")
    assert bob.endswith(",network device:/dev/nvidia0,")
    page = str(ranking_page(table, granted))
    assert "network, device:/dev/nvidia0</td>" in page
    assert GRANTS_LEGEND in page
    assert "grants" not in str(ranking_page(table, CONDUCT))


def test_text_of_the_matrix(table: Ranking) -> None:
    assert los_text(table).splitlines() == [
        "   better than     1       2       3",
        "-  -----------  ----  ------  ------",
        "1  ann             -  >99.9*  >99.9*",
        "2  bob          <0.1       -    79.7",
        "3  cat          <0.1    20.3       -",
        "Probability in % that the bot of the row is better than that of the column, for each pair by itself.",
        "* better, with 95 % confidence that this holds of all marked pairs together (Holm).",
    ]


def test_csv_has_a_heading_and_a_line_per_bot(table: Ranking) -> None:
    heading, *lines = ranking_csv(table, CONDUCT).splitlines()
    assert heading.split(",") == list(ranking_json(table)[0])
    assert [line.split(",")[1] for line in lines] == [row.bot for row in table.rows]
    assert any("crash=1 timeout=3" in line for line in lines)


def test_the_matrix_as_values(table: Ranking) -> None:
    matrix = los_json(table)
    assert matrix["bots"] == [row.bot for row in table.rows]
    assert [matrix["los"][number][number] for number in range(3)] == [None] * 3
    assert matrix["los"][0][1] + matrix["los"][1][0] == pytest.approx(1)
    assert matrix["superior"] == [[False, True, True], [False] * 3, [False] * 3]
    assert (
        matrix["los_adjusted"][1][2] == matrix["los_adjusted"][2][1] == pytest.approx(2 * matrix["los"][2][1], abs=1e-5)
    )
    assert los_csv(table).splitlines()[0] == ",".join(["bot", *matrix["bots"]])
    assert los_csv(table).splitlines()[1] == f"ann,,{matrix['los'][0][1]},{matrix['los'][0][2]}"


def test_no_matches_is_a_sentence() -> None:
    empty = fit_ranking(Tally())
    assert ranking_text(empty) == los_text(empty) == "There are no matches to rate."
    assert ranking_json(empty) == []
    assert ranking_csv(empty).count("\n") == 1
    assert los_json(empty) == {"bots": [], "los": [], "los_adjusted": [], "superior": []}


def test_unknown_numbers_are_blank_and_bounds_are_marked() -> None:
    few = fit_ranking(Tally([Result(0, ("up", "down"), (1, 2), (1, 0))]))
    shown = ranking_text(few).splitlines()
    assert shown[2].split() == ["1", "up", ">", "+95.4", "1.00", "1.00", "1", "-"]
    assert shown[3].split() == ["2", "down", "<", "-95.4", "0.00", "2.00", "1", "-"]
    assert "?" in los_text(few)


def test_names_are_no_formulas_in_csv() -> None:
    table = fit_ranking(Tally([Result(0, ("=1+1", "-x"), (1, 2), (3, 1))]))
    assert [line.split(",")[1] for line in ranking_csv(table).splitlines()[1:]] == ["'=1+1", "'-x"]
    assert [line.split(",")[0] for line in los_csv(table).splitlines()] == ["bot", "'=1+1", "'-x"]


def test_elo_with_odds_says_so_in_its_heading(table: Ranking) -> None:
    clocks = {row.bot: BotStats({}, 0.5, clock=f"{row.rank}s, bank 0s") for row in table.rows}
    lines = [re.sub(" {2,}", " | ", line.strip()) for line in ranking_text(table, clocks).splitlines()]
    assert lines[0].startswith("rank | bot | Elo with time odds | ± 95 %")
    assert lines[0].endswith("| clock")
    assert lines[2].endswith("| 1s, bank 0s")
    assert lines[-1] == ODDS_LEGEND
    assert [entry["clock"] for entry in ranking_json(table, clocks)] == [stats.clock for stats in clocks.values()]
    for page in (str(ranking_page(table, clocks)), ranking_html(table, clocks)):
        assert "Elo with time odds" in page
        assert "1s, bank 0s</td>" in page
        assert ODDS_LEGEND in page
    assert "clock" not in str(ranking_page(table, CONDUCT))
