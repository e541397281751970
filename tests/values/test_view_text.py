"""Views as lines of text."""

from arena.values.view_text import brief, fields, full, packed
from referee.v1.cambio_pb2 import CambioView
from referee.v1.perudo_pb2 import PerudoView

VIEW = CambioView(
    round=2, chips=[3, 0], turn=0, defeated=[CambioView.DEFEAT_UNSPECIFIED, CambioView.DEFEAT_CAT], card=-3,
    stage=CambioView.STAGE_TURN,
)  # fmt: skip


def test_every_field_has_a_name_and_a_value() -> None:
    shown = dict(fields(VIEW))
    assert len(shown) == len(CambioView.DESCRIPTOR.fields)
    assert (shown["round"], shown["chips"], shown["card"], shown["turn"]) == ("2", "3 0", "-3", "0")
    assert (shown["stage"], shown["defeated"], shown["strong fools"]) == ("turn", "- cat", "-")
    assert dict(fields(CambioView()))["card"] == "-"
    assert dict(fields(PerudoView(called=[True, False])))["called"] == "yes no"


def test_messages_within_a_view_stand_in_brackets() -> None:
    from google.protobuf.descriptor_pb2 import DescriptorProto

    nested = DescriptorProto(name="a", reserved_range=[DescriptorProto.ReservedRange(start=1, end=2)])
    assert dict(fields(nested))["reserved range"] == "(start 1, end 2)"


def test_in_brief_what_is_empty_is_left_out() -> None:
    lines = list(brief(VIEW, 40))
    assert all(len(line) <= 40 for line in lines)
    assert "   ".join(lines).split("   ") == [f"{name} {value}" for name, value in fields(VIEW) if value != "-"]


def test_in_full_every_field_is_explained() -> None:
    lines = list(full(VIEW, {"chips": "The chips of each seat, by seat."}, 40))
    at = next(number for number, line in enumerate(lines) if line.startswith("chips "))
    assert lines[at].split() == ["chips", "3", "0"]
    assert " ".join(lines[at + 1].split() + lines[at + 2].split()) == "The chips of each seat, by seat."
    assert len([line for line in lines if not line.startswith(" ")]) == len(CambioView.DESCRIPTOR.fields)


def test_packed_lines_are_as_long_as_they_may_be() -> None:
    assert list(packed(["ab", "cd", "ef", "a longer one"], 12)) == ["ab   cd   ef", "a longer one"]
    assert list(packed([], 12)) == []
