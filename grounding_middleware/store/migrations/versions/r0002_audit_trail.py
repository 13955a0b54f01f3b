"""Audit trail: records of the hash chain. Their content may be emptied (a purge), nothing else may change."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_KEPT = ("seq", "recorded_at", "kind", "subject", "head")


def upgrade() -> None:
    """From a database that has the review queue alone."""
    op.create_table(
        "audit_records",
        sa.Column("seq", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("head", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=True),
        sa.PrimaryKeyConstraint("seq", name="pk_audit_records"),
    )
    op.create_index("ix_audit_records_subject", "audit_records", ["subject"])
    op.create_index("ix_audit_records_recorded_at", "audit_records", ["recorded_at"])
    for statement in _only_purged(op.get_bind().dialect.name):
        op.execute(statement)


def downgrade() -> None:
    """Refused: it would lose the proof."""
    raise NotImplementedError("going back would lose data; restore a backup instead")


def _only_purged(dialect: str) -> list[str]:
    """Triggers by which the database itself refuses any change but emptying a content, whatever tool asks."""
    on = {
        "sqlite": ("IS NOT", "BEGIN SELECT RAISE(ABORT, 'audit_records is append-only'); END", "DELETE", ""),
        "postgresql": (
            "IS DISTINCT FROM",
            "EXECUTE FUNCTION grounding_append_only()",
            "DELETE OR TRUNCATE",
            "STATEMENT",
        ),
    }
    other, refusal, removal, each = on[dialect]
    changed = " OR ".join(f"NEW.{name} {other} OLD.{name}" for name in _KEPT)
    update = (
        "CREATE TRIGGER audit_records_no_update BEFORE UPDATE ON audit_records FOR EACH ROW "
        f"WHEN (NEW.content IS NOT NULL OR {changed}) {refusal}"
    )
    delete = (
        f"CREATE TRIGGER audit_records_no_delete BEFORE {removal} ON audit_records "
        f"{each and f'FOR EACH {each}'} {refusal}"
    )
    return [update, delete]
