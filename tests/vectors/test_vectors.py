"""The vectors are current, and Python reads and writes them."""

import base64
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import symbol_database
from google.protobuf.json_format import ParseDict

from referee.v1 import cambio_pb2, perudo_pb2, play_pb2  # noqa: F401  # their messages are looked up by name

FOLDER = Path(__file__).parents[2] / "protos" / "vectors"
VECTORS: list[dict[str, Any]] = json.loads((FOLDER / "vectors.json").read_text("utf-8"))["vectors"]


def test_they_are_current() -> None:
    spec = importlib.util.spec_from_file_location("make_vectors", FOLDER / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (FOLDER / "vectors.json").read_text("utf-8") == module.text(), "run `make vectors`"


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_python_decodes_and_encodes_them(vector: dict[str, Any]) -> None:
    message = symbol_database.Default().GetSymbol(vector["message"])
    payload = base64.b64decode(vector["bytes"])
    told = ParseDict(vector["json"], message())
    decoded = message.FromString(payload)
    decoded.DiscardUnknownFields()
    assert decoded == told
    assert message.FromString(told.SerializeToString()) == told


def test_names_are_unique_and_every_message_of_the_conversation_is_there() -> None:
    names = [vector["name"] for vector in VECTORS]
    assert len(set(names)) == len(names)
    said = {(vector["message"], kind) for vector in VECTORS for kind in vector["json"]}
    for message in (play_pb2.PlayRequest, play_pb2.PlayResponse):
        for field in message.DESCRIPTOR.fields:
            assert (message.DESCRIPTOR.full_name, field.json_name) in said
