PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);
INSERT INTO config VALUES(1,'76f397002a726d386d2e5afa345493d5','thermostrat',replace('kind = "thermostrat"\n','\n',char(10)));
INSERT INTO config VALUES(2,'44ee8a9dc750e497d30740938f111692','softmax',replace('about = "UCT with Softmax MCTS: children weighted by n e^(w x), w = 0.01 N (Softmax and Monotone MCTS)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 0.7\n\n[backup]\nkind = "softmax"\nschedule = "linear"\nweight = 0.01\nknots = [0.0, 0.0, 0.0, 0.0, 0.0]\nsimulations = 5000\nown = "blend"\nerror = 0.0001\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
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
INSERT INTO game VALUES(1,'56f5a9a9342c6a7c1b4f2583c7e0bd77',1,1,-320572002314132903,'2.3 1.3','2.3 1.3 3.3 3.2','7e230d747ead0d6f2f72ef18e07bbaa7',1.0,'B+','rules',NULL,NULL,6.871900000000000393e-05);
INSERT INTO game VALUES(2,'6f8a6055e6ef241b588b084c39a8a562',1,0,-6428882005354775639,'2.3 1.3','2.3 1.3 3.3 3.2','7e230d747ead0d6f2f72ef18e07bbaa7',0.0,'B+','rules',NULL,NULL,2.4332000000000000138e-05);
INSERT INTO game VALUES(3,'6121088a256aa8e464706716894eed17',2,1,3041002831841965381,'2.3 1.3','2.3 1.3 3.3 3.2','7e230d747ead0d6f2f72ef18e07bbaa7',1.0,'B+','rules',NULL,NULL,1.3923000000000000358e-05);
INSERT INTO game VALUES(4,'5619e8a0e415e027c05abfb7e20072f8',2,0,-8599284349947644099,'2.3 1.3','2.3 1.3 3.3 3.2','7e230d747ead0d6f2f72ef18e07bbaa7',0.0,'B+','rules',NULL,NULL,1.5366000000000001619e-05);
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
INSERT INTO move VALUES(1,2,1,'3.3',NULL,0.5,0,9.565999999999999552e-06,0,0);
INSERT INTO move VALUES(1,3,0,'3.2',20,0.0,20,2.583199999999999933e-05,2,3759);
INSERT INTO move VALUES(2,2,0,'3.3',20,1.0,20,5.5609999999999997809e-06,3,3871);
INSERT INTO move VALUES(2,3,1,'3.2',NULL,0.5,0,2.1490000000000000922e-06,0,0);
INSERT INTO move VALUES(3,2,1,'3.3',NULL,0.5,0,2.0219999999999998681e-06,0,0);
INSERT INTO move VALUES(3,3,0,'3.2',20,0.0,20,2.7800000000000000648e-06,2,3927);
INSERT INTO move VALUES(4,2,0,'3.3',20,1.0,20,3.6600000000000001097e-06,3,3927);
INSERT INTO move VALUES(4,3,1,'3.2',NULL,0.5,0,1.1459999999999999121e-06,0,0);
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
INSERT INTO event VALUES(1,'2026-11-23T18:09:42Z','run','{"match":"match","version":"0.1.0 (117f7a245de8)","games":4,"threads":2,"sprt":null}');
INSERT INTO event VALUES(2,'2026-11-23T18:09:42Z','end','{"match":"match","seconds":0.003079366,"stopped":false,"process_bytes_peak":12881920}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'match','match','',replace('game = "heap-go:3x3,2"\nseed = 1\nlongest = 2000\n\n[limit]\nplayouts = 20\n\n[openings]\nrandom-plies = 2\n\n[a]\nkind = "thermostrat"\n\n[b]\nabout = "UCT with Softmax MCTS: children weighted by n e^(w x), w = 0.01 N (Softmax and Monotone MCTS)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[b.select]\nkind = "uct"\nc = 0.7\n\n[b.backup]\nkind = "softmax"\nschedule = "linear"\nweight = 0.01\nknots = [0.0, 0.0, 0.0, 0.0, 0.0]\nsimulations = 5000\nown = "blend"\nerror = 0.0001\n\n[b.playout]\nkind = "uniform"\n\n[b.parallel]\nkind = "serial"\n\n[b.memory]\n\n[b.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[b.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:42Z');
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;
INSERT INTO conditions VALUES(1,'93a2a57ee36295f7dcd6def907c57b32',replace('game = "heap-go:3x3,2"\nseed = 1\nlongest = 2000\n\n[limit]\nplayouts = 20\n\n[openings]\nrandom-plies = 2\n','\n',char(10)));
CREATE TABLE pair (
    id         INTEGER PRIMARY KEY,
    conditions INTEGER NOT NULL REFERENCES conditions,
    a          INTEGER NOT NULL REFERENCES config,
    b          INTEGER NOT NULL REFERENCES config,
    opening    INTEGER NOT NULL,
    replica    INTEGER NOT NULL,
    UNIQUE (conditions, a, b, opening, replica)
) STRICT;
INSERT INTO pair VALUES(1,1,1,2,0,0);
INSERT INTO pair VALUES(2,1,1,2,1,0);
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
INSERT INTO "match" VALUES(0,'match',1,1,2,'thermostrat','softmax',4,NULL,'','',NULL);
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
COMMIT;
PRAGMA user_version = 2;
