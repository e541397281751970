"""Rows of boards as CSV."""

import csv

from arena.league.results.board_output import rows_csv


def test_no_name_runs_as_a_formula_in_a_spreadsheet() -> None:
    name = '=HYPERLINK("https://example.org")'
    [row] = csv.DictReader(rows_csv([{"bot": name, "elo": -3.5, "owner": "club"}]).splitlines())
    assert row == {"bot": f"'{name}", "elo": "-3.5", "owner": "club"}
