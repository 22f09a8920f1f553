PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);
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
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
INSERT INTO event VALUES(1,'2026-11-23T18:09:43Z','run','{"version":"0.1.0 (117f7a245de8)","threads":1}');
INSERT INTO event VALUES(2,'2026-11-23T18:09:43Z','end','{"stopped":false}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'points','points','matches for points on small sums',replace('kind = "points"\nname = "points"\nabout = "matches for points on small sums"\nheaps = 2\ncounters = 3\npairs = 6\n\n[[match]]\nname = "maxi-rand"\na = "maxi"\nb = "rand"\nsimulations = 12\nseries = "searches"\n\n[[match]]\nname = "thermostrat-perfect"\na = "thermostrat"\nb = "perfect"\n\n[[match]]\nname = "kept"\na = "maxi"\nb = "greedy"\nsimulations = 12\nkeeps = true\nreading = "p"\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:43Z');
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;
CREATE TABLE pair (
    id         INTEGER PRIMARY KEY,
    conditions INTEGER NOT NULL REFERENCES conditions,
    a          INTEGER NOT NULL REFERENCES config,
    b          INTEGER NOT NULL REFERENCES config,
    opening    INTEGER NOT NULL,
    replica    INTEGER NOT NULL,
    UNIQUE (conditions, a, b, opening, replica)
) STRICT;
CREATE TABLE cell (
    id      INTEGER PRIMARY KEY,
    hash    TEXT NOT NULL UNIQUE,
    spec    TEXT NOT NULL,              -- canonical TOML
    columns TEXT NOT NULL               -- JSON: what the figures of a trial are called
) STRICT;
INSERT INTO cell VALUES(1,'c0d9402fc60f0f0c74f06b8f897b00d9',replace('a = "maxi"\nb = "rand"\nheaps = 2\ncounters = 3\nsimulations = 12\nreading = "tree"\nkeeps = false\nepsilon = 0.0\nexploration = 20.0\nseed = 1\n','\n',char(10)),'["points","regret_a","moves_a","flawless_a","regret_b","moves_b","flawless_b"]');
INSERT INTO cell VALUES(2,'7ad48b3c66bc3756c13aa3269890e3e2',replace('a = "thermostrat"\nb = "perfect"\nheaps = 2\ncounters = 3\nsimulations = 0\nreading = "tree"\nkeeps = false\nepsilon = 0.0\nexploration = 20.0\nseed = 1\n','\n',char(10)),'["points","regret_a","moves_a","flawless_a","regret_b","moves_b","flawless_b"]');
INSERT INTO cell VALUES(3,'07ee81b29d6c9f17a1bdc9cecd0fedfd',replace('a = "maxi"\nb = "greedy"\nheaps = 2\ncounters = 3\nsimulations = 12\nreading = "p"\nkeeps = true\nepsilon = 0.0\nexploration = 20.0\nseed = 1\n','\n',char(10)),'["points","regret_a","moves_a","flawless_a","regret_b","moves_b","flawless_b"]');
CREATE TABLE trial (
    cell    INTEGER NOT NULL REFERENCES cell,
    number  INTEGER NOT NULL,
    figures TEXT NOT NULL,              -- JSON: a list of numbers, null where there is none
    PRIMARY KEY (cell, number)
) STRICT, WITHOUT ROWID;
INSERT INTO trial VALUES(1,0,'[0,0,3,2,0,3,2]');
INSERT INTO trial VALUES(1,1,'[0,2,5,1,2,5,1]');
INSERT INTO trial VALUES(1,2,'[0,2,4,1,2,4,1]');
INSERT INTO trial VALUES(1,3,'[0,0,4,2,0,4,2]');
INSERT INTO trial VALUES(1,4,'[-4,4,5,1,0,5,2]');
INSERT INTO trial VALUES(1,5,'[0,0,3,2,0,3,2]');
INSERT INTO trial VALUES(2,0,'[0,0,3,2,0,3,2]');
INSERT INTO trial VALUES(2,1,'[0,0,3,2,0,3,2]');
INSERT INTO trial VALUES(2,2,'[-2,2,4,1,0,5,2]');
INSERT INTO trial VALUES(2,3,'[0,0,4,2,0,4,2]');
INSERT INTO trial VALUES(2,4,'[0,0,4,2,0,4,2]');
INSERT INTO trial VALUES(2,5,'[0,0,3,2,0,3,2]');
INSERT INTO trial VALUES(3,0,'[0,0,3,2,0,3,2]');
INSERT INTO trial VALUES(3,1,'[-2,2,4,1,0,4,2]');
INSERT INTO trial VALUES(3,2,'[2,0,5,2,2,4,1]');
INSERT INTO trial VALUES(3,3,'[0,0,4,2,0,4,2]');
INSERT INTO trial VALUES(3,4,'[8,0,4,2,8,3,1]');
INSERT INTO trial VALUES(3,5,'[0,0,3,2,0,3,2]');
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
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
INSERT INTO part VALUES(0,'maxi-rand',1,6);
INSERT INTO part VALUES(1,'thermostrat-perfect',2,6);
INSERT INTO part VALUES(2,'kept',3,6);
COMMIT;
PRAGMA user_version = 2;
