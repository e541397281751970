"""The anchors of a league: sample bots whose mean is 0 of its scale.

They are stored as submissions, so they stay as they are when a later version of arena brings other sample bots.
"""

from collections.abc import Sequence

from arena.league.plan.definition import LeagueDefinition
from arena.league.store.league_rows import NewEntry
from arena.packs.candidate import read_candidate
from arena.plan.field import samples, usual_samples
from arena.store import Store
from arena.store.people.submissions import PackRow

OWNER = "samples"
"""The owner in the names of the submissions."""

_REPORT = {"passed": True, "steps": [], "games": [], "output": ""}
"""Instead of that of a check."""

MOST = 5
"""Anchors, unless a table needs more."""


def store_anchors(store: Store, definition: LeagueDefinition, chosen: Sequence[str] | None = None) -> list[NewEntry]:
    """Store the sample bots of a game as submissions, where they are not, and return them as entries.

    chosen: their names; None: as many as are usual.

    There are at least as many as a table has entries; where a game has fewer sample bots, some take part several times.
    """
    names = list(usual_samples(definition.game))[:MOST] if chosen is None else list(chosen)
    count = max(len(names), definition.table_size)
    entries = []
    for place in range(count):
        submission = _store(store, names[place % len(names)])
        copy = place // len(names)
        title = f"{submission[0]}@{submission[1]}"
        entries.append(NewEntry(f"{title}#{copy + 1}" if copy else title, submission, "", is_anchor=True))
    return entries


def _store(store: Store, name: str) -> tuple[str, int]:
    """Return the name and version of the submission with a sample bot, which is stored if it is not.

    Versions without files, as of an imported league, and retired ones cannot play: a further one is added.
    """
    candidate = read_candidate(samples(None)[name])
    submitted = f"{OWNER}/{name}"
    for row in store.submissions.versions(submitted):
        if row.content == candidate.source.sha256 and row.files and row.retired is None:
            return row.name, row.version
    pack = candidate.source
    packed = PackRow(pack.sha256, pack.to_bytes(), len(pack.files), pack.size)
    added = store.submissions.add(submitted, packed, packed, candidate.manifest.to_json(), _REPORT)
    return added.name, added.version
