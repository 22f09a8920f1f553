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
INSERT INTO event VALUES(1,'2026-11-23T18:09:41Z','run','{"version":"0.1.0 (117f7a245de8)","threads":1}');
INSERT INTO event VALUES(2,'2026-11-23T18:09:41Z','end','{"stopped":false}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'incentives','incentives','the order of incentives, learned on small sums',replace('kind = "incentives"\nname = "incentives"\nabout = "the order of incentives, learned on small sums"\nheaps = 3\ncounters = 3\ngames = 10\n\n[[learning]]\nname = "maxi"\nseries = "p"\npaper = 66.56\nsimulations = 9\nreading = "p"\n\n[[learning]]\nname = "rand"\npolicy = "rand"\nsimulations = 30\n\n[[learning]]\nname = "tree"\nreading = "tree"\nsimulations = 30\nepsilon = 0.1\nseed = 5\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:41Z');
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
INSERT INTO cell VALUES(1,'5d51297e49b22b88d3c8ed4ca4a26b72',replace('heaps = 3\ncounters = 3\nsimulations = 9\npolicy = "maxi"\nepsilon = 0.0\nreading = "p"\nexploration = 20.0\nseed = 1\nlist = "top-first"\n','\n',char(10)),'["ride","ride_with_ties","rave","rave_left","to_come","untied_pairs","tied_pairs","seconds"]');
INSERT INTO cell VALUES(2,'e3bfe0cc9659e5bed288ee23983c3488',replace('heaps = 3\ncounters = 3\nsimulations = 30\npolicy = "rand"\nepsilon = 0.0\nreading = "p"\nexploration = 20.0\nseed = 1\nlist = "top-first"\n','\n',char(10)),'["ride","ride_with_ties","rave","rave_left","to_come","untied_pairs","tied_pairs","seconds"]');
INSERT INTO cell VALUES(3,'b9f60feea3c4faa22a31211646c8918e',replace('heaps = 3\ncounters = 3\nsimulations = 30\npolicy = "maxi"\nepsilon = 0.10000000149011612\nreading = "tree"\nexploration = 20.0\nseed = 5\nlist = "random"\n','\n',char(10)),'["ride","ride_with_ties","rave","rave_left","to_come","untied_pairs","tied_pairs","seconds"]');
CREATE TABLE trial (
    cell    INTEGER NOT NULL REFERENCES cell,
    number  INTEGER NOT NULL,
    figures TEXT NOT NULL,              -- JSON: a list of numbers, null where there is none
    PRIMARY KEY (cell, number)
) STRICT, WITHOUT ROWID;
INSERT INTO trial VALUES(1,0,'[44.44444444444444,44.44444444444444,51.851851851851855,50,66.66666666666667,27,0,0.000016455]');
INSERT INTO trial VALUES(1,1,'[66.66666666666667,64.81481481481481,66.66666666666667,62.5,79.16666666666667,24,3,0.000006393]');
INSERT INTO trial VALUES(1,2,'[65.38461538461539,64.81481481481481,50,51.92307692307692,75,26,1,0.000005599]');
INSERT INTO trial VALUES(1,3,'[92.3076923076923,90.74074074074075,57.69230769230769,67.3076923076923,61.53846153846154,26,1,0.000006044]');
INSERT INTO trial VALUES(1,4,'[73.07692307692308,72.22222222222223,53.84615384615385,51.92307692307692,69.23076923076923,26,1,0.000005458]');
INSERT INTO trial VALUES(1,5,'[69.56521739130434,66.66666666666667,82.6086956521739,58.69565217391305,80.43478260869566,23,4,0.000005147]');
INSERT INTO trial VALUES(1,6,'[73.07692307692308,72.22222222222223,61.53846153846154,69.23076923076923,88.46153846153847,26,1,0.000005419]');
INSERT INTO trial VALUES(1,7,'[52,51.851851851851855,68,54,60,25,2,0.000004739]');
INSERT INTO trial VALUES(1,8,'[79.16666666666667,75.92592592592592,79.16666666666667,64.58333333333333,83.33333333333333,24,3,0.000004566]');
INSERT INTO trial VALUES(1,9,'[50,50,71.15384615384616,65.38461538461539,78.84615384615384,26,1,0.000005066]');
INSERT INTO trial VALUES(2,0,'[44.44444444444444,44.44444444444444,59.25925925925926,59.25925925925926,70.37037037037037,27,0,0.000014777]');
INSERT INTO trial VALUES(2,1,'[83.33333333333333,79.62962962962963,87.5,75,79.16666666666667,24,3,0.000018687]');
INSERT INTO trial VALUES(2,2,'[92.3076923076923,90.74074074074075,80.76923076923077,92.3076923076923,84.61538461538461,26,1,0.000015311]');
INSERT INTO trial VALUES(2,3,'[88.46153846153847,87.03703703703704,92.3076923076923,88.46153846153847,84.61538461538461,26,1,0.000015036]');
INSERT INTO trial VALUES(2,4,'[61.53846153846154,61.111111111111114,80.76923076923077,84.61538461538461,84.61538461538461,26,1,0.000013673]');
INSERT INTO trial VALUES(2,5,'[73.91304347826087,70.37037037037037,86.95652173913044,78.26086956521739,95.65217391304348,23,4,0.000015361]');
INSERT INTO trial VALUES(2,6,'[84.61538461538461,83.33333333333333,88.46153846153847,69.23076923076923,98.07692307692308,26,1,0.000013153]');
INSERT INTO trial VALUES(2,7,'[52,51.851851851851855,76,72,72,25,2,0.000014134]');
INSERT INTO trial VALUES(2,8,'[91.66666666666667,87.03703703703704,66.66666666666667,83.33333333333333,87.5,24,3,0.000012984]');
INSERT INTO trial VALUES(2,9,'[92.3076923076923,90.74074074074075,61.53846153846154,84.61538461538461,73.07692307692308,26,1,0.000014905]');
INSERT INTO trial VALUES(3,0,'[61.53846153846154,61.111111111111114,65.38461538461539,86.53846153846153,73.07692307692308,26,1,0.000018226]');
INSERT INTO trial VALUES(3,1,'[54.166666666666664,53.7037037037037,75,75,70.83333333333333,24,3,0.000012291]');
INSERT INTO trial VALUES(3,2,'[88.46153846153847,87.03703703703704,46.15384615384615,73.07692307692308,88.46153846153847,26,1,0.000015015]');
INSERT INTO trial VALUES(3,3,'[60,59.25925925925926,64,60,72,25,2,0.000015022]');
INSERT INTO trial VALUES(3,4,'[57.69230769230769,57.407407407407405,73.07692307692308,76.92307692307692,57.69230769230769,26,1,0.000014586]');
INSERT INTO trial VALUES(3,5,'[55.55555555555556,55.55555555555556,48.148148148148145,70.37037037037037,85.18518518518519,27,0,0.000011944]');
INSERT INTO trial VALUES(3,6,'[84.61538461538461,83.33333333333333,53.84615384615385,69.23076923076923,76.92307692307692,26,1,0.000013829]');
INSERT INTO trial VALUES(3,7,'[73.07692307692308,72.22222222222223,69.23076923076923,53.84615384615385,73.07692307692308,26,1,0.000013364]');
INSERT INTO trial VALUES(3,8,'[81.48148148148148,81.48148148148148,59.25925925925926,74.07407407407408,77.77777777777777,27,0,0.000013731]');
INSERT INTO trial VALUES(3,9,'[61.53846153846154,61.111111111111114,57.69230769230769,57.69230769230769,92.3076923076923,26,1,0.000014512]');
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
INSERT INTO part VALUES(0,'maxi',1,10);
INSERT INTO part VALUES(1,'rand',2,10);
INSERT INTO part VALUES(2,'tree',3,10);
COMMIT;
PRAGMA user_version = 2;
