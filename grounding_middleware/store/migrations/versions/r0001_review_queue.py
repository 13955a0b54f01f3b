"""Review queue: items and append-only rulings."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

SERIAL = sa.BigInteger().with_variant(sa.Integer, "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """From an empty database."""
    op.create_table(
        "review_items",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("answer_id", sa.String(200), nullable=False),
        sa.Column("report_sha256", sa.String(64), nullable=False),
        sa.Column("action", sa.String(20), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("rank", sa.SmallInteger, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("reviewer", sa.String(200), nullable=False),
        sa.Column("leased_until", MOMENT, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("decided_at", MOMENT, nullable=True),
        sa.Column("claims", sa.Integer, nullable=False),
        sa.Column("unsupported", sa.Integer, nullable=False),
        sa.Column("report", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_review_items"),
        sa.UniqueConstraint("answer_id", "report_sha256", name="uq_review_items_answer_id_report_sha256"),
    )
    op.create_index("ix_review_items_all", "review_items", ["rank", "created_at", "id"])
    op.create_index("ix_review_items_next", "review_items", ["state", "rank", "created_at", "id", "leased_until"])
    op.create_table(
        "review_rulings",
        sa.Column("number", SERIAL, autoincrement=True, nullable=False),
        sa.Column("item_id", sa.String(16), nullable=False),
        sa.Column("on_claim", sa.SmallInteger, nullable=False),
        sa.Column("ruling", sa.String(10), nullable=False),
        sa.Column("was", sa.String(30), nullable=False),
        sa.Column("reviewer", sa.String(200), nullable=False),
        sa.Column("given_at", MOMENT, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_review_rulings"),
        sa.ForeignKeyConstraint(["item_id"], ["review_items.id"], name="fk_review_rulings_item_id"),
    )
    op.create_index("ix_review_rulings_item", "review_rulings", ["item_id", "number"])
    for statement in _append_only(op.get_bind().dialect.name, "review_rulings"):
        op.execute(statement)


def downgrade() -> None:
    """Refused: it would lose rulings of people."""
    raise NotImplementedError("going back would lose data; restore a backup instead")


def _append_only(dialect: str, table: str) -> list[str]:
    """Triggers by which the database itself refuses to change or delete a row, whatever tool asks."""
    if dialect == "sqlite":
        return [
            f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            for verb in ("UPDATE", "DELETE")
        ]
    function = (
        "CREATE OR REPLACE FUNCTION grounding_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    trigger = (
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION grounding_append_only()"
    )
    return [function, trigger]
