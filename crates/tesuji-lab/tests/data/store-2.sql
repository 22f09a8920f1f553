-- A match of five games with an engine: it disputed two results and forfeited one game. As the second version of the format keeps it.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);
INSERT INTO config VALUES(1,'a76db56074ed58e694f7511c14745f73','uct',replace('about = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 0.7\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(2,'460e55338330c93425501c4ca00ef7fb','gtp:sh passer.sh',replace('gtp = "sh passer.sh"\n','\n',char(10)));
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
INSERT INTO game VALUES(1,'5eec23a7598f29c841e782aafc61c969',1,1,1581874391266251051,'B1 A3 A2 B2','B1 A3 A2 B2 B3 PASS PASS','c7269439047526e71913c7409aed74f9',1.0,'B+3.5','rules',NULL,'gtp:sh passer.sh says W+9',0.035049534000000000244);
INSERT INTO game VALUES(2,'9bfd78eabdbc16ef4a207c9d14dcf70a',1,0,6021159766364162440,'B1 A3 A2 B2','B1 A3 A2 B2 PASS A1 PASS PASS','cede19e19ad81b8933aeafb45204bcb0',1.0,'W+3.5','rules',NULL,NULL,0.063461643999999997611);
INSERT INTO game VALUES(3,'042cc8fd0af2cfafae6bbcd2f4dd8d9e',2,1,6833213272393667893,'A3 C3 A1 C2','A3 C3 A1 C2 B3 PASS PASS','b485223cc123d53a9821d637172efe54',1.0,'B+0.5','rules',NULL,NULL,0.029907054999999998362);
INSERT INTO game VALUES(4,'899f23db585795fe3b0146e5a395100e',2,0,-6816910262278460160,'A3 C3 A1 C2','A3 C3 A1 C2','d082f33c7fbe84bfa349982bac7e9911',1.0,'W+F','forfeit','the engine is gone and did not answer `genmove b`; it last wrote: disk full',NULL,0.10874589199999999677);
INSERT INTO game VALUES(5,'a7f1558cb0dc101dc037ff929cf9b38b',3,1,5740620688136992529,'A1 C1 B2 A3','A1 C1 B2 A3 C2 PASS PASS','0908f05701507f0917134c998a54bc39',1.0,'B+0.5','rules',NULL,'gtp:sh passer.sh says W+9',0.073526531000000006077);
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
INSERT INTO move VALUES(1,4,1,'B3',3,0.19999998807907104492,10,7.3407999999999999185e-05,11,2347);
INSERT INTO move VALUES(1,5,0,'PASS',NULL,NULL,0,0.0034559450000000001973,0,0);
INSERT INTO move VALUES(1,6,1,'PASS',10,1.0,10,1.0214000000000000801e-05,11,2347);
INSERT INTO move VALUES(2,4,0,'PASS',NULL,NULL,0,0.0040207639999999995883,0,0);
INSERT INTO move VALUES(2,5,1,'A1',3,0.69999998807907104492,10,3.5496000000000000316e-05,11,2347);
INSERT INTO move VALUES(2,6,0,'PASS',NULL,NULL,0,0.0080039650000000000379,0,0);
INSERT INTO move VALUES(2,7,1,'PASS',10,1.0,10,1.1393999999999999668e-05,11,2347);
INSERT INTO move VALUES(3,4,1,'B3',4,0.39999997615814208984,10,3.6621000000000000556e-05,11,2347);
INSERT INTO move VALUES(3,5,0,'PASS',NULL,NULL,0,1.6977000000000000255e-05,0,0);
INSERT INTO move VALUES(3,6,1,'PASS',10,1.0,10,1.8720000000000000338e-06,11,2347);
INSERT INTO move VALUES(5,4,1,'C2',2,0.89999997615814208984,10,3.7480000000000000294e-05,11,2347);
INSERT INTO move VALUES(5,5,0,'PASS',NULL,NULL,0,0.0094988499999999996548,0,0);
INSERT INTO move VALUES(5,6,1,'PASS',10,1.0,10,9.2569999999999996306e-06,11,2347);
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
INSERT INTO event VALUES(1,'2026-11-23T18:33:14Z','run','{"match":"match","version":"0.1.0 (117f7a245de8)","games":5,"threads":1,"sprt":null}');
INSERT INTO event VALUES(2,'2026-11-23T18:33:14Z','end','{"match":"match","seconds":0.384624038,"stopped":false,"process_bytes_peak":12095488}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'match','match','',replace('game = "go:3"\nkomi = "0.5"\nseed = 2\nlongest = 30\n\n[limit]\nplayouts = 10\n\n[openings]\nrandom-plies = 4\n\n[a]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[a.select]\nkind = "uct"\nc = 0.7\n\n[a.backup]\nkind = "mean"\n\n[a.playout]\nkind = "uniform"\n\n[a.parallel]\nkind = "serial"\n\n[a.memory]\n\n[a.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[a.amaf]\ncounts = "wide"\nalloc = 0\n\n[b]\ngtp = "sh passer.sh"\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:33:14Z');
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;
INSERT INTO conditions VALUES(1,'4713a409f4600c201f920d8041544254',replace('game = "go:3"\nkomi = "0.5"\nseed = 2\nlongest = 30\n\n[limit]\nplayouts = 10\n\n[openings]\nrandom-plies = 4\n','\n',char(10)));
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
INSERT INTO pair VALUES(3,1,1,2,2,0);
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
INSERT INTO "match" VALUES(0,'match',1,1,2,'uct','gtp:sh passer.sh',5,NULL,'','',NULL);
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
COMMIT;
PRAGMA user_version = 2;
PRAGMA foreign_keys=ON;
