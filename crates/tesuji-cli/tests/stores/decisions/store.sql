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
INSERT INTO event VALUES(1,'2026-11-23T18:09:40Z','run','{"version":"0.1.0 (117f7a245de8)","threads":1}');
INSERT INTO event VALUES(2,'2026-11-23T18:09:40Z','end','{"stopped":false}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'decisions','decisions','decisions at the roots of P-games',replace('kind = "decisions"\nname = "decisions"\nabout = "decisions at the roots of P-games"\ntrees = 12\nsimulations = [10, 40]\nbaseline = "mean"\n\n[[setting]]\nname = "U"\nbranching = 4\ndepth = 4\nrecipe = "uct"\nc = [0.5, 0.7]\n\n[[setting]]\nname = "N"\nbranching = 6\ndepth = 4\nvalues = { noise = 1, temperature = 0.2 }\nrecipe = "puct"\nc = [0.2]\n\n[[agent]]\nname = "mean"\n\n[[agent]]\nname = "softmax"\nparts = "backup=softmax,backup.schedule=knots,backup.simulations={simulations}"\nc = { N = [0.3] }\n\n[[agent]]\nname = "proving"\nparts = "solver=true"\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:40Z');
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
INSERT INTO cell VALUES(1,'263ef47ed45e52f7b7efa91da9e1104c',replace('game = "p-game:4,4"\nseed = 1\nsimulations = 10\n\n[recipe]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "uct"\nc = 0.5\n\n[recipe.backup]\nkind = "mean"\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(2,'263022d1380a6cc91dc91bdd206035b0',replace('game = "p-game:4,4"\nseed = 1\nsimulations = 40\n\n[recipe]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "uct"\nc = 0.5\n\n[recipe.backup]\nkind = "mean"\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(3,'ce89ebfb52745c5fdcc1402e5c971a71',replace('game = "p-game:4,4"\nseed = 1\nsimulations = 10\n\n[recipe]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "uct"\nc = 0.7\n\n[recipe.backup]\nkind = "mean"\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(4,'0fb4a55bbc03f279342062c70a7a10ba',replace('game = "p-game:4,4"\nseed = 1\nsimulations = 40\n\n[recipe]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "uct"\nc = 0.7\n\n[recipe.backup]\nkind = "mean"\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(5,'b94660e51a201f0819e9a5656ec867d5',replace('game = "p-game:4,4"\nseed = 1\nsimulations = 10\n\n[recipe]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "uct"\nc = 0.5\n\n[recipe.backup]\nkind = "softmax"\nschedule = "knots"\nweight = 0.4\nknots = [0.0, 0.0, 0.0, 0.0, 0.0]\nsimulations = 10\nown = "blend"\nerror = 0.0001\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(6,'da6cc1b961c0453aa0d5d60fd688e68b',replace('game = "p-game:4,4"\nseed = 1\nsimulations = 40\n\n[recipe]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "uct"\nc = 0.5\n\n[recipe.backup]\nkind = "softmax"\nschedule = "knots"\nweight = 0.4\nknots = [0.0, 0.0, 0.0, 0.0, 0.0]\nsimulations = 40\nown = "blend"\nerror = 0.0001\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(7,'c3c087ebe3d693928f211cf4ae33ec83',replace('game = "p-game:4,4"\nseed = 1\nsimulations = 10\n\n[recipe]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "uct"\nc = 0.7\n\n[recipe.backup]\nkind = "softmax"\nschedule = "knots"\nweight = 0.4\nknots = [0.0, 0.0, 0.0, 0.0, 0.0]\nsimulations = 10\nown = "blend"\nerror = 0.0001\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(8,'b4c343ca8008d9e7c203306dbf4fbeee',replace('game = "p-game:4,4"\nseed = 1\nsimulations = 40\n\n[recipe]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "uct"\nc = 0.7\n\n[recipe.backup]\nkind = "softmax"\nschedule = "knots"\nweight = 0.4\nknots = [0.0, 0.0, 0.0, 0.0, 0.0]\nsimulations = 40\nown = "blend"\nerror = 0.0001\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(9,'2aaea442ec5b98834d952a80608b6356',replace('game = "p-game:4,4"\nseed = 1\nsimulations = 10\n\n[recipe]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = true\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "uct"\nc = 0.5\n\n[recipe.backup]\nkind = "mean"\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(10,'2be49330b201567e7e194031b5b3e479',replace('game = "p-game:4,4"\nseed = 1\nsimulations = 40\n\n[recipe]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = true\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "uct"\nc = 0.5\n\n[recipe.backup]\nkind = "mean"\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(11,'08df23c7e44ddaf69d32e436b5131b6d',replace('game = "p-game:4,4"\nseed = 1\nsimulations = 10\n\n[recipe]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = true\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "uct"\nc = 0.7\n\n[recipe.backup]\nkind = "mean"\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(12,'2d6205aad58f1058ffbab29381241d8f',replace('game = "p-game:4,4"\nseed = 1\nsimulations = 40\n\n[recipe]\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = true\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "uct"\nc = 0.7\n\n[recipe.backup]\nkind = "mean"\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(13,'b0bb1b7fc854c7345b747b7ab08d0962',replace('game = "p-game:6,4, noise 1, temperature 0.2"\nseed = 1\nsimulations = 10\n\n[recipe]\nabout = "PUCT with the game''s own priors and uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "puct"\nc = 0.2\nfirst_play = "parent"\ncount = "own-included"\n\n[recipe.backup]\nkind = "mean"\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(14,'262964f73e8a9e557ecd1036983ee888',replace('game = "p-game:6,4, noise 1, temperature 0.2"\nseed = 1\nsimulations = 40\n\n[recipe]\nabout = "PUCT with the game''s own priors and uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "puct"\nc = 0.2\nfirst_play = "parent"\ncount = "own-included"\n\n[recipe.backup]\nkind = "mean"\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(15,'632e7dcce81a9d183b4f469dc3c83e29',replace('game = "p-game:6,4, noise 1, temperature 0.2"\nseed = 1\nsimulations = 10\n\n[recipe]\nabout = "PUCT with the game''s own priors and uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "puct"\nc = 0.3\nfirst_play = "parent"\ncount = "own-included"\n\n[recipe.backup]\nkind = "softmax"\nschedule = "knots"\nweight = 0.4\nknots = [0.0, 0.0, 0.0, 0.0, 0.0]\nsimulations = 10\nown = "blend"\nerror = 0.0001\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(16,'d3fd0e1c9b6e5bf4fc691c3f37779120',replace('game = "p-game:6,4, noise 1, temperature 0.2"\nseed = 1\nsimulations = 40\n\n[recipe]\nabout = "PUCT with the game''s own priors and uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "puct"\nc = 0.3\nfirst_play = "parent"\ncount = "own-included"\n\n[recipe.backup]\nkind = "softmax"\nschedule = "knots"\nweight = 0.4\nknots = [0.0, 0.0, 0.0, 0.0, 0.0]\nsimulations = 40\nown = "blend"\nerror = 0.0001\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(17,'3c0fe979c77e1bf0c6e5fee9c46bec75',replace('game = "p-game:6,4, noise 1, temperature 0.2"\nseed = 1\nsimulations = 10\n\n[recipe]\nabout = "PUCT with the game''s own priors and uniform playouts"\nfinal_move = "robust"\nsolver = true\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "puct"\nc = 0.2\nfirst_play = "parent"\ncount = "own-included"\n\n[recipe.backup]\nkind = "mean"\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
INSERT INTO cell VALUES(18,'7f3f81e260d726b2640640e4c08f1d88',replace('game = "p-game:6,4, noise 1, temperature 0.2"\nseed = 1\nsimulations = 40\n\n[recipe]\nabout = "PUCT with the game''s own priors and uniform playouts"\nfinal_move = "robust"\nsolver = true\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[recipe.select]\nkind = "puct"\nc = 0.2\nfirst_play = "parent"\ncount = "own-included"\n\n[recipe.backup]\nkind = "mean"\n\n[recipe.playout]\nkind = "uniform"\n\n[recipe.parallel]\nkind = "serial"\n\n[recipe.memory]\n\n[recipe.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[recipe.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'["robust_fails","max_fails"]');
CREATE TABLE trial (
    cell    INTEGER NOT NULL REFERENCES cell,
    number  INTEGER NOT NULL,
    figures TEXT NOT NULL,              -- JSON: a list of numbers, null where there is none
    PRIMARY KEY (cell, number)
) STRICT, WITHOUT ROWID;
INSERT INTO trial VALUES(1,0,'[0,0]');
INSERT INTO trial VALUES(1,1,'[0,0]');
INSERT INTO trial VALUES(1,2,'[1,1]');
INSERT INTO trial VALUES(1,3,'[1,1]');
INSERT INTO trial VALUES(1,4,'[0,0]');
INSERT INTO trial VALUES(1,5,'[0,0]');
INSERT INTO trial VALUES(1,6,'[0,0]');
INSERT INTO trial VALUES(1,7,'[0,0]');
INSERT INTO trial VALUES(1,8,'[0,0]');
INSERT INTO trial VALUES(1,9,'[1,1]');
INSERT INTO trial VALUES(1,10,'[0,0]');
INSERT INTO trial VALUES(1,11,'[0,0]');
INSERT INTO trial VALUES(2,0,'[0,1]');
INSERT INTO trial VALUES(2,1,'[0,0]');
INSERT INTO trial VALUES(2,2,'[1,1]');
INSERT INTO trial VALUES(2,3,'[0,0]');
INSERT INTO trial VALUES(2,4,'[0,0]');
INSERT INTO trial VALUES(2,5,'[0,0]');
INSERT INTO trial VALUES(2,6,'[0,0]');
INSERT INTO trial VALUES(2,7,'[0,0]');
INSERT INTO trial VALUES(2,8,'[0,0]');
INSERT INTO trial VALUES(2,9,'[1,1]');
INSERT INTO trial VALUES(2,10,'[0,0]');
INSERT INTO trial VALUES(2,11,'[0,0]');
INSERT INTO trial VALUES(3,0,'[0,0]');
INSERT INTO trial VALUES(3,1,'[0,0]');
INSERT INTO trial VALUES(3,2,'[1,1]');
INSERT INTO trial VALUES(3,3,'[1,1]');
INSERT INTO trial VALUES(3,4,'[0,0]');
INSERT INTO trial VALUES(3,5,'[0,0]');
INSERT INTO trial VALUES(3,6,'[0,0]');
INSERT INTO trial VALUES(3,7,'[0,0]');
INSERT INTO trial VALUES(3,8,'[0,0]');
INSERT INTO trial VALUES(3,9,'[1,1]');
INSERT INTO trial VALUES(3,10,'[0,0]');
INSERT INTO trial VALUES(3,11,'[0,0]');
INSERT INTO trial VALUES(4,0,'[0,0]');
INSERT INTO trial VALUES(4,1,'[0,0]');
INSERT INTO trial VALUES(4,2,'[1,1]');
INSERT INTO trial VALUES(4,3,'[1,1]');
INSERT INTO trial VALUES(4,4,'[0,0]');
INSERT INTO trial VALUES(4,5,'[0,0]');
INSERT INTO trial VALUES(4,6,'[0,0]');
INSERT INTO trial VALUES(4,7,'[0,0]');
INSERT INTO trial VALUES(4,8,'[0,0]');
INSERT INTO trial VALUES(4,9,'[1,1]');
INSERT INTO trial VALUES(4,10,'[0,0]');
INSERT INTO trial VALUES(4,11,'[0,0]');
INSERT INTO trial VALUES(5,0,'[0,0]');
INSERT INTO trial VALUES(5,1,'[0,0]');
INSERT INTO trial VALUES(5,2,'[1,1]');
INSERT INTO trial VALUES(5,3,'[1,1]');
INSERT INTO trial VALUES(5,4,'[0,0]');
INSERT INTO trial VALUES(5,5,'[0,0]');
INSERT INTO trial VALUES(5,6,'[0,0]');
INSERT INTO trial VALUES(5,7,'[0,0]');
INSERT INTO trial VALUES(5,8,'[0,0]');
INSERT INTO trial VALUES(5,9,'[1,1]');
INSERT INTO trial VALUES(5,10,'[0,0]');
INSERT INTO trial VALUES(5,11,'[0,0]');
INSERT INTO trial VALUES(6,0,'[0,0]');
INSERT INTO trial VALUES(6,1,'[0,0]');
INSERT INTO trial VALUES(6,2,'[1,1]');
INSERT INTO trial VALUES(6,3,'[1,1]');
INSERT INTO trial VALUES(6,4,'[0,0]');
INSERT INTO trial VALUES(6,5,'[0,0]');
INSERT INTO trial VALUES(6,6,'[0,0]');
INSERT INTO trial VALUES(6,7,'[0,0]');
INSERT INTO trial VALUES(6,8,'[0,0]');
INSERT INTO trial VALUES(6,9,'[0,0]');
INSERT INTO trial VALUES(6,10,'[0,0]');
INSERT INTO trial VALUES(6,11,'[0,0]');
INSERT INTO trial VALUES(7,0,'[0,0]');
INSERT INTO trial VALUES(7,1,'[0,0]');
INSERT INTO trial VALUES(7,2,'[1,1]');
INSERT INTO trial VALUES(7,3,'[1,1]');
INSERT INTO trial VALUES(7,4,'[0,0]');
INSERT INTO trial VALUES(7,5,'[0,0]');
INSERT INTO trial VALUES(7,6,'[0,0]');
INSERT INTO trial VALUES(7,7,'[0,0]');
INSERT INTO trial VALUES(7,8,'[0,0]');
INSERT INTO trial VALUES(7,9,'[1,1]');
INSERT INTO trial VALUES(7,10,'[0,0]');
INSERT INTO trial VALUES(7,11,'[0,0]');
INSERT INTO trial VALUES(8,0,'[0,0]');
INSERT INTO trial VALUES(8,1,'[0,0]');
INSERT INTO trial VALUES(8,2,'[0,0]');
INSERT INTO trial VALUES(8,3,'[1,1]');
INSERT INTO trial VALUES(8,4,'[0,0]');
INSERT INTO trial VALUES(8,5,'[0,0]');
INSERT INTO trial VALUES(8,6,'[0,0]');
INSERT INTO trial VALUES(8,7,'[0,0]');
INSERT INTO trial VALUES(8,8,'[0,0]');
INSERT INTO trial VALUES(8,9,'[1,1]');
INSERT INTO trial VALUES(8,10,'[0,0]');
INSERT INTO trial VALUES(8,11,'[0,0]');
INSERT INTO trial VALUES(9,0,'[0,0]');
INSERT INTO trial VALUES(9,1,'[0,0]');
INSERT INTO trial VALUES(9,2,'[1,1]');
INSERT INTO trial VALUES(9,3,'[1,1]');
INSERT INTO trial VALUES(9,4,'[0,0]');
INSERT INTO trial VALUES(9,5,'[0,0]');
INSERT INTO trial VALUES(9,6,'[0,0]');
INSERT INTO trial VALUES(9,7,'[0,0]');
INSERT INTO trial VALUES(9,8,'[0,0]');
INSERT INTO trial VALUES(9,9,'[1,1]');
INSERT INTO trial VALUES(9,10,'[0,0]');
INSERT INTO trial VALUES(9,11,'[0,0]');
INSERT INTO trial VALUES(10,0,'[0,1]');
INSERT INTO trial VALUES(10,1,'[0,0]');
INSERT INTO trial VALUES(10,2,'[1,1]');
INSERT INTO trial VALUES(10,3,'[0,0]');
INSERT INTO trial VALUES(10,4,'[0,0]');
INSERT INTO trial VALUES(10,5,'[0,0]');
INSERT INTO trial VALUES(10,6,'[0,0]');
INSERT INTO trial VALUES(10,7,'[0,0]');
INSERT INTO trial VALUES(10,8,'[0,0]');
INSERT INTO trial VALUES(10,9,'[1,0]');
INSERT INTO trial VALUES(10,10,'[0,0]');
INSERT INTO trial VALUES(10,11,'[0,0]');
INSERT INTO trial VALUES(11,0,'[0,0]');
INSERT INTO trial VALUES(11,1,'[0,0]');
INSERT INTO trial VALUES(11,2,'[1,1]');
INSERT INTO trial VALUES(11,3,'[1,1]');
INSERT INTO trial VALUES(11,4,'[0,0]');
INSERT INTO trial VALUES(11,5,'[0,0]');
INSERT INTO trial VALUES(11,6,'[0,0]');
INSERT INTO trial VALUES(11,7,'[0,0]');
INSERT INTO trial VALUES(11,8,'[0,0]');
INSERT INTO trial VALUES(11,9,'[1,1]');
INSERT INTO trial VALUES(11,10,'[0,0]');
INSERT INTO trial VALUES(11,11,'[0,0]');
INSERT INTO trial VALUES(12,0,'[0,0]');
INSERT INTO trial VALUES(12,1,'[0,0]');
INSERT INTO trial VALUES(12,2,'[1,1]');
INSERT INTO trial VALUES(12,3,'[1,1]');
INSERT INTO trial VALUES(12,4,'[0,0]');
INSERT INTO trial VALUES(12,5,'[0,0]');
INSERT INTO trial VALUES(12,6,'[0,0]');
INSERT INTO trial VALUES(12,7,'[0,0]');
INSERT INTO trial VALUES(12,8,'[0,0]');
INSERT INTO trial VALUES(12,9,'[0,0]');
INSERT INTO trial VALUES(12,10,'[0,0]');
INSERT INTO trial VALUES(12,11,'[0,0]');
INSERT INTO trial VALUES(13,0,'[0,0]');
INSERT INTO trial VALUES(13,1,'[1,1]');
INSERT INTO trial VALUES(13,2,'[0,0]');
INSERT INTO trial VALUES(13,3,'[0,1]');
INSERT INTO trial VALUES(13,4,'[0,0]');
INSERT INTO trial VALUES(13,5,'[0,0]');
INSERT INTO trial VALUES(13,6,'[1,1]');
INSERT INTO trial VALUES(13,7,'[0,1]');
INSERT INTO trial VALUES(13,8,'[0,0]');
INSERT INTO trial VALUES(13,9,'[1,0]');
INSERT INTO trial VALUES(13,10,'[0,0]');
INSERT INTO trial VALUES(13,11,'[0,0]');
INSERT INTO trial VALUES(14,0,'[0,0]');
INSERT INTO trial VALUES(14,1,'[0,0]');
INSERT INTO trial VALUES(14,2,'[0,0]');
INSERT INTO trial VALUES(14,3,'[0,0]');
INSERT INTO trial VALUES(14,4,'[0,0]');
INSERT INTO trial VALUES(14,5,'[0,0]');
INSERT INTO trial VALUES(14,6,'[1,1]');
INSERT INTO trial VALUES(14,7,'[0,0]');
INSERT INTO trial VALUES(14,8,'[0,0]');
INSERT INTO trial VALUES(14,9,'[0,0]');
INSERT INTO trial VALUES(14,10,'[0,0]');
INSERT INTO trial VALUES(14,11,'[0,0]');
INSERT INTO trial VALUES(15,0,'[0,0]');
INSERT INTO trial VALUES(15,1,'[0,0]');
INSERT INTO trial VALUES(15,2,'[0,0]');
INSERT INTO trial VALUES(15,3,'[0,1]');
INSERT INTO trial VALUES(15,4,'[0,0]');
INSERT INTO trial VALUES(15,5,'[0,0]');
INSERT INTO trial VALUES(15,6,'[1,1]');
INSERT INTO trial VALUES(15,7,'[0,0]');
INSERT INTO trial VALUES(15,8,'[0,0]');
INSERT INTO trial VALUES(15,9,'[1,0]');
INSERT INTO trial VALUES(15,10,'[0,0]');
INSERT INTO trial VALUES(15,11,'[0,0]');
INSERT INTO trial VALUES(16,0,'[0,0]');
INSERT INTO trial VALUES(16,1,'[0,0]');
INSERT INTO trial VALUES(16,2,'[0,0]');
INSERT INTO trial VALUES(16,3,'[0,0]');
INSERT INTO trial VALUES(16,4,'[0,0]');
INSERT INTO trial VALUES(16,5,'[0,0]');
INSERT INTO trial VALUES(16,6,'[1,1]');
INSERT INTO trial VALUES(16,7,'[0,0]');
INSERT INTO trial VALUES(16,8,'[0,0]');
INSERT INTO trial VALUES(16,9,'[0,0]');
INSERT INTO trial VALUES(16,10,'[0,0]');
INSERT INTO trial VALUES(16,11,'[0,0]');
INSERT INTO trial VALUES(17,0,'[0,0]');
INSERT INTO trial VALUES(17,1,'[0,0]');
INSERT INTO trial VALUES(17,2,'[0,0]');
INSERT INTO trial VALUES(17,3,'[0,1]');
INSERT INTO trial VALUES(17,4,'[0,0]');
INSERT INTO trial VALUES(17,5,'[0,0]');
INSERT INTO trial VALUES(17,6,'[1,1]');
INSERT INTO trial VALUES(17,7,'[0,1]');
INSERT INTO trial VALUES(17,8,'[0,0]');
INSERT INTO trial VALUES(17,9,'[1,0]');
INSERT INTO trial VALUES(17,10,'[0,0]');
INSERT INTO trial VALUES(17,11,'[0,0]');
INSERT INTO trial VALUES(18,0,'[0,0]');
INSERT INTO trial VALUES(18,1,'[0,0]');
INSERT INTO trial VALUES(18,2,'[0,0]');
INSERT INTO trial VALUES(18,3,'[0,0]');
INSERT INTO trial VALUES(18,4,'[0,0]');
INSERT INTO trial VALUES(18,5,'[0,0]');
INSERT INTO trial VALUES(18,6,'[1,1]');
INSERT INTO trial VALUES(18,7,'[0,0]');
INSERT INTO trial VALUES(18,8,'[0,0]');
INSERT INTO trial VALUES(18,9,'[0,0]');
INSERT INTO trial VALUES(18,10,'[0,0]');
INSERT INTO trial VALUES(18,11,'[0,0]');
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
INSERT INTO part VALUES(0,'U-mean-0.5, 10 simulations',1,12);
INSERT INTO part VALUES(1,'U-mean-0.5, 40 simulations',2,12);
INSERT INTO part VALUES(2,'U-mean-0.7, 10 simulations',3,12);
INSERT INTO part VALUES(3,'U-mean-0.7, 40 simulations',4,12);
INSERT INTO part VALUES(4,'U-softmax-0.5, 10 simulations',5,12);
INSERT INTO part VALUES(5,'U-softmax-0.5, 40 simulations',6,12);
INSERT INTO part VALUES(6,'U-softmax-0.7, 10 simulations',7,12);
INSERT INTO part VALUES(7,'U-softmax-0.7, 40 simulations',8,12);
INSERT INTO part VALUES(8,'U-proving-0.5, 10 simulations',9,12);
INSERT INTO part VALUES(9,'U-proving-0.5, 40 simulations',10,12);
INSERT INTO part VALUES(10,'U-proving-0.7, 10 simulations',11,12);
INSERT INTO part VALUES(11,'U-proving-0.7, 40 simulations',12,12);
INSERT INTO part VALUES(12,'N-mean-0.2, 10 simulations',13,12);
INSERT INTO part VALUES(13,'N-mean-0.2, 40 simulations',14,12);
INSERT INTO part VALUES(14,'N-softmax-0.3, 10 simulations',15,12);
INSERT INTO part VALUES(15,'N-softmax-0.3, 40 simulations',16,12);
INSERT INTO part VALUES(16,'N-proving-0.2, 10 simulations',17,12);
INSERT INTO part VALUES(17,'N-proving-0.2, 40 simulations',18,12);
COMMIT;
PRAGMA user_version = 2;
