-- Results that engines dispute, and games that were declared void. What the new columns say of older games is filled in
-- by `migrate.rs`.

ALTER TABLE game ADD COLUMN dispute_value REAL;     -- value for a of the engine that disputes the result

-- What this match makes of games whose result an engine disputes: void, board, opponent.
ALTER TABLE match ADD COLUMN disputed TEXT NOT NULL DEFAULT 'void';

-- Games that no longer count; others have been played in their places, or will be.
CREATE TABLE voided (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    number INTEGER NOT NULL,                -- of the game, while it counted
    pair   INTEGER NOT NULL REFERENCES pair,
    game   TEXT NOT NULL                    -- JSON: the whole row with what its searches found
) STRICT;
