-- One store for all matches and trials of an experiment. Games and trials are found by what decides them, so that
-- they count wherever the same is asked for. What version 1 held is filled in by `migrate.rs`.

ALTER TABLE experiment RENAME TO experiment_1;
ALTER TABLE pair RENAME TO pair_1;

-- One row: what this store is about.
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;

-- What the agents of a game have in common.
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;

-- Two games from one opening with colours swapped.
CREATE TABLE pair (
    id         INTEGER PRIMARY KEY,
    conditions INTEGER NOT NULL REFERENCES conditions,
    a          INTEGER NOT NULL REFERENCES config,
    b          INTEGER NOT NULL REFERENCES config,
    opening    INTEGER NOT NULL,
    replica    INTEGER NOT NULL,
    UNIQUE (conditions, a, b, opening, replica)
) STRICT;

-- Trials that differ only in their number.
CREATE TABLE cell (
    id      INTEGER PRIMARY KEY,
    hash    TEXT NOT NULL UNIQUE,
    spec    TEXT NOT NULL,              -- canonical TOML
    columns TEXT NOT NULL               -- JSON: what the figures of a trial are called
) STRICT;

CREATE TABLE trial (
    cell    INTEGER NOT NULL REFERENCES cell,
    number  INTEGER NOT NULL,
    figures TEXT NOT NULL,              -- JSON: a list of numbers, null where there is none
    PRIMARY KEY (cell, number)
) STRICT, WITHOUT ROWID;

-- The matches that the experiment asks for, in its order.
CREATE TABLE match (
    position   INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    conditions INTEGER NOT NULL REFERENCES conditions,
    a          INTEGER NOT NULL REFERENCES config,
    b          INTEGER NOT NULL REFERENCES config,
    a_name     TEXT NOT NULL,           -- as this match calls the agent
    b_name     TEXT NOT NULL,
    games      INTEGER NOT NULL,        -- asked for: those of the first openings
    sprt       TEXT,                    -- JSON: the sequential test that may end it before
    claim      TEXT NOT NULL,
    series     TEXT NOT NULL,
    x          REAL
) STRICT;

-- The trials that it asks for, in its order.
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
