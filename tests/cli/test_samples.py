"""`arena samples`: the list, one bot, its source."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import sample_bots
from arena.cli import main
from arena.packs.manifest import FILE, read_manifest
from referee.engine.registry import names
from sample_bots import IN_OTHER_LANGUAGES, SAMPLES

EVERY = SAMPLES | IN_OTHER_LANGUAGES


def samples(*words: str) -> Result:
    return CliRunner().invoke(main, ["samples", *words], prog_name="arena")


def test_the_list_has_all_and_that_of_a_game_those_that_play_it() -> None:
    listed = samples().stdout
    assert all(f"\n{name} " in listed and sample.about in listed for name, sample in EVERY.items())
    assert max(map(len, listed.splitlines())) <= 95
    told = json.loads(samples("perudo", "--json").stdout)["samples"]
    assert [each["name"] for each in told] == ["random", "actuary", "searcher", "go", "llm"]
    assert told[1] == {
        "name": "actuary",
        "language": "python",
        "games": ["perudo"],
        "about": "weighs the odds of every bid",
        "strength": "wins every match against random bots",
        "path": str(SAMPLES["actuary"].path),
    }


@pytest.mark.parametrize("name", EVERY)
def test_each_is_described_and_its_source_printed(name: str) -> None:
    described = samples(name).stdout.splitlines()
    assert described[0] == f"{name}, in {EVERY[name].language}: {EVERY[name].about}"
    assert described[2] == str(EVERY[name].path)
    source = samples(name, "--source")
    assert (source.exit_code, source.stdout) == (0, EVERY[name].path.read_text())
    assert json.loads(samples(name, "--source", "--json").stdout)["source"] == source.stdout


def test_no_bot_has_the_name_of_a_game() -> None:
    assert EVERY.keys().isdisjoint(names())


@pytest.mark.parametrize("name", IN_OTHER_LANGUAGES)
def test_the_bots_in_folders_are_what_their_manifests_say(name: str) -> None:
    sample, folder = IN_OTHER_LANGUAGES[name], Path(sample_bots.__file__).parent / name
    manifest = read_manifest(folder / FILE)
    assert (manifest.language, manifest.games) == (sample.language, sample.games)
    assert sample.path.is_relative_to(folder)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["contre"], 'there is no sample bot and no game "contre"; did you mean "counter"?'),
        (["cambio", "--source"], "--source needs the name of a sample bot"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(words: list[str], sentence: str) -> None:
    done = samples(*words)
    assert done.exit_code == 2
    assert sentence in done.stderr
