"""Review queue: the content of a ruling may be emptied (a purge); nothing else of it may change, and no row may go."""

from alembic import op

revision = "0003"
down_revision = "0002"

_KEPT = ("number", "item_id", "on_claim", "ruling", "was", "reviewer", "given_at")


def upgrade() -> None:
    """From a database that keeps rulings for good."""
    for statement in _only_purged(op.get_bind().dialect.name):
        op.execute(statement)


def downgrade() -> None:
    """Refused: what was emptied cannot be filled again."""
    raise NotImplementedError("going back would lose data; restore a backup instead")


def _only_purged(dialect: str) -> list[str]:
    """Triggers by which the database itself refuses any change but emptying a content, whatever tool asks."""
    update = "CREATE TRIGGER review_rulings_no_update BEFORE UPDATE ON review_rulings FOR EACH ROW WHEN"
    if dialect == "sqlite":
        refusal = "BEGIN SELECT RAISE(ABORT, 'review_rulings is append-only'); END"
        return ["DROP TRIGGER review_rulings_no_update", f"{update} ({_changed('IS NOT')}) {refusal}"]
    refusal = "EXECUTE FUNCTION grounding_append_only()"
    delete = "CREATE TRIGGER review_rulings_no_delete BEFORE DELETE OR TRUNCATE ON review_rulings FOR EACH STATEMENT"
    return [
        "DROP TRIGGER review_rulings_append_only ON review_rulings",
        f"{update} ({_changed('IS DISTINCT FROM')}) {refusal}",
        f"{delete} {refusal}",
    ]


def _changed(other: str) -> str:
    return " OR ".join(["NEW.content <> ''", *(f"NEW.{name} {other} OLD.{name}" for name in _KEPT)])
