"""The faces of bots."""

import pytest

from arena.server.pages.faces import face

NAMES = [f"{owner}/{bot}" for owner in ("club", "fox", "town", "lab", "x") for bot in ("owl", "hen", "jay", "a", "b")]


def test_a_face_belongs_to_a_name_in_all_its_versions() -> None:
    assert face("club/owl") == face("club/owl@1") == face("club/owl@27#2")
    assert face("club/owl").path == (
        "M2 1h1v1h-1zM4 1h1v1h-1zM2 2h1v1h-1zM4 2h1v1h-1zM1 3h5v1h-5zM2 4h3v1h-3zM1 5h2v1h-2zM4 5h2v1h-2z"
    )


def test_faces_differ() -> None:
    assert len({(face(name).ground, face(name).path) for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_face_is_symmetric(name: str) -> None:
    squares = set()
    for run in face(name).path.strip("Mz").split("zM"):
        start, length = run.split("h")[0], int(run.split("h")[1].split("v")[0])
        x, y = map(int, start.split())
        squares |= {(x + step, y) for step in range(length)}
    assert squares == {(6 - x, y) for x, y in squares}
    assert 8 <= len(squares) <= 22
