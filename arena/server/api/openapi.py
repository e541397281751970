"""The OpenAPI document of the API, made from the declarations of its operations."""

import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

import msgspec
from msgspec import Struct

from arena.hooks.specifications import ApiPart
from arena.server.api.field_descriptions import describe_fields
from arena.server.api.operations import EVENT_STREAM, JSON, PREFIX, PROBLEM, Operation
from arena.server.api.problems import Problem
from arena.store.people.account_tokens import MANAGE, READ, SUBMIT

_PARAMETER = re.compile(r"\{(\w+)(?::(\w+))?\}")

DESCRIPTION = (
    "What the pages of an arena show, for programs. Errors are problem documents (RFC 9457). Lists come in parts: "
    "`next` is the address of the following one. Every answer to GET has an ETag. Only Authorization: Bearer counts, "
    f"cookies do not; the scopes of tokens are {READ}, {SUBMIT} and {MANAGE}."
)


def openapi(operations: Sequence[Operation], added: Sequence[ApiPart] = ()) -> dict[str, Any]:
    """Return the document as JSON values.

    added: what packages add beside operations, which are among the others.
    """
    schemas, components = _schemas(_types(operations, [kind for part in added for kind in part.types]))
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        path = PREFIX + _PARAMETER.sub(r"{\1}", operation.path)
        paths.setdefault(path, {})[operation.method.lower()] = _operation(operation, schemas)
    document = {
        "openapi": "3.1.0",
        "info": {"title": "arena", "version": version("botarena"), "description": DESCRIPTION},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }
    for part in added:
        document |= part.sections(schemas)
    return document


def _types(operations: Iterable[Operation], added: Iterable[type[Struct]]) -> list[type[Struct]]:
    """Return all classes of bodies, answers and events, and those that are added, each once."""
    types: dict[type[Struct], None] = dict.fromkeys((Problem, *added))
    for operation in operations:
        named = (operation.returns, operation.body, *operation.events.values())
        types.update((kind, None) for kind in named if kind is not None)
    return list(types)


def _schemas(types: Sequence[type[Struct]]) -> tuple[dict[type[Struct], dict[str, Any]], dict[str, Any]]:
    """Return the schema of each class, which refers to the components, and these."""
    references, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    describe_fields(components, types)
    return dict(zip(types, references, strict=True)), components


def _operation(operation: Operation, schemas: dict[type[Struct], dict[str, Any]]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "summary": operation.summary,
        "parameters": [
            *_path_parameters(operation),
            *_query_parameters(operation),
            *_header_parameters(operation),
        ],
        "responses": _responses(operation, schemas),
        "security": [{"token": []}] if operation.scopes else [{}, {"token": []}],
    }
    if operation.scopes:
        described["x-scopes"] = list(operation.scopes)
    if operation.body is not None:
        described["requestBody"] = {
            "required": any(field.required for field in msgspec.structs.fields(operation.body)),
            "content": {JSON: {"schema": schemas[operation.body]}},
        }
    elif operation.uploads:
        described["requestBody"] = {"required": True, "content": dict(map(_upload, operation.uploads))}
    return described


def _upload(media_type: str) -> tuple[str, dict[str, Any]]:
    if not media_type.startswith("multipart/"):
        return media_type, {}
    fields = {"name": {"type": "string"}, "file": {"type": "string", "contentMediaType": "application/octet-stream"}}
    return media_type, {"schema": {"type": "object", "properties": fields, "required": ["file"]}}


def _path_parameters(operation: Operation) -> list[dict[str, Any]]:
    return [_parameter(name, "path", True, msgspec.json.schema(kind)) for name, kind in operation.parameters.items()]


def _query_parameters(operation: Operation) -> list[dict[str, Any]]:
    if operation.query is None:
        return []
    schema = msgspec.json.schema_components([operation.query])[1][operation.query.__name__]
    required = schema.get("required", [])
    return [_parameter(name, "query", name in required, field) for name, field in schema["properties"].items()]


def _parameter(name: str, place: str, required: bool, schema: dict[str, Any]) -> dict[str, Any]:
    shown = {key: value for key, value in schema.items() if key not in ("description", "default")}
    kinds = [kind for kind in shown.get("anyOf", ()) if kind != {"type": "null"}]  # left out, not null
    return {
        "name": name,
        "in": place,
        "required": required,
        "description": schema.get("description", ""),
        "schema": kinds[0] if kinds else shown,
    }


def _header_parameters(operation: Operation) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "header", "required": False, "description": words, "schema": {"type": "string"}}
        for name, words in operation.headers.items()
    ]


def _responses(operation: Operation, schemas: dict[type[Struct], dict[str, Any]]) -> dict[str, Any]:
    good: dict[str, Any] = {"description": operation.status.phrase}
    if operation.returns is not None:
        good["content"] = {JSON: {"schema": schemas[operation.returns]}}
    else:
        kinds = ", ".join(f"{name} ({kind.__name__})" for name, kind in operation.events.items())
        good["description"] = f"Server-sent events, by name with the schema of their data: {kinds}"
        good["content"] = {EVENT_STREAM: {"schema": {"type": "string"}}}
    if operation.method == "GET" and operation.returns is not None:
        good["headers"] = {"ETag": {"schema": {"type": "string"}, "description": "For If-None-Match."}}
    if operation.has_location:
        good["headers"] = {"Location": {"schema": {"type": "string"}, "description": "Where to follow it."}}
    responses = {str(operation.status.value): good}
    if operation.method == "GET" and operation.returns is not None:
        responses["304"] = {"description": "The answer is the one whose ETag the request names."}
    problem = {"description": "A problem.", "content": {PROBLEM: {"schema": schemas[Problem]}}}
    return responses | {"default": problem}
