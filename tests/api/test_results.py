"""What results, matches, rankings and replays are for programs and notebooks."""

import re
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from arena.api import ArenaError, Results, load_results, tournament
from arena.api.field import BotSpec
from arena.results.archive.result_tables import COLUMNS
from tests.api.bots import SHORT, Drawer, first

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def results() -> Results:
    bots: dict[str, BotSpec] = {"<mine>": first, "drawn": Drawer, "random": "random"}
    return tournament("cambio", bots, rounds=10, seed=1, options=SHORT, progress=False)


def test_a_ranking_has_rows_and_error_bars(results: Results) -> None:
    ranking = results.ranking
    assert [row.rank for row in ranking] == [1, 2, 3]
    assert all(row.ci95 for row in ranking)
    assert ranking["drawn"].matches == 30
    with pytest.raises(KeyError, match="the bots are"):
        ranking["mine"]


def test_a_notebook_shows_a_ranking_and_matches_as_tables_without_the_html_of_names(results: Results) -> None:
    html = results._repr_html_()
    assert "<td" in html
    assert "± 95 %" in html
    assert "&lt;mine&gt;" in html
    assert html.count("<svg") == 3
    row = results.ranking["drawn"]
    assert f'aria-label="Elo {row.elo:+.1f} ± {row.ci95:.1f}"' in html
    assert "<mine>" not in html + results.matches[0]._repr_html_()
    assert "Development seed 1" in html
    assert "<td" in results.matches[0]._repr_html_()


def test_texts_are_those_of_the_command_line(results: Results) -> None:
    assert "rank  bot" in str(results.ranking)
    assert str(results).startswith("Tournament 1: cambio")
    assert re.fullmatch(r"<Results of tournament 1: cambio, 30 of 30 matches>", repr(results))
    assert repr(results.matches) == "<30 matches of tournament 1>"
    assert repr(results.matches[0].replay).startswith("<Replay of match 1: ")


def test_matches_are_a_sequence_in_the_order_of_the_schedule(results: Results) -> None:
    matches = results.matches
    assert [match.id for match in matches] == list(range(1, 31))
    assert [match.id for match in matches[1:3]] == [2, 3]
    assert matches[-1].id == 30
    with pytest.raises(IndexError):
        matches[30]
    assert sum(score for match in matches for score in match.scores) > 0


def test_a_replay_is_a_log_and_a_page_of_its_own(results: Results, tmp_path: Path) -> None:
    replay = results.matches[0].replay
    assert "the log as seat 1 could see it" in replay.text(seat=1)
    replay.save(tmp_path / "match.html")
    assert (tmp_path / "match.html").read_text().startswith("<!DOCTYPE html>")
    assert replay._repr_html_().startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    with pytest.raises(IndexError, match="the seats 0 to 2, not 3"):
        replay.text(seat=3)


def test_the_frame_has_a_row_for_each_seat_and_is_what_parquet_holds(results: Results, tmp_path: Path) -> None:
    frame = results.to_frame()
    assert frame.column_names == [column.name for column in COLUMNS]
    assert frame.num_rows == 90
    assert frame.column("bot").value_counts().to_pylist()[0]["counts"] == 30
    assert hasattr(frame, "__arrow_c_stream__")
    assert hasattr(frame, "__dataframe__")
    results.to_parquet(tmp_path / "matches.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "matches.parquet").equals(frame)


def test_the_frame_of_a_ranking_holds_its_rows(results: Results) -> None:
    frame = results.ranking.to_frame()
    assert frame.column("bot").to_pylist() == [row.bot for row in results.ranking]
    assert frame.column("elo").to_pylist() == [row.elo for row in results.ranking]
    assert frame.column("elo_ci95").type == pyarrow.float64()


def test_what_is_not_stored_is_refused_in_a_sentence(results: Results, tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="nowhere.db"):
        load_results(tmp_path / "nowhere.db")
    with pytest.raises(ArenaError, match="no tournament 7"):
        load_results(results.db, 7)
