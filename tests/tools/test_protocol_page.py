from pathlib import Path

import pytest

from tools.protocol_page import UnknownLine, page, read

FILE = """\
syntax = "proto3";

// What is said.
//
// And how.
package x;

// A thing, all
// of it.
message Thing {
  // Its kind | sort.
  enum Kind {
    // Not used.
    KIND_UNSPECIFIED = 0;
  }
  // Which.
  Kind kind = 1;
  // Either.
  oneof what {
    // By name.
    map<string, Thing> named = 2;
  }
}
"""


def test_comments_and_declarations_are_read() -> None:
    about, [thing] = read(FILE, "x.proto")
    assert about == "What is said.\n\nAnd how."
    assert (thing.kind, thing.name, thing.comment) == ("message", "Thing", "A thing, all of it.")
    assert thing.rows == [
        ("kind", "1", "Kind", "Which."),
        ("what", "", "one of those below", "Either."),
        ("named", "2", "map<string, Thing>", "By name."),
    ]
    [kind] = thing.below
    assert (kind.name, kind.comment, kind.rows) == (
        "Thing.Kind", "Its kind | sort.", [("KIND_UNSPECIFIED", "0", "", "Not used.")]
    )  # fmt: skip


def test_the_page_links_types_to_their_messages(tmp_path: Path) -> None:
    for name in ("play", "model", "work", "archive"):
        (tmp_path / f"{name}.proto").write_text("// Nothing.\n")
    (tmp_path / "x.proto").write_text(FILE)
    told = page(tmp_path)
    assert "| `kind` | 1 | [Kind](#thingkind) | Which. |" in told
    assert "map&lt;string, [Thing](#thing)&gt;" in told
    assert told.index("## play.proto") < told.index("## x.proto") < told.index("## work.proto")


@pytest.mark.parametrize(
    ("line", "why"),
    [("string a = 1;", "line 2: it has no comment: string a = 1;"), ("// a\nextend A {", "line 3: it is not read")],
)
def test_a_line_without_a_comment_or_of_another_kind_is_an_error(line: str, why: str) -> None:
    with pytest.raises(UnknownLine, match=why):
        read("\n" + line, "x.proto")
