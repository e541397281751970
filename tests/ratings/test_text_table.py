"""Tables as people read them."""

from arena.ratings.text_table import TextTable


def test_names_mean_nothing_to_markdown_or_html() -> None:
    sheet = TextTable(["bot", "Elo"], [["a|b<br>", "< -5.0"]], (0,), ())
    assert sheet.render("markdown").splitlines()[-1].split(" | ") == [r"| a\|b\<br>", "< -5.0 |"]
    assert "a|b&lt;br&gt;" in sheet.render("html")
    assert "a|b<br>" in sheet.render()
