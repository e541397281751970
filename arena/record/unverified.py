"""What no verification can prove, as nothing else says it: what verifications list, and by which columns.

Tests change every column of a database, and expect that each change is found, or that the column stands here.
"""

from collections.abc import Mapping

UNVERIFIED: dict[str, tuple[str, ...]] = {
    "when it was played, and by which versions of programs": ("events.created", "events.finished", "events.versions"),
    "whether its secret was drawn, where no seed is stored": ("events.seed",),
    "how long matches and answers took (the time charged to a seat only to 8 %, where it has no fault)": (
        *(f"{void}matches.{name}" for void in ("", "void ") for name in ("times", "duration_ms", "standstill_ms")),
        "seats.charged_us",
        "void seats.charged_us",
    ),
    "in which process a bot played": (
        *(f"{void}{column}" for void in ("", "void ") for column in ("matches.phase", "seats.player")),
    ),
    "kinds and wording of faults": tuple(
        f"{void}faults.{name}" for void in ("", "void ") for name in ("kind", "sentence")
    ),
    "notes of bots": ("notes.match_id", "notes.seat", "notes.packed", "notes.truncated"),
    "what processes printed, and how they failed": (
        *(f"outputs.{name}" for name in ("event_id", "phase", "player", "entrant", "text", "truncated", "name")),
        "outputs.version",
        *(f"process_failures.{name}" for name in ("event_id", "phase", "player", "time_us", "entrant", "kind")),
        *(f"process_failures.{name}" for name in ("sentence", "exit_code", "signal", "matches", "guilty", "output")),
        "process_failures.truncated",
        "entrants.withdrawn",
    ),
    "how busy the machine was": tuple(f"strains.{name}" for name in ("event_id", "phase", "void", "lag_us", "waited")),
}
"""What cannot be verified of matches, and of the event they belong to, with the columns that hold it.

`entrants.withdrawn` is the reason, where no organiser withdrew the bot.
"""

UNVERIFIED_OF_TOURNAMENTS: dict[str, tuple[str, ...]] = UNVERIFIED | {
    "round, table and rotation of void matches": (
        "void matches.round",
        "void matches.at_table",
        "void matches.rotation",
    ),
    "the wording of an early end": ("verdicts.event_id", "verdicts.sentence"),
}
"""As `UNVERIFIED`, of tournaments."""


def unverified_text(unverified: Mapping[str, object]) -> str:
    """Return the sentence in which a verification says what it does not prove."""
    return f"not verified, as nothing else says it: {'; '.join(unverified)}"
