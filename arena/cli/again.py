"""What a bot says to a recorded question now, for `arena match --from`."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from arena.checking.repeated_question import RepeatedAnswer, RepeatedQuestions
from arena.store.rows import StoredMatch

_SHOWN = 10
"""Earlier answers that differ, shown at the most."""


def again_lines(match: StoredMatch, bot: str, found: RepeatedQuestions) -> Iterator[str]:
    """Yield lines for people."""
    count, otherwise = len(found.before), found.otherwise
    if count:
        differing = f"{len(otherwise):,} of them otherwise:" if otherwise else "all of them as in the record"
        yield f"{bot} was asked {count:,} questions before, and answers {differing}"
    for each in otherwise[:_SHOWN]:
        yield f"    {_line(each)}"
    if len(otherwise) > _SHOWN:
        yield f"    and {len(otherwise) - _SHOWN:,} more"
    if found.meant is not None:
        same = "as in the record" if found.meant.move == found.meant.recorded else "otherwise than in the record"
        yield f"match {match.id}, answer {found.meant.ply}, seat {found.meant.seat}: {bot} answers {same}"
        yield f"    {_line(found.meant)}"
        for title, text in (("note", found.meant.note), ("says", found.meant.said)):
            if text:
                yield f'    {title}: "{text}"'
    if found.failure:
        yield f"{bot} failed: {found.failure}"
    if found.output:
        yield f"{bot} printed:"
        yield from (f"    {line}" for line in found.output.splitlines())


def _line(asked: RepeatedAnswer) -> str:
    return f"{asked.ply}. {asked.move}    [recorded: {asked.recorded}; legal: {', '.join(asked.legal)}]"


def again_json(match: StoredMatch, bot: str, found: RepeatedQuestions) -> dict[str, Any]:
    """Return what --json prints."""
    return {
        "match": match.id,
        "bot": bot,
        "answer": None if found.meant is None else asdict(found.meant),
        "before": len(found.before),
        "otherwise": [asdict(each) for each in found.otherwise],
        "failure": found.failure or None,
        "output": found.output,
    }
