PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);
INSERT INTO config VALUES(1,'6d6870135debca77d6a13b82697f7fd8','graver2',replace('about = "GRAVER², two-level search with node recycling in 160 nodes (Rautureau, Cazenave & Piette 2026)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = true\n\n[select]\nkind = "grave"\nbias = 0.01\nreference = 25\nc = 0.0\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "mast"\nepsilon = 0.4\nkeep = 0.2\n\n[parallel]\nkind = "serial"\n\n[memory]\nnodes = 160\n\n[two_level]\nlambda = 0.5\nplayouts = 80\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "narrow"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(2,'68f53148d554db02a105803789db5aed','rave,parallel=root,parallel.threads=2',replace('about = "RAVE with the schedule of least mean squared error (Gelly & Silver 2011) and MAST playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "grave"\nbias = 0.01\nreference = 0\nc = 0.0\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "mast"\nepsilon = 0.4\nkeep = 0.2\n\n[parallel]\nkind = "root"\nthreads = 2\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "narrow"\nalloc = 0\n','\n',char(10)));
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
INSERT INTO game VALUES(1,'afc0195e67db5cb531d2a3896b12fdd3',1,0,5495476099872273528,'c4 c1','c4 c1 d1 b3 d2 a2 a4 c2 d3','f334eb38e55bbd60d95f2436fd8f76eb',0.0,'B+','rules',NULL,NULL,0.00062215399999999997961);
INSERT INTO game VALUES(2,'e8b5670672ea61dee513463dc24208ae',1,1,6154168212232252006,'c4 c1','c4 c1 d4 b3 a4 c2 d2 d1 d3 a2 c3 b4 a3 a1 b2 b1','87f5acbb8526b5a34374f96b94ae604a',0.0,'W+','rules',NULL,NULL,0.0045283850000000002225);
INSERT INTO game VALUES(3,'3de02b294006702eeaa819513406521d',2,1,8482142481488399929,'b4 c3','b4 c3 d2 b3 d1 d3 b1 a3','34dbc3776273fa629c418677757c0eb9',0.0,'W+','rules',NULL,NULL,0.00027991600000000000812);
INSERT INTO game VALUES(4,'6b04a9ab3c46666830c5e37ac958d501',2,0,4892685527886601869,'b4 c3','b4 c3 a3 a2 c2 d3 b3 b1 c4 d1 c1','b9aa6b0e9af3df1e5d2c749395a82f39',0.0,'B+','rules',NULL,NULL,0.00051576799999999999903);
INSERT INTO game VALUES(5,'cc817d2e7da14e32e6f99a5ba0ab21a9',3,1,-8184492444954788990,'c2 d1','c2 d1 a3 c1 c4 a1 a4 b3 a2 b1','82d799fa4aa59558c45ef2e9fa8de768',0.0,'W+','rules',NULL,NULL,0.00037514399999999999829);
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
INSERT INTO move VALUES(1,2,0,'d1',10,0.53333330154418945312,30,0.00024987199999999999558,32,12362);
INSERT INTO move VALUES(1,3,1,'b3',30,0.13333332538604736328,30,5.0494000000000001391e-05,29,16965);
INSERT INTO move VALUES(1,4,0,'d2',6,0.70000004768371582031,30,0.00014093199999999999846,32,12362);
INSERT INTO move VALUES(1,5,1,'a2',30,0.0,30,2.3393000000000001166e-05,29,16965);
INSERT INTO move VALUES(1,6,0,'a4',16,0.89999997615814208984,30,4.9475999999999998603e-05,32,12362);
INSERT INTO move VALUES(1,7,1,'c2',30,0.06666666269302368164,30,1.2919999999999999965e-05,29,16965);
INSERT INTO move VALUES(1,8,0,'d3',11,0.89999997615814208984,30,8.8375999999999995462e-05,32,12362);
INSERT INTO move VALUES(2,2,1,'d4',30,0.3333333134651184082,30,8.2368999999999996906e-05,31,16965);
INSERT INTO move VALUES(2,3,0,'b3',10,0.56666660308837890625,30,0.0036308579999999998286,32,12362);
INSERT INTO move VALUES(2,4,1,'a4',30,0.19999998807907104492,30,4.43679999999999994e-05,31,16965);
INSERT INTO move VALUES(2,5,0,'c2',7,0.69999998807907104492,30,0.0001542819999999999977,32,12362);
INSERT INTO move VALUES(2,6,1,'d2',30,0.13333332538604736328,30,2.4918000000000000966e-05,31,16965);
INSERT INTO move VALUES(2,7,0,'d1',15,0.53333330154418945312,30,5.8053000000000001355e-05,32,12362);
INSERT INTO move VALUES(2,8,1,'d3',30,0.06666666269302368164,30,2.4904000000000000763e-05,31,16965);
INSERT INTO move VALUES(2,9,0,'a2',13,0.96666669845581054687,30,0.00010020200000000000048,32,12362);
INSERT INTO move VALUES(2,10,1,'c3',30,0.0,30,1.9281000000000000558e-05,31,16965);
INSERT INTO move VALUES(2,11,0,'b4',13,1.0,30,0.0002791070000000000096,32,12362);
INSERT INTO move VALUES(2,12,1,'a3',30,0.0,30,1.8193000000000000133e-05,31,16965);
INSERT INTO move VALUES(2,13,0,'a1',28,1.0,30,4.8038999999999998638e-05,32,12362);
INSERT INTO move VALUES(2,14,1,'b2',30,0.0,30,8.6209999999999992826e-06,31,16965);
INSERT INTO move VALUES(2,15,0,'b1',30,1.0,30,2.6021000000000000401e-05,32,12362);
INSERT INTO move VALUES(3,2,1,'d2',30,0.39999997615814208984,30,5.2574000000000001807e-05,31,16977);
INSERT INTO move VALUES(3,3,0,'b3',13,0.73333334922790527343,30,7.438700000000000455e-05,32,12362);
INSERT INTO move VALUES(3,4,1,'d1',30,0.16666668653488159179,30,3.1325999999999997889e-05,31,16977);
INSERT INTO move VALUES(3,5,0,'d3',7,0.63333332538604736328,30,5.4839999999999996713e-05,32,12362);
INSERT INTO move VALUES(3,6,1,'b1',30,0.0,30,2.3379000000000000963e-05,31,16977);
INSERT INTO move VALUES(3,7,0,'a3',11,1.0,30,3.8714999999999997787e-05,32,12362);
INSERT INTO move VALUES(4,2,0,'a3',7,0.29999998211860656738,30,7.4579000000000005422e-05,32,12362);
INSERT INTO move VALUES(4,3,1,'a2',30,0.46666663885116577148,30,4.2490000000000001456e-05,31,16971);
INSERT INTO move VALUES(4,4,0,'c2',9,0.46666663885116577148,30,0.00014714700000000000587,32,12362);
INSERT INTO move VALUES(4,5,1,'d3',30,0.3333333134651184082,30,3.0685999999999997241e-05,31,16971);
INSERT INTO move VALUES(4,6,0,'b3',7,0.6666666269302368164,30,8.9765000000000005377e-05,32,12362);
INSERT INTO move VALUES(4,7,1,'b1',30,0.033333361148834228515,30,1.2859000000000000041e-05,31,16971);
INSERT INTO move VALUES(4,8,0,'c4',8,0.89999997615814208984,30,6.0516000000000001323e-05,32,12362);
INSERT INTO move VALUES(4,9,1,'d1',30,0.10000002384185791015,30,1.2054000000000000125e-05,31,16971);
INSERT INTO move VALUES(4,10,0,'c1',19,0.76666665077209472656,30,3.8105999999999997349e-05,32,12362);
INSERT INTO move VALUES(5,2,1,'a3',30,0.5,30,4.555399999999999787e-05,31,16985);
INSERT INTO move VALUES(5,3,0,'c1',7,0.53333330154418945312,30,0.0001218939999999999954,32,12362);
INSERT INTO move VALUES(5,4,1,'c4',30,0.10000002384185791015,30,3.1513000000000001351e-05,31,16985);
INSERT INTO move VALUES(5,5,0,'a1',8,0.83333337306976318359,30,6.6512000000000002868e-05,32,12362);
INSERT INTO move VALUES(5,6,1,'a4',30,0.10000002384185791015,30,1.9443999999999998827e-05,31,16985);
INSERT INTO move VALUES(5,7,0,'b3',8,0.86666667461395263671,30,4.0179000000000002741e-05,32,12362);
INSERT INTO move VALUES(5,8,1,'a2',30,0.13333332538604736328,30,1.3765999999999999997e-05,31,16985);
INSERT INTO move VALUES(5,9,0,'b1',10,0.63333332538604736328,30,3.0670999999999998231e-05,32,12362);
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
INSERT INTO event VALUES(1,'2026-11-23T18:09:42Z','run','{"match":"match","version":"0.1.0 (117f7a245de8)","games":5,"threads":2,"sprt":null}');
INSERT INTO event VALUES(2,'2026-11-23T18:09:42Z','end','{"match":"match","seconds":0.00594597,"stopped":false,"process_bytes_peak":13262848}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'match','match','',replace('game = "hex:4"\nseed = 7\nlongest = 2000\n\n[limit]\nplayouts = 30\n\n[openings]\nrandom-plies = 2\n\n[a]\nabout = "GRAVER², two-level search with node recycling in 160 nodes (Rautureau, Cazenave & Piette 2026)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = true\n\n[a.select]\nkind = "grave"\nbias = 0.01\nreference = 25\nc = 0.0\n\n[a.backup]\nkind = "mean"\n\n[a.playout]\nkind = "mast"\nepsilon = 0.4\nkeep = 0.2\n\n[a.parallel]\nkind = "serial"\n\n[a.memory]\nnodes = 160\n\n[a.two_level]\nlambda = 0.5\nplayouts = 80\nshare = true\ngive_up = 0.0\n\n[a.amaf]\ncounts = "narrow"\nalloc = 0\n\n[b]\nabout = "RAVE with the schedule of least mean squared error (Gelly & Silver 2011) and MAST playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[b.select]\nkind = "grave"\nbias = 0.01\nreference = 0\nc = 0.0\n\n[b.backup]\nkind = "mean"\n\n[b.playout]\nkind = "mast"\nepsilon = 0.4\nkeep = 0.2\n\n[b.parallel]\nkind = "root"\nthreads = 2\n\n[b.memory]\n\n[b.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[b.amaf]\ncounts = "narrow"\nalloc = 0\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:42Z');
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;
INSERT INTO conditions VALUES(1,'4fd3154d63460217194c03e84342efd3',replace('game = "hex:4"\nseed = 7\nlongest = 2000\n\n[limit]\nplayouts = 30\n\n[openings]\nrandom-plies = 2\n','\n',char(10)));
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
INSERT INTO "match" VALUES(0,'match',1,1,2,'graver2','rave,parallel=root,parallel.threads=2',5,NULL,'','',NULL);
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
COMMIT;
PRAGMA user_version = 2;
