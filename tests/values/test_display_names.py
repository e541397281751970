"""Display names: what they may hold, and which look alike."""

import pytest

from arena.values.display_names import LONGEST, BadDisplayName, check_display_name, look_alike_key


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Müller, Jörg", "Müller, Jörg"),
        ("김민수", "김민수"),
        ("田中さくら", "田中さくら"),
        ("Nguye\u0302\u0303n Thị", "Nguyễn Thị"),
        ("  Ann   Lee ", "Ann Lee"),
        ("O’Brien", "O’Brien"),
        ("Jean-Luc O'Neill (TA) & Co.", "Jean-Luc O'Neill (TA) & Co."),
        ("שלום", "שלום"),
        ("علی\u200cرضا", "علی\u200cرضا"),
        ("क्\u200dष", "क्\u200dष"),
        ("ジョン・スミス", "ジョン・スミス"),
        ("x" * LONGEST, "x" * LONGEST),
    ],
)
def test_names_of_any_script_are_taken(text: str, name: str) -> None:
    assert check_display_name(text) == name


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x" * (LONGEST + 1), "at most 60 characters, and this one has 61"),
        ("a\u202eb", "may not have U+202E"),
        ("a\u2066b", "may not have U+2066"),
        ("a\u200bb", "may not have U+200B"),
        ("a\u200db", "may not have U+200D"),
        ("\u200cعلی", "may not have U+200C"),
        ("a\u00adb", "may not have U+00AD"),
        ("a\ufe0fb", "may not have U+FE0F"),
        ("\u3164", "may not have U+3164"),
        ("a\x1b[31m", "may not have U+001B"),
        ("a\nb", "may not have U+000A"),
        ("a\u00a0b", "may not have U+00A0"),
        ("a\ud800", "may not have U+D800"),
        ("\u0301ann", "may not have"),
        ("Z" + "\u0321" * 5, "may not have"),
        ("club/owl", 'may not have "/" (U+002F)'),
        ("club／owl", 'may not have "／" (U+FF0F)'),
        ("owl@1", 'may not have "@"'),
        ("=1+1", 'may not have "="'),
        ("<b>", 'may not have "<"'),
        ("😀", "may not have"),
        ("12", "at least one letter"),
        ("closed-7", "reads like a name that arena itself uses"),
        ("Closed 7", "reads like a name that arena itself uses"),
        ("Ａrena", "reads like a name that arena itself uses"),
        ("оrganiser", "reads like a name that arena itself uses"),
    ],
)
def test_what_changes_how_other_names_are_read_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(BadDisplayName) as refused:
        check_display_name(text)
    assert sentence in str(refused.value)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("muller-jorg", "Müller, Jörg"),
        ("ann", "ＡＮＮ"),
        ("ann", "аnn"),
        ("ann", "A.n.n"),
        ("bob", "b0b"),
        ("paul", "рaul"),
        ("straße", "STRASSE"),
        ("김민수", "김민수"),
    ],
)
def test_names_that_look_alike_have_the_same_key(one: str, other: str) -> None:
    assert look_alike_key(one) == look_alike_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("ann", "anna"), ("김민수", "김민서"), ("さくら", "ざくろ"), ("jon", "jan")]
)
def test_other_names_have_other_keys(one: str, other: str) -> None:
    assert look_alike_key(one) != look_alike_key(other)
