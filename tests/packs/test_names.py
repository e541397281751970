from pathlib import Path

import pytest

from arena.packs.errors import BadName
from arena.packs.names import check_account_name, check_name, name_for, split_version
from arena.values.versioned_names import owner


@pytest.mark.parametrize("name", ["owl", "club/owl", "owl-2", "a/b", "x" * 32])
def test_good_names(name: str) -> None:
    assert check_name(name) == name
    assert split_version(name) == (name, None)
    assert split_version(f"{name}@3") == (name, 3)


@pytest.mark.parametrize(
    "name", ["", "Owl", "1owl", "-owl", "owl-", "a--b", "a/b/c", "/a", "a/", "a b", "owl@3", "öwl", "x" * 33, "a/../b"]
)
def test_bad_names(name: str) -> None:
    with pytest.raises(BadName, match="a submission cannot be named"):
        check_name(name)


def test_an_account_with_a_bad_name_is_called_an_account() -> None:
    with pytest.raises(BadName, match=r'^an account cannot be named "Teacher": .*, such as "teacher"$') as refused:
        check_account_name("Teacher")
    assert "slash" not in str(refused.value)
    with pytest.raises(BadName, match='^an account cannot be named "--": .* at most 32 characters$'):
        check_account_name("--")
    with pytest.raises(BadName, match="as it has a slash: use club"):
        check_account_name("club/owl")


def test_a_bad_name_is_told_a_good_one() -> None:
    with pytest.raises(BadName, match=r'such as "my-owl"$'):
        check_name("My Owl")


@pytest.mark.parametrize(
    ("path", "name"), [("My Owl/bot.toml", "my-owl"), ("x/Owl_2.py", "owl-2"), ("nests/great owl", "great-owl")]
)
def test_a_bot_that_nobody_named_is_called_after_its_folder_or_file(path: str, name: str, tmp_path: Path) -> None:
    file = tmp_path / path
    file.parent.mkdir()
    if file.suffix:
        file.touch()
    else:
        file.mkdir()
    assert name_for(file) == name


def test_other_texts_are_no_names() -> None:
    assert [split_version(text) for text in ("./owl", "owl@0", "owl@x", "node x.js", "owl@")] == [None] * 5


def test_whose_bot_it_is() -> None:
    assert [owner(name) for name in ("club/owl", "owl", "club/owl#2", "owl#2")] == ["club", "owl", "club", "owl"]
