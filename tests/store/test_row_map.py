"""Rows as values, and back."""

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Column, Integer, MetaData, String, Table, create_engine, insert, select

from arena.store.engine.row_map import TUPLE, RowMap, Stored

METADATA = MetaData()
OWLS = Table(
    "owls",
    METADATA,
    Column("key", Integer, primary_key=True),
    Column("name", String(8)),
    Column("marks", String(80)),
    Column("low", Integer),
    Column("high", Integer),
)
NESTS = Table("nests", METADATA, Column("owl", Integer), Column("place", String(8)))


class Span(NamedTuple):
    low: int
    high: int


@dataclass(frozen=True)
class Owl:
    id: int
    span: Span
    name: str | None
    nest: str
    marks: tuple[int, ...]


class Nest(NamedTuple):
    owl: int
    place: str


OWL = RowMap(
    Owl,
    OWLS,
    id=Stored(columns=(OWLS.c.key,)),
    span=Stored(Span, columns=(OWLS.c.low, OWLS.c.high)),
    nest=Stored(str.upper, columns=(NESTS.c.place,)),
    marks=TUPLE,
)


def test_a_row_is_loaded_as_the_value_that_was_saved() -> None:
    owl, nest = Owl(7, Span(1, 2), None, "ELM", (3, 4)), Nest(7, "elm")
    nests = RowMap(Nest, NESTS)
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        METADATA.create_all(connection)
        connection.execute(insert(OWLS).values(low=1, high=2, **OWL.values(owl)))
        connection.execute(insert(NESTS).values(nests.values(nest)))
        query = select(*OWL.columns, OWLS.c.high).join_from(OWLS, NESTS, NESTS.c.owl == OWLS.c.key)
        assert OWL.load(connection.execute(query).one()) == owl, "what follows is left alone"
        assert nests.load(connection.execute(select(*nests.columns)).one()) == nest
    engine.dispose()


def test_what_is_saved_are_the_columns_of_the_table_that_are_a_field_each() -> None:
    assert OWL.values(Owl(7, Span(1, 2), "Bubo", "elm", (3, 4))) == {"key": 7, "name": "Bubo", "marks": "[3, 4]"}
