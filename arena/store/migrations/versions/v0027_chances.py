"""The chances to win, whose table is that of a package now.

It goes where it is empty; otherwise it is of the package's version 1, which knows matches by id and digest alone.
"""

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, LargeBinary, String, text

revision = "0027"
down_revision = "0026"

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Hand the table over."""
    connection = op.get_bind()
    if connection.execute(text("SELECT 1 FROM chances LIMIT 1")).first() is None:
        op.drop_table("chances")
        return
    if connection.dialect.name == "sqlite":
        _rebuild()
    else:
        op.add_column("chances", Column("digest", LargeBinary))
        op.execute("UPDATE chances SET digest = matches.digest FROM matches WHERE matches.id = chances.match_id")
        op.alter_column("chances", "digest", nullable=False)
        op.drop_constraint("chances_match_id_fkey", "chances", type_="foreignkey")
    op.execute("INSERT INTO feature_tables (name, version) VALUES ('insight', 1)")


def _rebuild() -> None:
    """Make the table anew, as SQLite can neither drop a foreign key nor add a column that is not null."""
    op.execute(
        "CREATE TEMPORARY TABLE kept AS "
        "SELECT chances.*, matches.digest FROM chances JOIN matches ON matches.id = chances.match_id"
    )
    op.drop_table("chances")
    op.create_table(
        "chances",
        Column("match_id", Long, primary_key=True, autoincrement=False),
        Column("perspective", Integer, primary_key=True),
        Column("behaviour", Integer, primary_key=True),
        Column("policy", String(64), primary_key=True),
        Column("playouts", Integer, primary_key=True),
        Column("seed", Long, nullable=False),
        Column("packed", LargeBinary, nullable=False),
        Column("created", String(32), nullable=False),
        Column("digest", LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO chances SELECT * FROM kept")
    op.execute("DROP TABLE kept")
