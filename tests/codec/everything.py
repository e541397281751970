"""A view message with fields of every type, as the game of another package may have, and a game with such views."""

from typing import Any, NamedTuple

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

from referee.engine.game import Game

SCALARS = ("int32", "int64", "uint32", "uint64", "sint32", "sint64", "bool", "double", "string", "enum")
"""The types that the native codec writes."""

OTHERS = ("float", "bytes", "fixed32", "sfixed64")
"""Some that it leaves to the other one."""


def _file() -> FileDescriptorProto:
    file = FileDescriptorProto(name="everything.proto", package="everything", syntax="proto3")
    file.enum_type.add(name="Colour").value.add(name="RED", number=0)
    file.enum_type[0].value.add(name="BLUE", number=5)
    for name, types in (("Part", SCALARS), ("Everything", SCALARS), ("Other", SCALARS + OTHERS)):
        message = file.message_type.add(name=name)
        for kind in types:
            _add(message, kind, kind)
            _add(message, f"some_{kind}", kind, is_optional=True)
            _add(message, f"all_{kind}", kind, is_repeated=True)
        if name != "Part":
            _add(message, "part", "message")
            _add(message, "all_part", "message", is_repeated=True)
    return file


def _add(
    message: DescriptorProto, name: str, kind: str, *, is_optional: bool = False, is_repeated: bool = False
) -> None:
    field = message.field.add(name=name, number=7 * len(message.field) + 1)
    field.type = getattr(FieldDescriptorProto, f"TYPE_{kind.upper()}")
    field.label = FieldDescriptorProto.LABEL_REPEATED if is_repeated else FieldDescriptorProto.LABEL_OPTIONAL
    if kind == "enum":
        field.type_name = ".everything.Colour"
    if kind == "message":
        field.type_name = ".everything.Part"
    if is_optional:
        field.proto3_optional = True
        field.oneof_index = len(message.oneof_decl)
        message.oneof_decl.add(name=f"_{name}")


_POOL = DescriptorPool()
_POOL.Add(_file())
Everything: Any = GetMessageClass(_POOL.FindMessageTypeByName("everything.Everything"))
Other: Any = GetMessageClass(_POOL.FindMessageTypeByName("everything.Other"))


def _fields(message: Any) -> list[tuple[str, Any]]:
    return [(field.name, Any) for field in message.DESCRIPTOR.fields]


Part = NamedTuple("Part", _fields(GetMessageClass(_POOL.FindMessageTypeByName("everything.Part"))))  # type: ignore[misc]
EverythingView = NamedTuple("EverythingView", _fields(Everything))  # type: ignore[misc]
OtherView = NamedTuple("OtherView", _fields(Other))  # type: ignore[misc]


def _game(message: str) -> Game:
    """Return a game that has nothing but views."""
    return type(message, (Game,), {"name": message, "message": f"tests.codec.everything:{message}", "start": None})()  # type: ignore[no-any-return]


EVERYTHING = _game("Everything")
OTHER = _game("Other")
