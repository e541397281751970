"""Near-copies: what counts as one, and what does not."""

import re
from pathlib import Path
from time import process_time

import pytest
from arena_classroom.similarity import near_copies, source_print

from arena.bots.templates.project import SAMPLES_FOLDER, languages, make
from arena.packs.pack import File, Pack, make_pack, pack_folder
from arena.values.versioned_names import owner

OWN = '''
def strength(cards, trump):
    """Return how strong a hand is."""
    total = 0
    for card in cards:
        if card.suit == trump:
            total += 10 + card.rank * 2
        elif card.rank > 9 and card.suit in ("cups", "coins"):
            total += card.rank
    return total / max(1, len(cards))


def risk(seats, bank, history):
    seen = {}
    for entry in history[-40:]:
        seen[entry.seat] = seen.get(entry.seat, 0) + (3 if entry.raised else 1)
    worst = sorted(seen.items(), key=lambda item: (-item[1], item[0]))[:2]
    return sum(weight for seat, weight in worst if seat in seats) / (bank + 0.5)


class Owl(Bot):
    def choose(self, question):
        best, value = question.legal[0], -1.0
        while self.queue and not self.tired:
            move = self.queue.pop()
            score = strength(move.cards, question.view.trump) - risk([1, 2], question.bank, self.events)
            if score > value or (score == value and move.text < best.text):
                best, value = move, score
        return best
'''

OTHER = """
import math


class Fox(Bot):
    depth = 3

    def choose(self, question):
        options = {move: self.search(question.view, move, self.depth) for move in question.legal}
        return max(options, key=options.__getitem__)

    def search(self, view, move, depth):
        if not depth:
            return math.log1p(view.score) - 0.3 * len(view.hand)
        try:
            children = [self.search(child, reply, depth - 1) for child, reply in view.after(move)]
        except ValueError as error:
            self.note(f"no children: {error}")
            return 0.0
        return -sum(children) / len(children) if children else 0.0

    def learn(self, result):
        with open("table.json") as file:
            table = json.load(file)
        table[result.key] = table.get(result.key, 0) * 0.9 + result.score * 0.1
        self.table = {key: value for key, value in table.items() if abs(value) > 0.01}
"""


def pack(text: str, path: str = "main.py", **others: str) -> Pack:
    return make_pack(
        [File(path, False, text.encode()), *(File(name, False, content.encode()) for name, content in others.items())]
    )


def pairs(**bots: Pack) -> list[tuple[tuple[str, str], float]]:
    """Return the near-copies among bots, each of an owner of its own."""
    prints = {name: source_print(bot) for name, bot in bots.items()}
    return [(pair.bots, pair.share) for pair in near_copies(prints, {name: name for name in bots}, bots)]


def test_a_copy_with_other_names_comments_and_order_is_found() -> None:
    functions = OWN.replace("\n\nclass", "\n\ndef risk").split("\n\ndef ")
    assert len(functions) == 3
    disguised = OWN.split("\n\ndef risk")[0].replace("strength", "wert")
    disguised = "# all mine\nimport os\n\ndef risk" + OWN.split("\n\ndef risk")[1] + "\n\n" + disguised
    for name, new in (("cards", "karten"), ("total", "summe"), ("worst", "w"), ("best", "beste"), ("Owl", "Adler")):
        disguised = re.sub(rf"\b{name}\b", new, disguised)
    disguised = (
        disguised.replace("    return", "    # so it is\n    return")
        .replace("    ", "\t")
        .replace('"cups"', '"hearts"')
    )
    [(bots, share)] = pairs(ann=pack(OWN), ben=pack(disguised, "bot.py"), cleo=pack(OTHER))
    assert bots == ("ann", "ben")
    assert share > 0.8


def test_a_copy_inside_a_larger_bot_is_found() -> None:
    assert pairs(ann=pack(OWN), ben=pack(OTHER, "fox.py", **{"lib/owl.py": OWN})) == [(("ann", "ben"), 1.0)]


def test_different_bots_are_no_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a package that different people could have written, as if they were not given to everybody."""
    monkeypatch.setattr("arena_classroom.similarity.shipped_marks", frozenset)
    samples = {path.stem: pack(path.read_text()) for path in (SAMPLES_FOLDER / "python").glob("*.py")}
    assert sum(len(source_print(bot).marks) > 50 for bot in samples.values()) > 5
    assert pairs(**samples) == []


def test_sample_bots_belong_to_everybody() -> None:
    assert source_print(pack((SAMPLES_FOLDER / "python/tactician.py").read_text())).marks == frozenset()


@pytest.mark.parametrize("language", languages())
def test_new_projects_are_not_copies_of_each_other(tmp_path: Path, language: str) -> None:
    bots = {name: pack_folder(make(tmp_path / name, language, None).folder) for name in ("ann", "ben")}
    assert pairs(**bots) == []


def test_what_a_course_hands_out_is_left_out() -> None:
    """More than ten owners have it; whoever has more in common than that is found all the same."""
    class_bots = {f"s{number}": pack(OWN) for number in range(11)}
    assert {share for _, share in pairs(**class_bots)} == set()
    found = pairs(**class_bots, one=pack(OWN + OTHER), two=pack(OTHER + OWN))
    assert [bots for bots, _ in found] == [("one", "two")]


def test_vendored_and_generated_files_do_not_count() -> None:
    for path in ("vendor/x.py", "node_modules/a/b.js", "cambio_pb2.py", "gen/x.go", "notes.md", "deck.json"):
        assert source_print(pack(OWN, path)).marks == frozenset()


def test_bots_without_sources_are_compared_as_they_are() -> None:
    program = {"ann": pack("\x7fELF", "bot"), "ben": pack("\x7fELF", "bot"), "cleo": pack("\x7fELF2", "bot")}
    assert pairs(**program) == [(("ann", "ben"), 1.0)]


def test_an_owner_copies_nobody_and_pairs_of_old_bots_are_not_repeated() -> None:
    bots = {name: source_print(pack(OWN)) for name in ("ann/a", "ann/b", "ben/c", "cleo/d")}
    owners = {name: owner(name) for name in bots}
    found = [pair.bots for pair in near_copies(bots, owners, ["ann/a"])]
    assert found == [("ann/a", "ben/c"), ("ann/a", "cleo/d")]


@pytest.mark.parametrize("ending", ["py", "js", "lua", "c"])
@pytest.mark.parametrize(
    "text", ['"' * 99_999, "/*" * 50_000, "'''" * 33_333, '\\"' * 50_000, "--[[" * 25_000, "`" * 99_999]
)
def test_no_text_takes_long(ending: str, text: str) -> None:
    began = process_time()
    source_print(pack(text, f"x.{ending}"))
    assert process_time() - began < 5


def test_fingerprints_are_the_same_in_every_process() -> None:
    assert sorted(source_print(pack(OWN)).marks)[:2] == [8284313336599375, 16716620293660309]
