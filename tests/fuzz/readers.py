"""Damaged files at every reader of arena: a sentence, and nothing else, whatever is in them.

    python -m tests.fuzz.readers --count 10000 --seed 7 --only ratings.csv

Each input follows from the seed, the name of its reader and its number, so that any one is made again without the
others. What makes a reader fail is kept in build/fuzz; what was fixed goes to tests/fuzz/seeds, where every run
of the tests reads it again. A reader fails with a traceback, by taking too long or too much memory, by leaving
something half done, or by printing what a terminal heeds.
"""

import gc
import resource
import shutil
import signal
import sys
import tempfile
import traceback
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from types import FrameType

import click
from click.testing import CliRunner
from google.protobuf.message import DecodeError

from arena.bots.repeated_question import encoded_views
from arena.bridge.bot_lines import BadLine, read_answer, read_hello
from arena.cli import main
from arena.league.store.leagues import Leagues
from arena.packs.errors import ManifestError
from arena.packs.manifest import read_manifest
from arena.packs.pack import File, Pack, make_pack, pack_file
from arena.packs.program_check import check_program
from arena.packs.upload import unpack_upload
from arena.sdk.errors import BadQuestion
from arena.sdk.recorded_question import load_question, parse_question
from arena.store.opening import open_store
from arena.values.errors import ArenaError
from arena.values.texts import printable
from referee import codec
from referee.engine.errors import EngineError
from referee.sandbox import choose
from tests import installed
from tests.fuzz import samples
from tests.fuzz.cells import damage_cell
from tests.fuzz.mutate import mutated

SECONDS = 20
"""How long one input may take, on a machine that does other things as well."""

MEMORY = 2 << 30
"""Bytes of data of a whole process."""

MOST_FAILURES = 20
"""After so many a reader's run ends: they are most likely the same."""

SEEDS = Path(__file__).parent / "seeds"
KEPT = samples.ROOT / "build/fuzz"

Read = Callable[[Path, Random], None]


@dataclass(frozen=True, slots=True)
class Reader:
    """What reads a kind of file."""

    name: str
    """The name of the kind, whose ending is that of the files."""
    sound: Sequence[bytes]
    """Contents of files without damage."""
    read: Read
    """Reads a file; the random numbers choose among the ways to do so."""
    damage: Callable[[Path, Random], None] | None = None
    """Makes a damaged file of a sound one, where bytes are not what is damaged; None: bytes are."""

    @property
    def ending(self) -> str:
        """The ending of its files' names."""
        return "." + self.name.partition(".")[2].partition("-")[0]

    def write(self, path: Path, random: Random) -> None:
        """Write a damaged file."""
        if self.damage is None:
            path.write_bytes(mutated(random.choice(self.sound), random, self.sound))
        else:
            path.write_bytes(random.choice(self.sound))
            self.damage(path, random)


class TooSlow(BaseException):
    """An input took too long. No Exception, so that nothing on the way takes it for one of its own."""


class Unclean(AssertionError):
    """A character was printed that a terminal obeys, or that people do not see."""


def arena(*words: str) -> str:
    """Run a command; return what it printed. Whatever is no sentence is raised."""
    done = CliRunner().invoke(main, words)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    if done.exit_code not in (0, 1, 2):
        raise AssertionError(f"exit code {done.exit_code}")
    for text in (done.stdout, done.stderr):
        check_clean(text)
    if done.exit_code == 2 and not done.output.strip():
        raise AssertionError("exit code 2 and no sentence")
    output, failed = done.output, bool(done.exit_code)
    del done
    if failed:
        gc.collect()  # the error holds a question that was not read to its end, and that holds the database
    return output


def check_clean(text: str) -> None:
    """Raise Unclean where a text is not safe to print."""
    for at, character in enumerate(text):
        category = unicodedata.category(character)
        if (category[0] == "C" or category in ("Zl", "Zp")) and character not in "\n\t":
            raise Unclean(f"{character!r} is printed: {text[max(0, at - 60) : at + 20]!r}")


def _in_sentences(read: Callable[[bytes], object]) -> Read:
    """Return what reads a file's bytes by a function, whose errors are sentences."""

    def reading(path: Path, random: Random) -> None:
        try:
            read(path.read_bytes())
        except (ArenaError, EngineError, click.ClickException) as error:
            check_clean(printable(str(error)))

    return reading


_RATED = ("--los", "--first", "--crosstable", "--seats", "--savings")


def _ratings(path: Path, random: Random) -> None:
    table = random.choice(((), (), *((word,) for word in _RATED)))
    arena("ratings", str(path), *table, *random.choice(((), (), ("--json",), ("--csv",), ("--davidson",))))


def _scenario(path: Path, random: Random) -> None:
    arena("scenario", str(path), *random.choice(((), (), ("--json",), ("-q",))))


def _event(path: Path, random: Random) -> None:
    arena("tourney", "run", str(path), "--dry-run", "--db", str(path.with_suffix(".none")))


def _bench(path: Path, random: Random) -> None:
    files = [path, path.with_name("sound.json")]
    random.shuffle(files)
    words = ("bench", "--compare", str(files[0]), "--with", str(files[1]))
    arena(*words, *random.choice(((), ("--json",))))


def _archive(path: Path, random: Random) -> None:
    target = path.with_suffix(".db")
    shutil.copy(path.with_name("empty.db"), target)
    told = arena("tourney", "import", str(path), "--db", str(target))
    with open_store(target) as store:
        numbers = [tournament.id for tournament in store.tournaments()]
    if "imported from" in told:
        assert numbers == [1]
        _database(target, random)
    else:
        assert not numbers or "is incomplete" in told, "half of it is there, and nobody is told"


def _league(path: Path, random: Random) -> None:
    target = path.with_suffix(".db")
    shutil.copy(path.with_name("empty.db"), target)
    told = arena("league", "import", str(path), "--db", str(target))
    with open_store(target) as store:
        names = [league.name for league in Leagues(store).all()]
    assert len(names) == ("is imported" in told), "half of it is there, or nobody is told"
    for name in names:
        for words in random.sample(
            ("verify --no-replay", "verify", "show --log", "board --all", "board --season 1"), 2
        ):
            first, *options = words.split()
            arena("league", first, name, *options, "--db", str(target))


_LOOKS = (
    "ranking 1", "ranking 1 --json", "ranking 1 --crosstable", "ranking 1 --savings", "ranking 1 --seats",
    "ranking 1 --los --csv", "ranking 1 --first", "matches", "matches --json", "matches --bot cautious --worst 3",
    "matches --fault any", "matches --against random --bot cautious", "match show 2 --output", "match show 2 --json",
    "replay 2 --text", "replay 2 --text --seat 0", "verify 2", "verify --all", "tourney list", "tourney list --json",
    "tourney show 1", "tourney show 1 --json", "tourney show 1 --toml", "tourney log 1", "tourney log 1 --json",
    "tourney verify 1 --jobs 1", "tourney audit 1", "tourney export 1", "tourney export 1 --results", "db check",
    "db rebuild", "db rebuild 1", "bots", "bots --json", "tokens list", "accounts list", "match show 13",
    "replay 13 --text", "verify 13", "tourney pause 1", "tourney void 1 2 --reason x",
    "tourney withdraw 1 random --reason x", "replay 13 --json",
    "analyse 13 --playouts 2 --policy random --jobs 1",
)  # fmt: skip


def _database(path: Path, random: Random) -> None:
    for words in random.sample(_LOOKS, 3):
        arena(*words.split(), "--db", str(path))


def _bot_line(path: Path, random: Random) -> None:
    for read in (read_hello, read_answer):
        try:
            read(path.read_bytes())
        except BadLine as error:
            check_clean(str(error))


def _bot_answers(path: Path, random: Random) -> None:
    message = path.read_bytes()
    assert _read_answers(codec.read_answers, message) == _read_answers(codec.pure.read_answers, message)


def _read_answers(read: Callable[[bytes], object], message: bytes) -> object:
    try:
        return read(message)
    except (DecodeError, codec.UnexpectedHello) as error:
        return type(error)


def _manifest(path: Path, random: Random) -> None:
    try:
        read_manifest(path)
    except ManifestError as error:
        check_clean(printable(str(error)))


def _owners(path: Path, random: Random) -> None:
    from arena_classroom.errors import OwnersError
    from arena_classroom.owners_file import read_owners

    try:
        read_owners(path)
    except OwnersError as error:
        check_clean(printable(str(error)))


def _parameters(path: Path, random: Random) -> None:
    from arena_tune.errors import TuneError
    from arena_tune.parameters import read_file

    try:
        read_file(path)
    except TuneError as error:
        check_clean(printable(str(error)))


def _source(path: Path, random: Random) -> None:
    from arena_classroom.similarity import source_print

    for ending in ("py", "js", "lua"):
        source_print(make_pack([File(f"x.{ending}", False, path.read_bytes())]))


def _program(path: Path, random: Random) -> None:
    path.chmod(0o755)
    check_clean(printable(check_program(path)))


def _question(path: Path, random: Random) -> None:
    try:
        question = load_question(path)
        encoded_views(question)
        assert parse_question(question.to_text().encode()) == question
    except (BadQuestion, ArenaError, EngineError) as error:
        check_clean(printable(str(error)))


_confinement = cache(choose)


def _upload(path: Path, random: Random) -> None:
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        try:
            unpack_upload(path.name, path.read_bytes(), Path(folder), _confinement())
        except ArenaError as error:
            check_clean(printable(str(error)))


def _site(path: Path, random: Random) -> None:
    from arena_site.errors import SiteError
    from arena_site.folder import OURS, site_folder

    outside, target = path.with_name("outside"), path.with_suffix(".site")
    shutil.rmtree(target, ignore_errors=True)
    (target / "matches").mkdir(parents=True)
    for file, content in ((outside, "a match"), (target / "matches/1.html", "a match"), (target / "CNAME", "a.org")):
        file.write_text(content)
    shutil.copy(path, target / OURS)
    try:
        with site_folder(target) as site:
            site.write("index.html", "no match")
            site.publish()
        assert (target / "index.html").read_text() == "no match"
    except SiteError as error:
        check_clean(printable(str(error)))
    assert outside.exists()
    assert (target / "CNAME").exists()
    assert [each.name for each in path.parent.iterdir() if each.name.endswith(".partial")] == []


def _sound_site() -> bytes:
    """Return the list of files that a static site keeps in its folder."""
    from arena_site.folder import OURS, site_folder

    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "site"
        with site_folder(target) as site:
            site.write("matches/1.html", "a match")
            site.write("index.html", "all matches")
            site.publish()
        return (target / OURS).read_bytes()


def readers(folder: Path) -> list[Reader]:
    """Return all readers.

    folder: where sound databases are made.
    """
    database = samples.database(folder)
    archives = samples.archives(database)
    open_store(folder / "empty.db", create=True).close()
    (folder / "sound.json").write_bytes(samples.BENCH)
    lines = [samples.HELLO, samples.ANSWER]
    pack = pack_file(samples.ROOT / "sample_bots/python/random_bot.py").to_bytes()
    return [
        Reader("ratings.csv", [samples.PAIRS, samples.LONG], _ratings),
        Reader("ratings.jsonl", [samples.LINES, archives[1]], _ratings),
        Reader("ratings.pgn", [samples.PGN], _ratings),
        Reader("scenario.toml", samples.scenarios(), _scenario),
        Reader("event.toml", samples.events(), _event),
        Reader("manifest.toml", samples.manifests(), _manifest),
        Reader("program.elf", samples.programs(), _program),
        Reader("bench.json", [samples.BENCH], _bench),
        Reader("question.json", samples.questions(database), _question),
        *installed.of(
            "classroom",
            Reader("owners.csv", [samples.OWNERS, samples.OWNERS.decode().encode("utf-16")], _owners),
            Reader("source.txt", [(samples.ROOT / "sample_bots/python/tactician.py").read_bytes()], _source),
        ),
        *installed.of("tune", Reader("parameters.txt", [samples.PARAMETERS], _parameters)),
        *([Reader("site.json", [_sound_site()], _site)] if "site" in installed.FEATURES else []),
        Reader("archive.jsonl", archives, _archive),
        Reader("league.jsonl", [samples.league_archive(folder)], _league),
        Reader("bytes.db", [database.read_bytes()], _database),
        Reader("cells.db", [database.read_bytes()], _database, damage_cell),
        Reader("bot.lines", lines, _bot_line),
        Reader("bot.answers", samples.answers(), _bot_answers),
        Reader("pack.tar", [pack], _in_sentences(Pack.from_bytes)),
        Reader("upload.tar", samples.uploads(), _upload),
        Reader("upload.zip", samples.uploads(), _upload),
    ]


@contextmanager
def timed(seconds: float) -> Iterator[None]:
    """Raise TooSlow where the block takes longer than that."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TooSlow(f"it took more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def fuzz(reader: Reader, numbers: range, seed: int, folder: Path, kept: Path | None = None) -> list[str]:
    """Let a reader read damaged files; return what went wrong.

    numbers: of the inputs.
    folder: for the inputs, beside the sound files.
    kept: where the inputs are put that fail.
    """
    failures = []
    for number in numbers:
        random = Random(f"{seed}/{reader.name}/{number}")
        path = folder / f"input{reader.ending}"
        _clear(path)
        reader.write(path, random)
        content = path.read_bytes()
        if kept is not None:
            (kept / f"{reader.name}.last").write_bytes(content)
        try:
            with timed(SECONDS):
                reader.read(path, random)
        except (Exception, TooSlow) as error:
            told = f"{reader.name} seed {seed} number {number}: {type(error).__name__}: {error}"
            failures.append(told)
            if kept is not None:
                (kept / f"{reader.name}-{seed}-{number}").write_bytes(content)
                (kept / f"{reader.name}-{seed}-{number}.txt").write_text(
                    "".join(traceback.format_exception(error)), errors="backslashreplace"
                )
            if len(failures) >= MOST_FAILURES:
                break
    return failures


def _clear(path: Path) -> None:
    """Remove what an earlier input left."""
    for left in path.parent.glob(f"{path.stem}*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()


def _run(name: str, count: int, seed: int) -> int:
    """Fuzz one reader in this process; return how often it failed."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    memory = Path("/dev/shm")  # so that a busy disk makes nothing slow
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as place:
        folder = Path(place)
        reader = next(each for each in readers(folder) if each.name == name)
        gc.freeze()  # so that a search for garbage, after each input that is refused, is a short one
        failures = fuzz(reader, range(count), seed, folder, KEPT)
    for failure in failures:
        click.echo(failure.encode("ascii", "backslashreplace").decode(), err=True)
    return len(failures)


NAMES = (
    "ratings.csv", "ratings.jsonl", "ratings.pgn", "scenario.toml", "event.toml", "manifest.toml", "program.elf",
    "bench.json", "question.json", *installed.of("classroom", "owners.csv", "source.txt"),
    *installed.of("tune", "parameters.txt"),
    *installed.of("site", "site.json"), "archive.jsonl", "league.jsonl", "bytes.db", "cells.db",
    "bot.lines", "bot.answers", "pack.tar", "upload.tar", "upload.zip",
)  # fmt: skip


@click.command()
@click.option("--count", default=10_000, show_default=True, help="Damaged files for each reader.")
@click.option("--seed", type=int, help="Where the random numbers begin  [default: drawn]")
@click.option("--only", multiple=True, type=click.Choice(NAMES), help="Only this reader.")
def command(count: int, seed: int | None, only: tuple[str, ...]) -> None:
    """Give damaged files to every reader. Exit code 1 where one of them fails."""
    seed = Random().randrange(1 << 32) if seed is None else seed
    KEPT.mkdir(parents=True, exist_ok=True)
    click.echo(f"seed {seed}")
    failed = False
    for name in only or NAMES:
        # A process for each: one that crashes, or takes all memory, must not take the others with it.
        process = get_context("spawn").Process(target=_child, args=(name, count, seed))
        process.start()
        process.join()
        if process.exitcode:
            failed = True
            last = "" if process.exitcode == 1 else f", the last input is {KEPT / name}.last"
            click.echo(f"{name}: failed (exit code {process.exitcode}{last}); see {KEPT}")
        else:
            click.echo(f"{name}: {count:,} read")
    raise SystemExit(failed)


def _child(name: str, count: int, seed: int) -> None:
    sys.exit(1 if _run(name, count, seed) else 0)


if __name__ == "__main__":
    command()
