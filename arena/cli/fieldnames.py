"""The names of a field to which bots may come while it plays."""

from collections.abc import Callable, Sequence
from typing import overload


class FieldNames(Sequence[str]):
    """Names by place in the field; read: returns all of them anew, called where one is wanted that is unknown."""

    def __init__(self, read: Callable[[], Sequence[str]]) -> None:
        self._read = read
        self._names = read()

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, int) and place >= len(self._names):
            self._names = self._read()
        return self._names[place]

    def __len__(self) -> int:
        return len(self._names)
