PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);
INSERT INTO config VALUES(1,'0af566ed534822636a91db94d330db94','max-mcts',replace('about = "UCT with MaxMCTS(lambda), lambda = 0.8 (Khandelwal et al. 2016)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 0.7\n\n[backup]\nkind = "max-mcts"\nlambda = 0.8\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(2,'40d10ba28bf28cdcfdc2827dd1696828','uct-solver,final_move={secure=0.5}',replace('about = "UCT that proves wins, losses and draws"\nsolver = true\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 0.7\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[final_move]\nsecure = 0.5\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
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
INSERT INTO game VALUES(1,'2dec5bdf4dcb09463ac51f4e2b1c1f2a',1,1,-320572002314132903,'a1 a3','a1 a3 d1 b2 d3 b4','fa1b4a2ad08615bebc55597148cd8580',0.0,'W+','rules',NULL,NULL,4.515199999999999731e-05);
INSERT INTO game VALUES(2,'c20384ecccba67cd7a58e7f21e4f87ec',1,0,-6428882005354775639,'a1 a3','a1 a3 c1 c3 b1 a4 d1 c4','9f45186016a902827fa7e492ed5d2c9a',1.0,'W+','rules',NULL,NULL,2.2985000000000001007e-05);
INSERT INTO game VALUES(3,'8ee03775dca897e08fa15a48bfa02426',2,1,3041002831841965381,'b2','b2 c2 d3 a1 c3 a4 a2 c1','020f42b452acc015b8b12a5687158bd6',0.0,'W+','rules',NULL,NULL,2.7639000000000000832e-05);
INSERT INTO game VALUES(4,'95647d6d1e14b421eb98541319a7eca2',2,0,-8599284349947644099,'b2','b2 a1 c2 c1 d3 b4 a3','4bbbfbe9f073f24f28638a0b74b19b61',0.0,'B+','rules',NULL,NULL,2.520700000000000108e-05);
INSERT INTO game VALUES(5,'c1f44fe51d978f98e3e3822ad0bebe9b',3,1,532645858609700449,'a1 a3','a1 a3 b1 c2 c3 c1 d3 a4','d7284ac9adf6e11baa0ccc698b64683b',0.0,'W+','rules',NULL,NULL,2.2549999999999999244e-05);
INSERT INTO game VALUES(6,'46bb54e0cde523492d34b98de0994c52',3,0,6808002294353126820,'a1 a3','a1 a3 c2 c4 b1 c1 d2 a4','dc78a5452bf931b5cac0b3c295039862',1.0,'W+','rules',NULL,NULL,2.1183000000000000305e-05);
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
INSERT INTO move VALUES(1,2,1,'d1',6,0.49178665876388549804,25,2.7140999999999999843e-05,26,2755);
INSERT INTO move VALUES(1,3,0,'b2',9,1.0,24,9.7839999999999998367e-06,25,2755);
INSERT INTO move VALUES(1,4,1,'d3',13,0.0,25,5.1009999999999999504e-06,26,2755);
INSERT INTO move VALUES(1,5,0,'b4',1,1.0,1,5.9200000000000000711e-07,25,2755);
INSERT INTO move VALUES(2,2,0,'c1',6,0.43999999761581420898,25,6.4409999999999998261e-06,26,2755);
INSERT INTO move VALUES(2,3,1,'c3',15,0.61513912677764892578,25,6.1199999999999998498e-06,26,2755);
INSERT INTO move VALUES(2,4,0,'b1',7,0.0,14,2.8239999999999999824e-06,26,2755);
INSERT INTO move VALUES(2,5,1,'a4',12,0.96799999475479125976,25,3.8650000000000002645e-06,26,2755);
INSERT INTO move VALUES(2,6,0,'d1',2,0.0,2,5.5499999999999998015e-07,26,2755);
INSERT INTO move VALUES(2,7,1,'c4',25,1.0,25,1.5390000000000000034e-06,26,2755);
INSERT INTO move VALUES(3,1,0,'c2',4,0.19999998807907104492,25,6.3480000000000000393e-06,26,2755);
INSERT INTO move VALUES(3,2,1,'d3',9,0.63845396041870117187,25,6.2469999999999996503e-06,26,2755);
INSERT INTO move VALUES(3,3,0,'a1',11,1.0,24,5.0370000000000002236e-06,26,2755);
INSERT INTO move VALUES(3,4,1,'c3',10,0.093028545379638671875,25,4.665000000000000228e-06,26,2755);
INSERT INTO move VALUES(3,5,0,'a4',3,1.0,5,9.9900000000000009139e-07,26,2755);
INSERT INTO move VALUES(3,6,1,'a2',25,0.0,25,2.6520000000000001892e-06,26,2755);
INSERT INTO move VALUES(3,7,0,'c1',1,1.0,1,4.1300000000000000564e-07,26,2755);
INSERT INTO move VALUES(4,1,1,'a1',6,0.56920003890991210937,25,7.3760000000000001912e-06,26,2755);
INSERT INTO move VALUES(4,2,0,'c2',4,0.87999999523162841796,25,5.5879999999999996921e-06,26,2755);
INSERT INTO move VALUES(4,3,1,'c1',8,0.1601676344871520996,25,5.1349999999999999637e-06,26,2755);
INSERT INTO move VALUES(4,4,0,'d3',5,1.0,11,2.2809999999999998449e-06,26,2755);
INSERT INTO move VALUES(4,5,1,'b4',13,0.0,25,3.1619999999999999647e-06,26,2755);
INSERT INTO move VALUES(4,6,0,'a3',1,1.0,1,3.9599999999999999903e-07,26,2755);
INSERT INTO move VALUES(5,2,1,'b1',7,0.24642664194107055664,25,6.0979999999999998914e-06,26,2755);
INSERT INTO move VALUES(5,3,0,'c2',11,1.0,20,4.5519999999999997855e-06,21,2755);
INSERT INTO move VALUES(5,4,1,'c3',13,0.0,25,4.9039999999999999728e-06,26,2755);
INSERT INTO move VALUES(5,5,0,'c1',3,1.0,5,9.7199999999999996871e-07,21,2755);
INSERT INTO move VALUES(5,6,1,'d3',25,0.0,25,2.5189999999999999379e-06,26,2755);
INSERT INTO move VALUES(5,7,0,'a4',1,1.0,1,3.7000000000000000444e-07,21,2755);
INSERT INTO move VALUES(6,2,0,'c2',7,0.68000000715255737304,25,6.0870000000000003357e-06,26,2755);
INSERT INTO move VALUES(6,3,1,'c4',13,0.66207063198089599609,25,5.6720000000000000734e-06,24,2755);
INSERT INTO move VALUES(6,4,0,'b1',6,0.0,11,2.2620000000000001114e-06,26,2755);
INSERT INTO move VALUES(6,5,1,'c1',24,0.95999997854232788085,25,3.8249999999999998003e-06,24,2755);
INSERT INTO move VALUES(6,6,0,'d2',2,0.0,2,5.4899999999999995292e-07,26,2755);
INSERT INTO move VALUES(6,7,1,'a4',25,1.0,25,1.5209999999999999215e-06,24,2755);
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
INSERT INTO event VALUES(1,'2026-11-23T18:09:41Z','run','{"match":"match","version":"0.1.0 (117f7a245de8)","games":6,"threads":2,"sprt":null}');
INSERT INTO event VALUES(2,'2026-11-23T18:09:41Z','end','{"match":"match","seconds":0.001098616,"stopped":false,"process_bytes_peak":12218368}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'match','match','',replace('game = "domineering:4x4"\nseed = 1\nlongest = 2000\n\n[limit]\nplayouts = 25\n\n[openings]\nlines = ["a1 a3", "b2"]\n\n[a]\nabout = "UCT with MaxMCTS(lambda), lambda = 0.8 (Khandelwal et al. 2016)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[a.select]\nkind = "uct"\nc = 0.7\n\n[a.backup]\nkind = "max-mcts"\nlambda = 0.8\n\n[a.playout]\nkind = "uniform"\n\n[a.parallel]\nkind = "serial"\n\n[a.memory]\n\n[a.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[a.amaf]\ncounts = "wide"\nalloc = 0\n\n[b]\nabout = "UCT that proves wins, losses and draws"\nsolver = true\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[b.select]\nkind = "uct"\nc = 0.7\n\n[b.backup]\nkind = "mean"\n\n[b.playout]\nkind = "uniform"\n\n[b.parallel]\nkind = "serial"\n\n[b.final_move]\nsecure = 0.5\n\n[b.memory]\n\n[b.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[b.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:41Z');
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;
INSERT INTO conditions VALUES(1,'4a5bd80a08eeb55e8643d07459830205',replace('game = "domineering:4x4"\nseed = 1\nlongest = 2000\n\n[limit]\nplayouts = 25\n\n[openings]\nlines = ["a1 a3", "b2"]\n','\n',char(10)));
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
INSERT INTO "match" VALUES(0,'match',1,1,2,'max-mcts','uct-solver,final_move={secure=0.5}',6,NULL,'','',NULL);
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
COMMIT;
PRAGMA user_version = 2;
