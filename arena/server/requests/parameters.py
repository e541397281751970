"""Numbers in URLs and forms."""

from typing import ClassVar

from starlette.convertors import Convertor, register_url_convertor

DIGITS = 18
"""The largest number of digits: databases compare 64 bits, also with numbers that have fewer."""

LARGEST_NUMBER = 10**DIGITS - 1


class NumberConvertor(Convertor[int]):
    """A number in a route, `{id:number}`; longer numbers do not match the route."""

    regex: ClassVar[str] = f"[0-9]{{1,{DIGITS}}}"

    def convert(self, value: str) -> int:
        """Parse the number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Format the number."""
        return str(value)


def parse_number(text: str) -> int | None:
    """Parse a number; None if it is malformed or too long."""
    return int(text) if text.isdecimal() and len(text) <= DIGITS else None


register_url_convertor("number", NumberConvertor())
