"""Both codecs."""

from collections.abc import Iterator
from types import ModuleType

import pytest

from referee.codec import NATIVE, pure

CODECS: list[ModuleType] = [pure]
if NATIVE:
    from referee.codec import native  # type: ignore[attr-defined]

    CODECS.append(native)


@pytest.fixture(params=CODECS, ids=lambda codec: codec.__name__.rpartition(".")[2])
def codec(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """Each codec that there is."""
    return request.param  # type: ignore[no-any-return]
