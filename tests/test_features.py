"""Packages with features: what each adds is there where it is installed, and nothing of it is where it is not.

`make test-removal` runs this file once for each package, without that one alone: what it holds must be quick.
"""

import re
import sys
import tomllib
from collections.abc import Mapping
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import arena
from arena.cli import main, tournament_options
from arena.cli.package_options import package_options
from arena.hooks import installed_entries
from arena.hooks import plugins as loading
from arena.hooks.commands import commands_below
from arena.hooks.executors import executors
from arena.hooks.plugins import loaded, notify, plugins
from arena.hooks.published import ADDED, EXECUTORS
from arena.hooks.specifications import CommandPart, hookimpl
from arena.league.account_closing import close_account
from arena.store import Store
from arena.values.installing import how_to_install
from tests import house, installed
from tests.cli.test_every_command import commands
from tests.server.api.conftest import client, own, visitor, worker
from tests.server.conftest import Client, signed_in
from tests.test_imports import MODULES, OURS, PACKAGE_MODULES, ROOT

__all__ = ["client", "own", "visitor", "worker"]  # fixtures


def entry_points(feature: str, group: str) -> dict[str, str]:
    """Return the entry points that a package declares, whether it is installed or not."""
    with open(ROOT / f"packages/botarena-{feature}/pyproject.toml", "rb") as file:
        declared: dict[str, dict[str, str]] = tomllib.load(file)["project"].get("entry-points", {})
    return declared.get(group, {})


@pytest.mark.parametrize("feature", house.PACKAGES)
def test_a_package_is_loaded_where_it_is_installed(feature: str) -> None:
    there = feature in installed.FEATURES and bool(entry_points(feature, loading.GROUP))
    assert (feature in loaded()) == there


@pytest.mark.parametrize("feature", house.PACKAGES)
def test_commands_of_a_package_are_there_or_unknown(feature: str) -> None:
    for name in entry_points(feature, "arena.commands"):
        assert name in ADDED[feature]
        *above, last = name.split()
        there = feature in installed.FEATURES
        assert (last in commands_below(" ".join(above))) == there
        result = CliRunner().invoke(main, [*above, last, "--help"])
        assert result.exit_code == (0 if there else 2), result.output
        assert (f'there is no command "{last}"' in result.output) != there


def test_every_command_that_is_listed_shows_its_help() -> None:
    for words in commands():
        result = CliRunner().invoke(main, [*words.split(), "--help"])
        assert result.exit_code == 0, (words, result.output, result.exception)


MIGRATIONS = "arena.store.migrations.env"  # alembic runs it
LANGUAGE_MODELS = "sample_bots.llm"  # a bot in a folder of its own


def test_no_module_needs_a_package_that_is_not_installed() -> None:
    modules = MODULES + [each for feature in sorted(installed.FEATURES) for each in PACKAGE_MODULES[feature]]
    missing = {}
    for module, path in modules:
        if path.stem != "__main__" and module != MIGRATIONS and not module.startswith(LANGUAGE_MODELS):
            try:
                import_module(module)
            except ModuleNotFoundError as error:
                missing[module] = str(error.name).split(".")[0]
    assert not {*OURS, *house.PACKAGES.values()} & set(missing.values()), missing


def test_parts_of_arena_may_lie_in_other_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("first/arena/part", "second/arena", "third"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "second")
    searched = ["", *(str(tmp_path / name) for name in ("first", "second", "third", "fourth")), *sys.path]
    monkeypatch.setattr(sys, "path", searched)
    path = Path(arena.__file__)
    spec = spec_from_file_location("arena", path, submodule_search_locations=[str(path.parent)])
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    here, *others = module.__path__
    assert here == str(path.parent)
    assert others[:2] == [str(tmp_path / "second/arena"), str(tmp_path / "first/arena")]
    assert len(set(module.__path__)) == len(module.__path__)
    assert not [folder for folder in others if "third" in folder or "fourth" in folder]


def test_webhooks_are_all_there_or_not_at_all(own: Store, client: Client, visitor: Any) -> None:
    there = "webhooks" in installed.FEATURES
    shown = CliRunner().invoke(main, ["accounts", "--help"]).output
    assert bool(re.search(r"^  webhooks ", shown, re.MULTILINE)) == there
    assert ("webhooks" in commands_below("accounts")) == there
    assert CliRunner().invoke(main, ["accounts", "webhooks", "--help"]).exit_code == (0 if there else 2)
    for server in ("serve", "web"):
        assert ("--local-webhooks" in CliRunner().invoke(main, [server, "--help"]).output) == there
    club = signed_in(own, client, "club")
    page = client.get("/sign-in", **club)
    assert "hand-ins" in page.text
    assert ("webhooks" in page.text) == there
    assert client.get("/webhooks", **club).status_code == (200 if there else 404)
    document = visitor("GET", "/openapi.json").json()
    assert ("webhooks" in document) == there
    assert any("webhooks" in path for path in document["paths"]) == there


def test_mail_is_all_there_or_not_at_all() -> None:
    there = "mail" in installed.FEATURES
    assert CliRunner().invoke(main, ["accounts", "mail", "--help"]).exit_code == (0 if there else 2)
    assert ("With --mail-server, checks that" in CliRunner().invoke(main, ["doctor", "--help"]).output) == there
    named = plugins().hook.arena_doctor(options={"mail_server": "smtp://127.0.0.1:1"})
    assert [result.sentence for results in named for result in results] == (
        ["no mail: --mail-server needs --mail-from: who sends the mail, such as 'Arena <arena@example.org>'"] * there
    )


def test_sign_in_by_a_provider_is_there_or_not_at_all() -> None:
    there = "openid" in installed.FEATURES
    shown = CliRunner().invoke(main, ["serve", "--help"]).output
    assert ("--openid-issuer" in shown) == there


def test_insight_is_all_there_or_not_at_all(own: Store, client: Client) -> None:
    there = "insight" in installed.FEATURES
    for words in (["analyse"], ["tourney", "why"], ["league", "why"]):
        assert CliRunner().invoke(main, [*words, "--help"]).exit_code == (0 if there else 2)
    shown = CliRunner().invoke(main, ["replay", "--help"]).output
    assert (" --what-if N=MOVE" in shown) == ("--what-if 57=exchange shows" in shown) == there
    club = signed_in(own, client, "club")
    assert ("why it loses" in client.get("/tournaments/1", **club).text) == there
    entries = [client.get(f"/leagues/cambio/entries/{number}", **club).text for number in range(1, 7)]
    assert any("why it loses" in page for page in entries) == there
    assert ("estimate chances to win" in client.get("/matches/1", **club).text) == there
    for path in ("/tournaments/1/why/0", "/matches/1/analysis", "/static/analyse.js"):
        assert client.get(path, **club).status_code == (200 if there else 404)


def test_sharing_is_all_there_or_not_at_all(own: Store, client: Client) -> None:
    there = "share" in installed.FEATURES
    for page in ("/matches/1", "/tournaments/1", "/leagues/cambio", "/leagues/cambio/entries/1"):
        shown = client.get(page)
        assert shown.status_code == 200, page
        assert ('property="og:image"' in shown.text) == there, page
        assert client.get(f"{page}/picture.svg").status_code == (200 if there else 404), page
    assert ("copy the code that shows this match" in client.get("/matches/1").text) == there
    for path in ("/embed/matches/1", "/matches/1/round.svg?round=1", "/static/share.js", "/static/embed.css"):
        assert client.get(path).status_code == (200 if there else 404), path


def test_classes_are_all_there_or_not_at_all() -> None:
    there = "classroom" in installed.FEATURES
    assert CliRunner().invoke(main, ["accounts", "import", "--help"]).exit_code == (0 if there else 2)
    shown = CliRunner().invoke(main, ["submit", "--help"]).output
    assert (" --from DIR" in shown) == ("With --from, each folder" in shown) == there
    neither = CliRunner().invoke(main, ["submit"], prog_name="arena")
    assert neither.exit_code == 2
    assert "name the PATH of a bot" in neither.output
    assert ("or a folder of bots with --from" in neither.output) == there


@pytest.mark.parametrize(("feature", "words"), [(name, words) for name, added in ADDED.items() for words in added])
def test_what_a_package_adds_is_there_or_the_error_says_what_to_install(feature: str, words: str) -> None:
    *command, last = words.split()
    if feature not in installed.FEATURES:
        refused = CliRunner().invoke(main, [*command, last, "x"], prog_name="arena")
        assert refused.exit_code == 2
        assert f"botarena-{feature}: {how_to_install(f'botarena[{feature}]')}" in refused.output
    elif last.startswith("--"):
        assert re.search(rf" {last}\b", CliRunner().invoke(main, [*command, "--help"]).output)
    else:
        assert last in commands_below(" ".join(command))


@pytest.mark.parametrize(("executor", "feature"), EXECUTORS.items())
def test_an_executor_is_there_or_the_error_says_what_to_install(executor: str, feature: str) -> None:
    there = feature in installed.FEATURES
    assert (executor in executors()) == there
    shown = CliRunner().invoke(main, ["tourney", "--help"]).output
    assert (f"--executor local|{executor}" in shown) == there
    options = ["--executor", f"{executor}:127.0.0.1:1", "--rounds", "0"]
    refused = CliRunner().invoke(main, ["tourney", "--game", "cambio", *options]).output
    needed = f'"{executor}:127.0.0.1:1" needs botarena-{feature}: {how_to_install(f"botarena[{feature}]")}'
    assert (needed in refused) != there


def test_executors_of_packages_are_opened_with_what_follows_the_colon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: Store
) -> None:
    folder = tmp_path / "owl-1.dist-info"
    folder.mkdir()
    (tmp_path / "owl_executor.py").write_text(
        "from arena.hooks.executors import PluginExecutor\n"
        "from contextlib import contextmanager\n"
        "NEST = PluginExecutor('nest[:TREE]', 'nest or nest:TREE', 'in a nest', 'owl_executor:opened')\n"
        "class Nest:\n    def room(self): return 3\n"
        "@contextmanager\n"
        "def opened(address, store, say):\n    say(f'flying to {address}')\n    yield Nest()\n"
    )
    (folder / "entry_points.txt").write_text("[arena.executors]\nnest = owl_executor:NEST\n")
    monkeypatch.syspath_prepend(tmp_path)
    said: list[str] = []
    monkeypatch.setattr(tournament_options, "print_progress", said.append)
    installed_entries._groups.cache_clear()
    try:
        assert "nest" in executors()
        for text in ("nest:oak", "nest"):
            with tournament_options.open_executor(tournament_options.RefereeOptions(None, text), own) as (_, room):
                assert room == 3
    finally:
        installed_entries._groups.cache_clear()
    assert said == ["flying to oak", "flying to None"]


def test_accounts_are_removed_whoever_hears_of_it(own: Store) -> None:
    own.accounts.add("club", "author", "0" * 64)
    assert close_account(own, "club") is not None


class Louder:
    @hookimpl
    def arena_command(self, command: str) -> CommandPart | None:
        return (
            CommandPart([click.Option(["--loud"], is_flag=True)], "With --loud all hear it.")
            if command == "hoot"
            else None
        )


def test_packages_add_options_to_a_command_and_words_to_its_help() -> None:
    plugins().register(louder := Louder())
    try:

        @click.command()
        @package_options("hoot")
        @click.option("--times", default=1)
        def hoot(times: int, packages: Mapping[str, Any]) -> None:
            """Hoot.

            Whoever is awake hears it.
            """
            click.echo(f"{times} {packages}")

    finally:
        plugins().unregister(louder)
    assert CliRunner().invoke(hoot, ["--loud"]).output == "1 {'loud': True}\n"
    shown = CliRunner().invoke(hoot, ["--help"]).output
    assert "  Hoot.\n\n  Whoever is awake hears it.\n\n  With --loud all hear it.\n\n" in shown
    assert shown.index("--loud") < shown.index("--times")


class Failing:
    @hookimpl
    def arena_league_rated(self, number: int) -> None:
        raise ValueError(f"ratings {number}")


class Hearing:
    def __init__(self) -> None:
        self.heard: list[int] = []

    @hookimpl
    def arena_league_rated(self, number: int) -> None:
        self.heard.append(number)


def test_a_listener_that_fails_is_reported_and_harms_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    hearing = Hearing()
    registered = [hearing, Failing()]
    for each in registered:
        plugins().register(each)
    try:
        notify("arena_league_rated", store=None, league=1, number=7, ratings={}, entries={})
    finally:
        for each in registered:
            plugins().unregister(each)
    assert hearing.heard == [7]
    assert "ValueError: ratings 7" in capsys.readouterr().err


def test_a_package_that_cannot_be_imported_is_reported_and_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from importlib.metadata import EntryPoint

    broken = EntryPoint("broken", "arena.there_is_no_such_module", loading.GROUP)
    monkeypatch.setattr(loading, "entry_points", lambda group: [broken] if group == loading.GROUP else [])
    assert loading.plugins.__wrapped__().list_name_plugin() == []
    assert "there_is_no_such_module" in capsys.readouterr().err


def test_commands_of_packages_are_found_in_the_files_of_what_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "owl-1.dist-info"
    folder.mkdir()
    (tmp_path / "owl_commands.py").write_text(
        "from arena.hooks.commands import PluginCommand\nHOOT = PluginCommand('Hoot.', 'owl_cli:command')\n"
    )
    (tmp_path / "owl_cli.py").write_text(
        "import click\n@click.command()\ndef command():\n    'Hoot.'\n    click.echo('hoo')\n"
    )
    (folder / "entry_points.txt").write_text(
        "[console_scripts]\nowl = owl:main\n\n[arena.commands]\nhoot = owl_commands:HOOT\n\n[other]\na = b:c\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    installed_entries._groups.cache_clear()
    try:
        shown = CliRunner().invoke(main, ["--help"]).output
        assert re.search(r"^  hoot +Hoot\.$", shown, re.MULTILINE)
        assert CliRunner().invoke(main, ["hoot"]).output == "hoo\n"
    finally:
        installed_entries._groups.cache_clear()
