"""A bot's way from its folder into tournaments, with real processes, as its author and the organiser go it."""

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.packs.cache import cache_folder
from arena.packs.candidate import read_candidate
from arena.packs.roster import open_roster
from arena.plan.field import find_bots
from arena.store import open_store
from arena.store.people.submissions import PackRow
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")

MANIFEST = 'language = "python"\ncommand = ["python3", "main.py"]\ngames = ["coch"]\n'
FIRST = (
    "from arena.sdk import Bot\nclass Owl(Bot):\n    def choose(self, question):\n        return question.legal[0]\n"
)
RUN = "Owl().run()\n"
SHORT = ["--rounds", "1", "--move-time", "5s", "--jobs", "1", "--json"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))


def project(name: str, text: str = FIRST + RUN, manifest: str = MANIFEST) -> None:
    Path(name).mkdir(parents=True, exist_ok=True)
    Path(name, "bot.toml").write_text(manifest)
    Path(name, "main.py").write_text(text)


def arena(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, words, prog_name="arena")
    assert result.exit_code == code, result.output
    return result


def printed(*words: str, code: int = 0) -> Any:
    return json.loads(arena(*words, code=code).stdout)


def accepted(name: str) -> None:
    """Store the project of that name as its next version, as if it had passed its check."""
    candidate = read_candidate(Path(name))
    pack = PackRow(candidate.source.sha256, candidate.source.to_bytes(), 2, candidate.source.size)
    with open_store("arena.db", create=True) as store:
        store.submissions.add(name, pack, pack, candidate.manifest.to_json(), {"steps": []})


def field(number: int) -> list[dict[str, Any]]:
    """Return the bots of a stored tournament as its snapshot has them."""
    with open_store("arena.db") as store:
        return [bot.to_json() for bot in store.tournament(number).definition.field]


@pytest.mark.processes
@pytest.mark.usefixtures("with_processes")
def test_from_a_folder_to_tournaments_that_keep_what_they_began_with() -> None:
    project("owl")
    told = arena("submit", "owl", "--name", "club/owl").stdout
    assert told.splitlines()[-2:-1] == ["club/owl is fit to play"]
    assert "club/owl is accepted as version 1: club/owl@1, " in told
    again = arena("submit", "owl", "--name", "club/owl").stdout
    assert again == "club/owl is unchanged since version 1: club/owl@1\n"

    # Without --bots all submitted bots of the game play; a snapshot holds version and hash.
    project("fox", FIRST.replace("[0]", "[-1]") + RUN)
    accepted("fox")
    first = printed("tourney", "--game", "coch", *SHORT)
    assert {each["bot"] for each in first["ranking"]} == {"club/owl@1", "fox@1"}
    [shown] = printed("bots", "list", "--json")["bots"][:1]
    assert (shown["name"], shown["version"]) == ("club/owl", 1)
    owl = field(1)[0]
    assert (owl["submission"], owl["sha256"], owl["files"]) == ("club/owl@1", shown["content"], [])
    assert Path(owl["folder"]) == cache_folder() / "bots" / shown["content"]

    # A newer version and a retirement change nothing of what has begun, nor does a cache that was cleared.
    project("owl", FIRST + "    # better\n" + RUN)
    assert printed("submit", "owl", "--name", "club/owl", "--json")["version"] == 2
    arena("bots", "retire", "fox")
    for path in cache_folder().rglob("*"):
        if path.is_dir():
            path.chmod(0o755)
    shutil.rmtree(cache_folder())
    resumed = printed("tourney", "resume", "1", "--json")
    assert resumed["ranking"] == first["ranking"]
    assert (Path(owl["folder"]) / "main.py").read_text() == FIRST + RUN

    # Rows have the version, in tables of one tournament and of several, and filters know it.
    both = printed("tourney", "--game", "coch", "--bots", "club/owl@2,club/owl@1", *SHORT)
    assert {each["bot"] for each in both["ranking"]} == {"club/owl@2", "club/owl@1"}
    pooled = printed("ranking", "--game", "coch", "--json")
    assert {each["bot"] for each in pooled["ranking"]} == {"club/owl@2", "club/owl@1", "fox@1"}
    together = printed("ranking", "--game", "coch", "--together", "--json")
    assert {each["bot"] for each in together["ranking"]} == {"club/owl", "fox"}
    listed = printed("matches", "--bot", "club/owl@2", "--json")["matches"]
    assert {match["tournament"] for match in listed} == {2}
    assert {match["tournament"] for match in printed("matches", "--bot", "club/owl", "--json")["matches"]} == {1, 2}
    missing = arena("matches", "--bot", "club/owl@7", code=2).stderr
    assert 'no bot "club/owl@7" has played in arena.db; did you mean "club/owl@' in missing

    # The newest version plays under its name, an older one by its number; who is retired plays no more.
    printed("match", "--game", "coch", "club/owl", "club/owl@1", "random", "random", "--json")
    refused = arena("match", "--game", "coch", "fox", "random", "random", "random", code=2).stderr
    assert "fox is retired: `arena bots retire --back fox` lets it play again" in refused
    arena("bots", "retire", "--back", "fox")
    unknown = arena("match", "--game", "coch", "club/oul", "random", "random", "random", code=2).stderr
    assert 'did you mean "club/owl"?' in unknown
    other = arena("match", "--game", "perudo", "fox", "random", code=2).stderr
    assert "fox plays only coch, not perudo" in other


def test_a_resumed_tournament_unpacks_the_version_that_began_it() -> None:
    project("owl")
    accepted("owl")
    arena("tourney", "--game", "coch", "--bots", "owl,random", *SHORT)
    with sqlite3.connect("arena.db") as connection:
        connection.execute("DELETE FROM submissions")
    connection.close()
    refused = arena("tourney", "resume", "1", code=2).stderr
    assert "owl@1 began the tournament but is no longer in its database" in refused


def test_a_bot_that_no_open_league_plays_is_told_so() -> None:
    project("owl")
    accepted("owl")
    assert "league" not in arena("submit", "owl").output, "there are no leagues"
    with open_store("arena.db") as store:
        leagues.cambio(store, "club")
    shown = arena("submit", "owl")
    assert shown.stdout == "owl is unchanged since version 1: owl@1\n"
    assert (
        "no open league plays coch, so the bot enters none for now; those that are open play cambio\n" in shown.stderr
    )


@pytest.mark.processes
def test_what_is_refused_leaves_nothing() -> None:
    project("owl", "raise SystemExit('no')\n")
    refused = arena("submit", "owl", code=1).stdout
    assert "owl is refused: starts: it ended before it said hello; the process exited with code 1" in refused
    assert "    no\n" in refused
    assert printed("bots", "--all", "--json")["bots"] == []
    assert not cache_folder().exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["submit"], "name the PATH of a bot"),
        (["submit", "owl", "--name", "random"], "random is a sample bot"),
        (["submit", "owl", "--name", "My Owl"], 'such as "my-owl"'),
        (["submit", "owl", "--must-beat", "nobody"], "there is no bot nobody"),
        (["submit", "nothing"], "nothing does not exist"),
        (["submit", "owl/readme"], "is neither a Python file (.py) nor executable"),
        (["submit", "owl/link"], "is a symbolic link: name its target"),
        (["submit", "empty"], "there is no bot.toml in empty: `arena init` makes a bot with one"),
        (["submit", "wrong"], 'bot.toml: games names "cosh", which is not installed; did you mean "coch"?'),
        (["bots", "show", "oul"], "arena.db has no submitted bot oul"),
        (["check", "nothing"], "there is no bot nothing"),
    ],
)
def test_what_cannot_be_checked_is_told_in_a_sentence(words: list[str], sentence: str) -> None:
    project("owl")
    project("wrong", manifest=MANIFEST.replace("coch", "cosh"))
    Path("owl/readme").write_text("x")
    Path("owl/link").symlink_to("main.py")
    Path("empty").mkdir()
    if words[0] == "bots":
        open_store("arena.db", create=True).close()
    assert sentence in arena(*words, code=2).stderr


@pytest.mark.processes
def test_who_must_beat_another_and_does_not_is_refused() -> None:
    project("owl")
    refused = printed("submit", "owl", "--game", "coch", "--must-beat", "tactician", "--json", code=1)
    assert refused["sentence"].startswith("is refused: beats tactician at coch: in ")
    assert refused["report"]["steps"][-1]["verdict"] == "failed"


@pytest.mark.processes
@pytest.mark.usefixtures("with_processes")
def test_the_organiser_says_how_long_a_bot_may_take_to_start() -> None:
    project("owl")
    refused = printed("submit", "owl", "--start", "1ms", "--json", code=1)
    assert refused["sentence"].startswith("is refused: ")
    assert "hello within 0.001 s" in refused["sentence"]
    refused = arena("submit", "owl", "--start", "0", code=2)
    assert '--start\': it must be at least 1ms, not "0"' in refused.stderr
    refused = arena("submit", "owl", "--ready", "1min", "--to", "https://arena.example", code=2)
    assert "--ready and --to exclude each other" in refused.stderr


@pytest.mark.processes
def test_a_single_file_plays_what_its_hello_names_and_is_shown() -> None:
    Path("fox.py").write_text(FIRST.replace("(Bot):", "(Bot):\n    games = ('coch',)") + RUN)
    arena("submit", "fox.py")
    shown = printed("bots", "show", "fox", "--json")
    assert shown["manifest"]["games"] == ["coch"]
    assert shown["files"] == [{"path": "fox.py", "bytes": Path("fox.py").stat().st_size}]
    assert "is unchanged since version 1" in arena("submit", "fox.py").stdout
    text = arena("bots", "show", "fox@1").stdout
    assert text.startswith("fox@1, submitted ")
    assert "command: python3 fox.py" in text
    assert "fox   " in arena("bots").stdout


@pytest.mark.promise
@pytest.mark.usefixtures("with_processes")
def test_check_plays_a_folder_where_it_lies() -> None:
    project("owl")
    checked = printed("check", "./owl", "--matches", "2", "--json")
    assert (checked["passed"], checked["games"]) == (True, ["coch"])
    project("owl", "raise SystemExit('no')\n")
    told = arena("check", "./owl", code=1).stdout
    assert told.endswith(
        "owl is not fit to play: starts: it ended before it said hello; the process exited with code 1; "
        "it printed last: no\n"
    )


WRONG = """
from arena.sdk import Bot

class Wrong(Bot):
    def choose(self, question):
        asked = question.match.memory["asked"] = question.match.memory.get("asked", 0) + 1
        return "fly" if asked == 2 else question.legal[0]

Wrong().run()
"""


@pytest.mark.processes
def test_check_keeps_the_matches_in_which_the_bot_failed() -> None:
    project("class/owl", WRONG)
    result = arena("check", "./class/owl", "--matches", "2", "--questions", "found", code=1)
    *_, found, replayed, asked = result.stdout.splitlines()
    assert found.startswith("match 1, answer ")
    assert '(plays coch): illegal: it answered "fly"' in found
    ply = found.split()[3]
    assert replayed == "    arena replay 1 --text"
    assert asked == f"    arena match --from 1 --move {ply} ./class/owl"
    assert ': illegal: it answered "fly"' in arena("replay", "1", "--text").stdout
    assert "owl failed after " in arena("match", "--from", "1", "--move", ply, "./class/owl", code=1).stdout
    assert "found/1-plays-coch.json: owl failed after " in arena("ask", "./class/owl", "found", code=1).stdout
    arena("verify", "1")
    assert '!  seat 0: illegal: it answered "fly"' in Path("found/1-plays-coch.txt").read_text()
    assert printed("check", "./class/owl", "--matches", "2", "--json", code=1)["found"][0]["match"] == 2


def test_limits_travel_with_the_bot() -> None:
    project("owl", manifest=MANIFEST + "[limits]\nmemory_mb = 9000\nmatches_at_once = 1\n")
    accepted("owl")
    for owl in find_bots(["owl", "./owl"], {}, open_roster("arena.db")):
        assert (owl.memory_bytes, owl.matches_at_once, owl.games) == (9000 * 1024**2, 1, ("coch",))


@pytest.mark.processes
@pytest.mark.usefixtures("with_processes")
def test_limits_only_lower_those_of_the_organiser() -> None:
    text = "import resource; print(resource.getrlimit(resource.RLIMIT_DATA)[0] >> 20, 'MB')\n" + FIRST + RUN
    project("low", text, MANIFEST + "[limits]\nmemory_mb = 200\n")
    project("high", text, MANIFEST + "[limits]\nmemory_mb = 9000\n")
    seats = printed("match", "--game", "coch", "./low", "./high", "random", "random", "--json")["seats"]
    assert [seat["output"]["text"] for seat in seats[:2]] == ["200 MB\n", "256 MB\n"]
