import pytest

from arena.store import NoSuchRow, open_store
from arena.store.people.submissions import PackRow

ONE = PackRow("1" * 64, b"one" * 100, 1, 3)
TWO = PackRow("2" * 64, b"two", 2, 6)
MANIFEST = {"language": "python"}


def test_versions_count_and_packs_are_kept_once(database: str) -> None:
    with open_store(database, create=True) as store:
        bots = store.submissions
        first = bots.add("club/owl", ONE, ONE, MANIFEST, {"passed": True})
        second = bots.add("club/owl", ONE, TWO, MANIFEST, {})
        other = bots.add("fox", ONE, ONE, MANIFEST, {})
        assert [row.title for row in (first, second, other)] == ["club/owl@1", "club/owl@2", "fox@1"]
        assert (second.source, second.content, second.files, second.bytes) == (ONE.sha256, TWO.sha256, 2, 6)
        assert (first.manifest, first.report, first.retired) == (MANIFEST, {"passed": True}, None)
        assert bots.archive(ONE.sha256) == ONE.archive
        assert bots.archive(TWO.sha256) == TWO.archive
        assert bots.versions("club/owl") == [first, second]
        assert bots.versions("club") == []
        assert bots.all() == [first, second, other]
        assert bots.newest() == [second, other]
        with pytest.raises(NoSuchRow, match="has no files with the hash"):
            bots.archive("3" * 64)


def test_what_is_retired_is_not_the_newest_and_may_come_back(database: str) -> None:
    with open_store(database, create=True) as store:
        bots = store.submissions
        for _ in range(3):
            bots.add("owl", ONE, ONE, MANIFEST, {})
        bots.retire("owl", [3])
        assert [row.title for row in bots.newest()] == ["owl@2"]
        assert bots.versions("owl")[2].retired is not None
        bots.retire("owl", [1, 2, 3])
        assert bots.newest() == []
        bots.retire("owl", [3], back=True)
        assert [row.title for row in bots.newest()] == ["owl@3"]
