PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);
INSERT INTO config VALUES(1,'98d04f029b86a46f57c54bee27a427b4','maxi',replace('about = "UCT with MAXI playouts: the move of the greatest incentive, learned online (Kao, Wu, Yen & Shan 2013)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 0.7\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "maxi"\nepsilon = 0.0\namong = 0\nkeep = true\nlist = "random"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(2,'68d504e5364572a0eb7ab150ce38eceb','power-uct',replace('about = "UCT with the power mean of the children, p = 2 (Power-UCT, Dam et al. 2019)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 0.7\n\n[backup]\nkind = "power-mean"\np = 2.0\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
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
INSERT INTO game VALUES(1,'5bc82472147e5305360f0561c8aa26a2',1,1,-320572002314132903,'e1f3 a8b6','e1f3 a8b6 e2f4 b7a5 f2g4 b6d5 g1e2 e7c6 b2c4 c6d4 a1b3 c8e7 f4e6 f7h6 f3d4 e8f6','03244579403fd30b9cfa6c593b5ce238',0.5,'0','length',NULL,NULL,0.00027543300000000000378);
INSERT INTO game VALUES(2,'65b97d75525c63df62161927b45b4e77',1,0,-6428882005354775639,'e1f3 a8b6','e1f3 a8b6 d2c4 b7a5 c2e3 a5b3 h1g3 e7d5 g3e4 d5c3 g2f4 d8c6 f3e5 c3d1','15b1b89bf4fb9f9ae8a788870cb53ed7',1.0,'W+','rules',NULL,NULL,0.00020099000000000001196);
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
INSERT INTO move VALUES(1,2,1,'e2f4',1,0.0,5,4.5235000000000003123e-05,6,1053623);
INSERT INTO move VALUES(1,3,0,'b7a5',1,0.77459669113159179687,5,1.5424000000000000047e-05,6,2999);
INSERT INTO move VALUES(1,4,1,'f2g4',1,0.0,5,2.2549999999999999244e-05,6,1053623);
INSERT INTO move VALUES(1,5,0,'b6d5',1,0.0,5,8.5930000000000005674e-06,6,2999);
INSERT INTO move VALUES(1,6,1,'g1e2',1,0.0,5,2.2030000000000000835e-05,6,1053623);
INSERT INTO move VALUES(1,7,0,'e7c6',1,0.77459669113159179687,5,1.1719999999999999596e-05,6,2999);
INSERT INTO move VALUES(1,8,1,'b2c4',1,0.0,5,2.3095000000000001649e-05,6,1053623);
INSERT INTO move VALUES(1,9,0,'c6d4',1,0.77459669113159179687,5,7.8709999999999996872e-06,6,2999);
INSERT INTO move VALUES(1,10,1,'a1b3',1,0.0,5,2.6978000000000001571e-05,6,1053623);
INSERT INTO move VALUES(1,11,0,'c8e7',1,0.77459669113159179687,5,5.7030000000000002848e-06,6,2999);
INSERT INTO move VALUES(1,12,1,'f4e6',1,0.19999998807907104492,5,2.5375999999999998952e-05,6,1053623);
INSERT INTO move VALUES(1,13,0,'f7h6',1,0.63245552778244018554,5,5.2379999999999996549e-06,6,2999);
INSERT INTO move VALUES(1,14,1,'f3d4',1,0.80000001192092895507,5,1.1380999999999999961e-05,6,1053623);
INSERT INTO move VALUES(1,15,0,'e8f6',1,0.44721359014511108398,5,6.3509999999999998407e-06,6,2999);
INSERT INTO move VALUES(2,2,0,'d2c4',1,0.77459669113159179687,5,1.342000000000000026e-05,6,2999);
INSERT INTO move VALUES(2,3,1,'b7a5',1,0.0,5,2.3376999999999999967e-05,6,1053623);
INSERT INTO move VALUES(2,4,0,'c2e3',1,0.77459669113159179687,5,1.2289999999999999221e-05,6,2999);
INSERT INTO move VALUES(2,5,1,'a5b3',1,0.0,5,2.1659000000000000491e-05,6,1053623);
INSERT INTO move VALUES(2,6,0,'h1g3',1,0.77459669113159179687,5,6.8040000000000004165e-06,6,2999);
INSERT INTO move VALUES(2,7,1,'e7d5',1,0.0,5,1.8669000000000000318e-05,6,1053623);
INSERT INTO move VALUES(2,8,0,'g3e4',1,0.63245552778244018554,5,7.5929999999999999772e-06,6,2999);
INSERT INTO move VALUES(2,9,1,'d5c3',1,0.19999998807907104492,5,1.9020000000000000854e-05,6,1053623);
INSERT INTO move VALUES(2,10,0,'g2f4',1,0.44721359014511108398,5,5.1279999999999998608e-06,6,2999);
INSERT INTO move VALUES(2,11,1,'d8c6',1,0.80000001192092895507,5,1.5590000000000001507e-05,6,1053623);
INSERT INTO move VALUES(2,12,0,'f3e5',1,0.63245552778244018554,5,5.968000000000000289e-06,6,2999);
INSERT INTO move VALUES(2,13,1,'c3d1',1,1.0,5,1.2599000000000000836e-05,6,1053623);
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
INSERT INTO event VALUES(1,'2026-11-23T18:09:42Z','run','{"match":"match","version":"0.1.0 (117f7a245de8)","games":2,"threads":2,"sprt":null}');
INSERT INTO event VALUES(2,'2026-11-23T18:09:42Z','end','{"match":"match","seconds":0.006685522,"stopped":false,"process_bytes_peak":15622144}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'match','match','',replace('game = "knightthrough"\nseed = 1\nlongest = 16\n\n[limit]\nplayouts = 5\n\n[openings]\nrandom-plies = 2\n\n[a]\nabout = "UCT with MAXI playouts: the move of the greatest incentive, learned online (Kao, Wu, Yen & Shan 2013)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[a.select]\nkind = "uct"\nc = 0.7\n\n[a.backup]\nkind = "mean"\n\n[a.playout]\nkind = "maxi"\nepsilon = 0.0\namong = 0\nkeep = true\nlist = "random"\n\n[a.parallel]\nkind = "serial"\n\n[a.memory]\n\n[a.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[a.amaf]\ncounts = "wide"\nalloc = 0\n\n[b]\nabout = "UCT with the power mean of the children, p = 2 (Power-UCT, Dam et al. 2019)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[b.select]\nkind = "uct"\nc = 0.7\n\n[b.backup]\nkind = "power-mean"\np = 2.0\n\n[b.playout]\nkind = "uniform"\n\n[b.parallel]\nkind = "serial"\n\n[b.memory]\n\n[b.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[b.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:42Z');
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;
INSERT INTO conditions VALUES(1,'34d2b852451320e6e09f815e6689469d',replace('game = "knightthrough"\nseed = 1\nlongest = 16\n\n[limit]\nplayouts = 5\n\n[openings]\nrandom-plies = 2\n','\n',char(10)));
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
INSERT INTO "match" VALUES(0,'match',1,1,2,'maxi','power-uct',2,NULL,'','',NULL);
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
COMMIT;
PRAGMA user_version = 2;
