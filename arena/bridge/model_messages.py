"""Requests to look ahead as lines of JSON, and the responses: each has the fields of its message by their names."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from google.protobuf.json_format import ParseDict, ParseError

from arena.bridge.json_messages import json_value
from referee.v1.model_pb2 import ModelError, ModelRequest, ModelResponse

if TYPE_CHECKING:
    from google.protobuf.message import Message


def model_request(kind: str, values: dict[str, Any]) -> ModelRequest | ModelResponse:
    """Return the request of a line; or the response to one that is malformed.

    kind: the type of the line, a field of `ModelRequest`.
    values: its other keys.
    """
    try:
        return ParseDict({kind: values}, ModelRequest())
    except (ParseError, ValueError, TypeError, AttributeError) as error:
        return ModelResponse(
            error=ModelError(
                reason=ModelError.REASON_REQUEST,
                sentence=f'the line "{kind}" is malformed: {error}'[:1000],
            )
        )


def response_values(response: ModelResponse, parse: "Callable[[int, bytes], Message]") -> dict[str, Any]:
    """Return the values of the line with a response.

    parse: parses a view of a match.
    """
    kind = str(response.WhichOneof("message"))
    content = getattr(response, kind)
    values = {"type": kind, **json_value(content)}
    if kind == "view":
        values["view"] = json_value(parse(content.match, content.view))
    return values
