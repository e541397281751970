from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.struct_pb2 import Struct, Value
from google.protobuf.wrappers_pb2 import BytesValue, DoubleValue, Int64Value

from arena.bridge.json_messages import json_value
from referee.v1.cambio_pb2 import CambioView
from referee.v1.cucu_pb2 import CucuView


def test_all_fields_are_there_but_those_that_are_told_apart_from_their_default() -> None:
    told = json_value(CambioView(card=-4, known=[-4, 99], stage=CambioView.STAGE_CUCKOO))
    assert (told["card"], told["known"], told["stage"]) == (-4, [-4, 99], "STAGE_CUCKOO")
    assert (told["set"], told["discards"]) == (0, [])
    assert "turn" not in told
    assert set(json_value(CambioView())) == {field.name for field in CambioView.DESCRIPTOR.fields} - {"turn", "card"}


def test_enums_are_names_and_what_is_not_known_a_number() -> None:
    assert json_value(CambioView(defeated=[CambioView.DEFEAT_UNSPECIFIED, CambioView.DEFEAT_CAT]))["defeated"] == [
        "DEFEAT_UNSPECIFIED",
        "DEFEAT_CAT",
    ]
    assert json_value(CambioView.FromString(b"\x90\x01\x63"))["stage"] == 99  # field 18, a varint


def test_integers_of_64_bits_are_numbers() -> None:
    assert json_value(CucuView(pool=2**64 - 1, scores=[-(2**63)]))["pool"] == 2**64 - 1
    assert json_value(Int64Value(value=-(2**63))) == {"value": -(2**63)}


def test_messages_in_messages_bytes_maps_and_numbers_that_json_has_not() -> None:
    assert json_value(BytesValue(value=b"\x00\xff")) == {"value": "AP8="}
    assert [json_value(DoubleValue(value=number))["value"] for number in (0.5, float("inf"), float("-inf"))] == [
        0.5, "Infinity", "-Infinity"
    ]  # fmt: skip
    assert json_value(DoubleValue(value=float("nan"))) == {"value": "NaN"}
    assert json_value(Struct(fields={"a": Value(bool_value=True)})) == {"fields": {"a": {"bool_value": True}}}


def test_keys_of_maps_are_texts() -> None:
    file = FileDescriptorProto(name="x.proto", syntax="proto3")
    message = file.message_type.add(name="X")
    entry = DescriptorProto(name="WonEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type=FieldDescriptorProto.TYPE_BOOL, label=1)
    entry.field.add(name="value", number=2, type=FieldDescriptorProto.TYPE_SINT64, label=1)
    message.nested_type.append(entry)
    message.field.add(name="won", number=1, type=11, type_name=".X.WonEntry", label=3)
    pool = DescriptorPool()
    pool.Add(file)
    made = GetMessageClass(pool.FindMessageTypeByName("X"))(won={True: -1})
    assert json_value(made) == {"won": {"true": -1}}
