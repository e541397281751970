"""Links to the next part of a list."""

from urllib.parse import quote, urlencode

from arena.server.api.operations import Call


def next_link(call: Call, last: int) -> str:
    """Return the address of what comes after an item of a list, with the same filters.

    last: the number of that item.
    """
    query = {name: value for name, value in call.request.query_params.items() if name != "before"}
    return f"{quote(call.request.url.path)}?{urlencode(query | {'before': str(last)})}"
