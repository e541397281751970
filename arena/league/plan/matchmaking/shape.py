"""How large batches are, and how they are drawn."""

from dataclasses import dataclass

from arena.league.plan.matchmaking.errors import DrawError


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of the batches of standing entries, and how they are drawn."""

    seats: int
    """The number of seats at a table."""
    entries: int = 8
    """The most entries that a batch brings together; each starts a process per rotation."""
    tables: int = 32
    """The number of tables of a batch."""
    deals: int = 25
    """The number of deals at each table."""
    random_percent: int = 20
    """The share of random batches, in which any entries meet, in percent."""
    weekly_floor: int = 100
    """The deals that every active entry has in seven days, as far as the machines can play that many."""
    referee_us_per_deal: int = 5_000
    """The CPU time of the referee for a deal in all rotations, in microseconds."""

    def __post_init__(self) -> None:
        """Raise DrawError if no batch has this shape."""
        _check_size(self.seats, self.entries, self.tables, self.deals)
        if not 0 <= self.random_percent <= 100:
            raise DrawError(f"{self.random_percent} % of batches cannot be random: choose 0 to 100")
        if self.weekly_floor < 0 or self.referee_us_per_deal < 1:
            raise DrawError("the weekly floor cannot be negative, and a referee takes a microsecond at least")


@dataclass(frozen=True, slots=True)
class PlacementShape:
    """The size of the batches of newcomers, small so that they soon have a rating.

    seats, entries, tables, deals: as in `Shape`.
    """

    seats: int
    entries: int = 8
    tables: int = 8
    deals: int = 6
    newcomers: int = 2
    """The most newcomers that one batch places; each has opponents of its own, so there are fewer where `entries` do
    not fill as many tables.
    """

    def __post_init__(self) -> None:
        """Raise DrawError if no batch has this shape."""
        _check_size(self.seats, self.entries, self.tables, self.deals)
        if not 1 <= self.newcomers <= self.tables:
            raise DrawError(
                f"{self.tables} tables cannot place {self.newcomers} newcomers: "
                "choose one at least, and a table for each"
            )


def _check_size(seats: int, entries: int, tables: int, deals: int) -> None:
    """Raise DrawError if no batch has this size."""
    if seats < 2:
        raise DrawError(f"a table has two seats at least, not {seats}")
    if entries < seats:
        raise DrawError(f"a batch of {entries} entries fills no table of {seats}: let it have {seats} at least")
    if tables < 1 or deals < 1:
        raise DrawError(f"a batch needs a table and a deal at least, not {tables} tables of {deals} deals")
