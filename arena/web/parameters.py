"""Numbers in addresses and forms: those that a database can hold, and no others."""

from typing import ClassVar

from starlette.convertors import Convertor, register_url_convertor

DIGITS = 18
"""Numbers with more are none of ours: a database holds 64 bits."""


class NumberConvertor(Convertor[int]):
    """A number in an address, `{id:number}`. Where there is a longer one, no page is at that address."""

    regex: ClassVar[str] = f"[0-9]{{1,{DIGITS}}}"

    def convert(self, value: str) -> int:
        """Return the number that was written."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Return how it is written."""
        return str(value)


def number(text: str) -> int | None:
    """Return the number that was written, None where it is none."""
    return int(text) if text.isdecimal() and len(text) <= DIGITS else None


register_url_convertor("number", NumberConvertor())
