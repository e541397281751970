"""Databases of older versions of arena, made of new ones."""

TO_VERSION_10 = """
ALTER TABLE matches DROP COLUMN standstill_ms;
ALTER TABLE events DROP COLUMN log_entries;
ALTER TABLE events DROP COLUMN log_digest;
DROP INDEX entrants_by_name;
DROP TABLE entry_rivals;
DROP TABLE webhook_deliveries;
DROP TABLE webhooks;
DROP TABLE account_tokens;
DROP TABLE account_invitations;
DROP INDEX accounts_by_login;
ALTER TABLE accounts DROP COLUMN login;
DROP TABLE hand_ins;
DROP TABLE league_ratings;
DROP TABLE total_sums;
DROP TABLE closed_names;
DROP TABLE chances;
DROP TABLE runs;
DROP TABLE snapshots;
DROP TABLE batch_attempts;
DROP TABLE batches;
DROP TABLE entries;
DROP TABLE league_log;
DROP TABLE seasons;
DROP TABLE leagues;
UPDATE alembic_version SET version_num = '0010';
"""
"""Takes from a database what came after version 10: leagues, hand-ins, tokens, webhooks, pauses, ends of logs."""
