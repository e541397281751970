"""docs/submitting.md against the code."""

from pathlib import Path

from arena.bots.report import Report
from arena.packs.left_out import CACHE_ENDINGS, CACHES, COMPILED, FETCHED, JUNK, JUNK_ENDINGS, LARGE, PRODUCTS
from arena.packs.manifest import parse_manifest
from arena.packs.pack import MOST_BYTES, MOST_FILES

PAGE = (Path(__file__).parent.parent.parent / "docs/submitting.md").read_text()


def test_its_bot_toml_is_one() -> None:
    manifest = parse_manifest(PAGE.split("```toml\n")[1].split("```")[0])
    assert (manifest.language, manifest.limits.memory_mb, manifest.keep) == ("go", 128, ("bot", "data"))


def test_it_names_what_is_not_packed() -> None:
    section = PAGE.split("## What is packed")[1].split("## The build step")[0]
    assert all(f"`{name}`" in section for name in (*JUNK, *JUNK_ENDINGS, *PRODUCTS))
    assert all(f"`{name}`" in section for name in (*CACHES, *COMPILED, *FETCHED))
    assert all(f"`*{ending}`" in section for ending in CACHE_ENDINGS)
    assert f"{LARGE // 1000**2} MB" in section
    assert f"{MOST_BYTES // 1024**2} MiB" in section
    assert f"{MOST_FILES:,} files" in section


def test_it_tells_every_step() -> None:
    table = PAGE.split("| step |")[1].split("\n\n")[0]
    told = [line.split("|")[1].strip() for line in table.splitlines()[2:]]
    source = (Path(__file__).parent.parent.parent / "arena/bots/bot_check.py").read_text()
    for step in told:
        assert step.replace("GAME", "{game.name}") in source, step
    assert Report("owl").passed
