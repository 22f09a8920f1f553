PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);
INSERT INTO config VALUES(1,'0eb9738a619242eb87acc2f4cb4eb8b5','puct,root=dirichlet',replace('about = "PUCT with the game''s own priors and uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "puct"\nc = 0.5\nfirst_play = "parent"\ncount = "own-included"\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[root]\nkind = "dirichlet"\ntotal = 10.83\nshare = 0.25\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(2,'cb2da371abd8991c070a0ba3b4173396','flat-mc',replace('about = "flat Monte Carlo: the same number of playouts for each move, the best mean is played"\nfinal_move = "max"\nsolver = false\ndepth = 1\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "round-robin"\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
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
INSERT INTO game VALUES(1,'d2b735c145c7eb98cbbe6b0c5e929ced',1,1,-320572002314132903,'2','2 3 4 2 1 4','321cf284956d83484d1d4ba419b26da6',0.0,'W+','rules',NULL,NULL,8.0384999999999996924e-05);
INSERT INTO game VALUES(2,'6ab17d20ecbbcce8b76d318d5c8020d1',2,1,3041002831841965381,'1','1 0 1 3 4 2','ac163e5193ec8ec19b44761c665dfb5c',1.0,'B+','rules',NULL,NULL,2.6333000000000000124e-05);
INSERT INTO game VALUES(3,'1d1dcc23134d619a7cd9c476889311fe',1,0,-6428882005354775639,'2','2 3 1 1 0 1','d659295196b5b5c288e4104b6cb3c454',1.0,'W+','rules',NULL,NULL,2.9051999999999998994e-05);
INSERT INTO game VALUES(4,'9802cf2cd2e7039fe79a442f5fc8ce69',2,0,-8599284349947644099,'1','1 1 4 0 4 1','1f3bb34c44c88566b4c357176628b454',1.0,'W+','rules',NULL,NULL,2.5610000000000000439e-05);
INSERT INTO game VALUES(5,'8812026e49023f083b5668996461f88a',3,1,532645858609700449,'3','3 4 4 0 3 4','8aef4560446c99bfe8c3662f2a21ee9b',0.0,'W+','rules',NULL,NULL,2.2390999999999999579e-05);
INSERT INTO game VALUES(6,'b8756be7d4e5958845d3ba2f6bb9a68a',3,0,6808002294353126820,'3','3 1 1 3 0 4','8a07d5b36c08969e98ed18571e8d3559',1.0,'W+','rules',NULL,NULL,2.9456999999999999352e-05);
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
INSERT INTO move VALUES(1,1,0,'3',6,0.63333332538604736328,30,2.9564999999999998996e-05,6,687);
INSERT INTO move VALUES(1,2,1,'4',11,0.10000002384185791015,30,2.7047000000000000403e-05,31,4731);
INSERT INTO move VALUES(1,3,0,'2',6,0.86666667461395263671,30,2.3669999999999999532e-06,6,687);
INSERT INTO move VALUES(1,4,1,'1',14,0.0,30,1.7099000000000000103e-05,31,4731);
INSERT INTO move VALUES(1,5,0,'4',6,1.0,30,1.5990000000000000642e-06,6,687);
INSERT INTO move VALUES(2,1,0,'0',6,0.39999997615814208984,30,3.4240000000000001666e-06,6,687);
INSERT INTO move VALUES(2,2,1,'1',16,0.80000001192092895507,30,1.3516999999999999501e-05,31,4731);
INSERT INTO move VALUES(2,3,0,'3',6,0.30000001192092895507,30,2.251000000000000132e-06,6,687);
INSERT INTO move VALUES(2,4,1,'4',27,0.89999997615814208984,30,4.1189999999999998654e-06,31,4731);
INSERT INTO move VALUES(2,5,0,'2',6,0.0,30,1.6830000000000000222e-06,6,687);
INSERT INTO move VALUES(3,1,1,'3',19,0.86666667461395263671,30,1.4783000000000000593e-05,31,4823);
INSERT INTO move VALUES(3,2,0,'1',6,0.16666668653488159179,30,2.4190000000000000481e-06,6,687);
INSERT INTO move VALUES(3,3,1,'1',10,0.96666669845581054687,30,6.6470000000000000559e-06,31,4823);
INSERT INTO move VALUES(3,4,0,'0',6,0.0,30,1.6950000000000000767e-06,6,687);
INSERT INTO move VALUES(3,5,1,'1',8,1.0,30,2.4530000000000000614e-06,31,4823);
INSERT INTO move VALUES(4,1,1,'1',26,0.80000001192092895507,30,1.135500000000000055e-05,19,4771);
INSERT INTO move VALUES(4,2,0,'4',6,0.30000001192092895507,30,2.4810000000000000475e-06,6,687);
INSERT INTO move VALUES(4,3,1,'0',24,0.76666665077209472656,30,6.4960000000000001465e-06,19,4771);
INSERT INTO move VALUES(4,4,0,'4',6,0.46666663885116577148,30,2.1220000000000001814e-06,6,687);
INSERT INTO move VALUES(4,5,1,'1',28,0.93333333730697631835,30,1.9659999999999998961e-06,19,4771);
INSERT INTO move VALUES(5,1,0,'4',6,0.93333333730697631835,30,3.0149999999999999324e-06,6,687);
INSERT INTO move VALUES(5,2,1,'4',13,0.033333361148834228515,30,1.1008000000000000315e-05,31,4771);
INSERT INTO move VALUES(5,3,0,'0',6,0.96666669845581054687,30,1.8720000000000000338e-06,6,687);
INSERT INTO move VALUES(5,4,1,'3',7,0.0,30,3.9790000000000003588e-06,31,4771);
INSERT INTO move VALUES(5,5,0,'4',6,1.0,30,1.5239999999999999353e-06,6,687);
INSERT INTO move VALUES(6,1,1,'1',25,0.86666667461395263671,30,1.382800000000000042e-05,31,4851);
INSERT INTO move VALUES(6,2,0,'1',6,0.033333361148834228515,30,2.151999999999999894e-06,6,687);
INSERT INTO move VALUES(6,3,1,'3',18,0.89999997615814208984,30,6.6449999999999999058e-06,31,4851);
INSERT INTO move VALUES(6,4,0,'0',6,0.23333334922790527343,30,1.8410000000000000341e-06,6,687);
INSERT INTO move VALUES(6,5,1,'4',11,0.96666669845581054687,30,2.1370000000000000377e-06,31,4851);
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
INSERT INTO event VALUES(1,'2026-11-23T18:09:42Z','run','{"match":"match","version":"0.1.0 (117f7a245de8)","games":6,"threads":2,"sprt":null}');
INSERT INTO event VALUES(2,'2026-11-23T18:09:42Z','end','{"match":"match","seconds":0.001136339,"stopped":false,"process_bytes_peak":13008896}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'match','match','',replace('game = "p-game:5,6,3"\nseed = 1\nlongest = 2000\n\n[limit]\nplayouts = 30\n\n[openings]\nrandom-plies = 1\n\n[a]\nabout = "PUCT with the game''s own priors and uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[a.select]\nkind = "puct"\nc = 0.5\nfirst_play = "parent"\ncount = "own-included"\n\n[a.backup]\nkind = "mean"\n\n[a.playout]\nkind = "uniform"\n\n[a.parallel]\nkind = "serial"\n\n[a.root]\nkind = "dirichlet"\ntotal = 10.83\nshare = 0.25\n\n[a.memory]\n\n[a.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[a.amaf]\ncounts = "wide"\nalloc = 0\n\n[b]\nabout = "flat Monte Carlo: the same number of playouts for each move, the best mean is played"\nfinal_move = "max"\nsolver = false\ndepth = 1\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[b.select]\nkind = "round-robin"\n\n[b.backup]\nkind = "mean"\n\n[b.playout]\nkind = "uniform"\n\n[b.parallel]\nkind = "serial"\n\n[b.memory]\n\n[b.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[b.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:42Z');
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;
INSERT INTO conditions VALUES(1,'5d350229ccddf44b3d5b0e3457ed18de',replace('game = "p-game:5,6,3"\nseed = 1\nlongest = 2000\n\n[limit]\nplayouts = 30\n\n[openings]\nrandom-plies = 1\n','\n',char(10)));
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
INSERT INTO "match" VALUES(0,'match',1,1,2,'puct,root=dirichlet','flat-mc',6,NULL,'','',NULL);
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
COMMIT;
PRAGMA user_version = 2;
