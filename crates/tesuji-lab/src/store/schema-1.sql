-- One row: what this store is about. A store never changes its experiment.
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,
    spec    TEXT NOT NULL,              -- canonical TOML
    hash    TEXT NOT NULL,
    version TEXT NOT NULL,              -- of the program that created it
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
);

-- The agents.
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);

-- Two games from one opening with colours swapped.
CREATE TABLE pair (
    id      INTEGER PRIMARY KEY,
    a       INTEGER NOT NULL REFERENCES config,
    b       INTEGER NOT NULL REFERENCES config,
    opening INTEGER NOT NULL,
    replica INTEGER NOT NULL,
    UNIQUE (a, b, opening, replica)
);

-- Finished games only.
CREATE TABLE game (
    number     INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,    -- hash of experiment, agents, opening, colour, replica
    pair       INTEGER NOT NULL REFERENCES pair,
    a_first    INTEGER NOT NULL,        -- 1: a moved first
    seed       INTEGER NOT NULL,
    opening    TEXT NOT NULL,           -- moves given to both
    moves      TEXT NOT NULL,           -- all moves, the opening included
    moves_hash TEXT NOT NULL,           -- equal for equal games
    a_value    REAL NOT NULL,           -- 1 a won, 0.5 draw, 0 b won
    result     TEXT NOT NULL,           -- as in SGF: B+3.5, W+R, 0
    ending     TEXT NOT NULL,           -- rules, resign, forfeit, length, adjudicated
    detail     TEXT,                    -- why a game was forfeited
    dispute    TEXT,                    -- what an engine said of the result where it disagreed
    seconds    REAL NOT NULL,
    UNIQUE (pair, a_first)
);

-- What the searches of a game found, one row a searched move.
CREATE TABLE move (
    game        INTEGER NOT NULL REFERENCES game,
    ply         INTEGER NOT NULL,
    by_a        INTEGER NOT NULL,
    move        TEXT NOT NULL,
    visits      INTEGER,
    value       REAL,                   -- for the player to move
    simulations INTEGER NOT NULL,
    seconds     REAL NOT NULL,
    nodes_peak  INTEGER NOT NULL,
    bytes_peak  INTEGER NOT NULL,
    PRIMARY KEY (game, ply)
) WITHOUT ROWID;

-- What happened, for whoever has to judge the record.
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
