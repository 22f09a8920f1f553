PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);
INSERT INTO config VALUES(1,'a76db56074ed58e694f7511c14745f73','uct',replace('about = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 0.7\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(2,'6d08e1e5d312d4b19d710dc2df6f9c02','random',replace('kind = "random"\n','\n',char(10)));
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
INSERT INTO game VALUES(1,'24d56d0a0fb8ac85ea91209d48035ccd',1,1,-320572002314132903,'b2 b1','b2 b1 a1 a2 c3','11b01de4de59da90b7364420d347e492',1.0,'B+','rules',NULL,NULL,0.0020159489999999999527);
INSERT INTO game VALUES(2,'4e56e4daf8e8ce032e84b90fc2892def',1,0,-6428882005354775639,'a2 c1','a2 c1 a1 a3 c3 b2','dd0fe9bdda4ccfd1d9180bbe29d22879',1.0,'W+','rules',NULL,NULL,0.0020041640000000001189);
INSERT INTO game VALUES(3,'3a34fc38b27661850a9d5770b95db896',2,1,3041002831841965381,'a3 b2','a3 b2 a2 c2 a1','465bf5b01971c2df74a4323b6566f7e1',1.0,'B+','rules',NULL,NULL,0.0020109369999999999675);
INSERT INTO game VALUES(4,'acb83bc7f495ca214306fbfe9a96985d',2,0,-8599284349947644099,'c3 a2','c3 a2 b2 a1 b3 a3','3dfdd9ebc3d6a32650362a80c463bd2b',1.0,'W+','rules',NULL,NULL,0.0020089550000000002023);
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
INSERT INTO move VALUES(1,2,1,'a1',3646,0.92499458789825439453,4593,0.0010106119999999999253,1421,43074);
INSERT INTO move VALUES(1,3,0,'a2',NULL,0.5,0,3.9200000000000001613e-07,0,0);
INSERT INTO move VALUES(1,4,1,'c3',4536,0.99210023880004882812,9937,0.0010011060000000000878,1421,43074);
INSERT INTO move VALUES(2,2,0,'a1',NULL,0.5,0,4.5600000000000000689e-07,0,0);
INSERT INTO move VALUES(2,3,1,'a3',1441,0.02634054422378540039,7441,0.0010009909999999999034,394,43074);
INSERT INTO move VALUES(2,4,0,'c3',NULL,0.5,0,2.7099999999999997821e-07,0,0);
INSERT INTO move VALUES(2,5,1,'b2',25020,0.99928116798400878906,25041,0.0010009999999999999367,394,43074);
INSERT INTO move VALUES(3,2,1,'a2',668,0.50835847854614257812,3649,0.0010050650000000000815,1325,43074);
INSERT INTO move VALUES(3,3,0,'c2',NULL,0.5,0,4.2399999999999998506e-07,0,0);
INSERT INTO move VALUES(3,4,1,'a1',4558,0.99330419301986694335,10305,0.0010018060000000000506,1325,43074);
INSERT INTO move VALUES(4,2,0,'b2',NULL,0.5,0,9.3399999999999997251e-07,0,0);
INSERT INTO move VALUES(4,3,1,'a1',1446,0.026363253593444824218,6657,0.0010032800000000000571,518,43074);
INSERT INTO move VALUES(4,4,0,'b3',NULL,0.5,0,3.2399999999999998957e-07,0,0);
INSERT INTO move VALUES(4,5,1,'a3',24937,0.99923878908157348632,24961,0.0010007099999999999242,518,43074);
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
INSERT INTO event VALUES(1,'2026-11-23T18:09:43Z','run','{"match":"match","version":"0.1.0 (117f7a245de8)","games":4,"threads":1,"sprt":null}');
INSERT INTO event VALUES(2,'2026-11-23T18:09:43Z','end','{"match":"match","seconds":0.020610102,"stopped":false,"process_bytes_peak":12357632}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'match','match','',replace('game = "tic-tac-toe"\nseed = 1\nlongest = 2000\nunpaired = true\n\n[limit]\nmilliseconds = 1\n\n[openings]\nrandom-plies = 2\n\n[a]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[a.select]\nkind = "uct"\nc = 0.7\n\n[a.backup]\nkind = "mean"\n\n[a.playout]\nkind = "uniform"\n\n[a.parallel]\nkind = "serial"\n\n[a.memory]\n\n[a.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[a.amaf]\ncounts = "wide"\nalloc = 0\n\n[b]\nkind = "random"\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:43Z');
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;
INSERT INTO conditions VALUES(1,'646db9b4c14f29ac5306747b2e55e5b9',replace('game = "tic-tac-toe"\nseed = 1\nlongest = 2000\nunpaired = true\n\n[limit]\nmilliseconds = 1\n\n[openings]\nrandom-plies = 2\n','\n',char(10)));
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
INSERT INTO "match" VALUES(0,'match',1,1,2,'uct','random',4,NULL,'','',NULL);
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
COMMIT;
PRAGMA user_version = 2;
