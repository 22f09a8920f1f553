PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);
INSERT INTO config VALUES(1,'835ffe4e5702c89b41f06e4d6b1acbe8','gtp:sh engine.sh',replace('gtp = "sh engine.sh"\n','\n',char(10)));
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
INSERT INTO game VALUES(1,'56641eb6f3e7a77394f0ef30614defbb',1,1,-320572002314132903,'A3 A2 B2 A1','A3 A2 B2 A1','01843fae707a77386f367ade819baea8',0.0,'W+F','forfeit','the engine is gone and did not answer `genmove b`',NULL,0.00021057000000000001172);
INSERT INTO game VALUES(2,'dc3b03dbdbfa8a5da762c6a4dd038513',1,0,-6428882005354775639,'A3 A2 B2 A1','A3 A2 B2 A1 B1 PASS PASS','7e5c8d0c5fda694c4bd1d71927f70889',0.0,'B+1.5','rules',NULL,'gtp:sh engine.sh says W+9',0.0011761650000000000663);
INSERT INTO game VALUES(3,'392540a2904d8ace64fe8268556c07bc',2,0,-8599284349947644099,'A3 B2 B1 C1','A3 B2 B1 C1 C2 PASS PASS','c789886e28803dc72bf61d512e3b4afe',1.0,'W+4.5','rules',NULL,NULL,0.00013580499999999999147);
INSERT INTO game VALUES(4,'c0c6d65c83b708dc6889fe9e4e17e108',3,1,532645858609700449,'A3 A2 C3 B3','A3 A2 C3 B3','7b225eb0f2510871b5cd8f8d39754a37',0.0,'W+F','forfeit','the engine is gone and did not answer `genmove b`; it last wrote: out of ideas',NULL,0.00020837899999999999153);
INSERT INTO game VALUES(5,'e14fdb2b35611eee61371d9cfb22edfe',2,1,3041002831841965381,'A3 B2 B1 C1','A3 B2 B1 C1 PASS PASS','b41ce8fe1dfa5eec46a202692e8909d3',0.0,'W+7.5','rules',NULL,NULL,0.00012880100000000000229);
INSERT INTO game VALUES(6,'8ce992f5338b754c73b71aab0079b22a',4,1,-6450322825794162960,'C3 A3 A2 C1','C3 A3 A2 C1 PASS PASS','593a69d17807cfa2faaa05bdf4a9faf2',0.0,'W+7.5','rules',NULL,'gtp:sh engine.sh says B+9',0.00013481100000000000743);
INSERT INTO game VALUES(7,'4d92b354c1f537f7538d9ec0a7e6eb55',4,0,-1057223448684110802,'C3 A3 A2 C1','C3 A3 A2 C1 B3 PASS B2 PASS PASS','f9bd26de663ce003ba3eff385b4c932f',1.0,'W+3.5','rules',NULL,'gtp:sh engine.sh says B+9',0.00015501999999999998961);
INSERT INTO game VALUES(8,'9a319cab5b8a1ced67580bb114724abd',3,0,6808002294353126820,'A3 A2 C3 B3','A3 A2 C3 B3 C1 PASS A1','4569d2926dfaa9f2efd1d43d353fd9de',0.0,'B+R','resign',NULL,NULL,0.0013517710000000000922);
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
INSERT INTO move VALUES(2,4,0,'B1',NULL,0.5,0,1.1960000000000000686e-06,0,0);
INSERT INTO move VALUES(2,5,1,'PASS',NULL,NULL,0,1.4837000000000000415e-05,0,0);
INSERT INTO move VALUES(2,6,0,'PASS',NULL,0.5,0,2.4600000000000000581e-07,0,0);
INSERT INTO move VALUES(3,4,0,'C2',NULL,0.5,0,3.5400000000000001996e-07,0,0);
INSERT INTO move VALUES(3,5,1,'PASS',NULL,NULL,0,1.1157000000000000074e-05,0,0);
INSERT INTO move VALUES(3,6,0,'PASS',NULL,0.5,0,3.9099999999999999393e-07,0,0);
INSERT INTO move VALUES(5,4,1,'PASS',NULL,NULL,0,1.6787999999999999185e-05,0,0);
INSERT INTO move VALUES(5,5,0,'PASS',NULL,0.5,0,3.4200000000000001841e-07,0,0);
INSERT INTO move VALUES(6,4,1,'PASS',NULL,NULL,0,1.5920000000000000041e-05,0,0);
INSERT INTO move VALUES(6,5,0,'PASS',NULL,0.5,0,2.5400000000000002449e-07,0,0);
INSERT INTO move VALUES(7,4,0,'B3',NULL,0.5,0,4.8400000000000004585e-07,0,0);
INSERT INTO move VALUES(7,5,1,'PASS',NULL,NULL,0,9.6339999999999995786e-06,0,0);
INSERT INTO move VALUES(7,6,0,'B2',NULL,0.5,0,3.3700000000000001332e-07,0,0);
INSERT INTO move VALUES(7,7,1,'PASS',NULL,NULL,0,9.4069999999999998887e-06,0,0);
INSERT INTO move VALUES(7,8,0,'PASS',NULL,0.5,0,3.2800000000000002543e-07,0,0);
INSERT INTO move VALUES(8,4,0,'C1',NULL,0.5,0,5.1999999999999999764e-07,0,0);
INSERT INTO move VALUES(8,5,1,'PASS',NULL,NULL,0,2.5638000000000000849e-05,0,0);
INSERT INTO move VALUES(8,6,0,'A1',NULL,0.5,0,3.0800000000000000511e-07,0,0);
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
INSERT INTO event VALUES(1,'2026-11-23T18:09:41Z','run','{"match":"match","version":"0.1.0 (117f7a245de8)","games":8,"threads":2,"sprt":null}');
INSERT INTO event VALUES(2,'2026-11-23T18:09:41Z','end','{"match":"match","seconds":0.013968374,"stopped":false,"process_bytes_peak":10817536}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'match','match','',replace('game = "go:3"\nkomi = "7.5"\nseed = 1\nlongest = 2000\n\n[limit]\nplayouts = 5\n\n[openings]\nrandom-plies = 4\n\n[a]\ngtp = "sh engine.sh"\n\n[b]\nkind = "random"\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:41Z');
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;
INSERT INTO conditions VALUES(1,'1da3251ff69e41d58ae28e79916f0a60',replace('game = "go:3"\nkomi = "7.5"\nseed = 1\nlongest = 2000\n\n[limit]\nplayouts = 5\n\n[openings]\nrandom-plies = 4\n','\n',char(10)));
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
INSERT INTO pair VALUES(4,1,1,2,3,0);
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
INSERT INTO "match" VALUES(0,'match',1,1,2,'gtp:sh engine.sh','random',8,NULL,'','',NULL);
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
COMMIT;
PRAGMA user_version = 2;
