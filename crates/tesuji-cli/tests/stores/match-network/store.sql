PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);
INSERT INTO config VALUES(1,'92b6733a068c06785ef503120a827d87','puct-net',replace('network_content = "9278d6421519536bcd3f159d0fca36620103ebb8f303754877d00c068112cb79"\nabout = "PUCT with policy and value of the game''s network (Silver et al. 2017)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "puct"\nc = 0.5\nfirst_play = "parent"\ncount = "own-included"\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "net"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(2,'41725bfc3988fa41231f6fc912d3334c','puct-net-softmax,root=gumbel',replace('network_content = "9278d6421519536bcd3f159d0fca36620103ebb8f303754877d00c068112cb79"\nabout = "puct-net with Softmax MCTS: children weighted by n e^(w x), w = 0.01 N"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "puct"\nc = 0.5\nfirst_play = "parent"\ncount = "own-included"\n\n[backup]\nkind = "softmax"\nschedule = "linear"\nweight = 0.01\nknots = [0.0, 0.0, 0.0, 0.0, 0.0]\nsimulations = 5000\nown = "blend"\nerror = 0.0001\n\n[playout]\nkind = "net"\n\n[parallel]\nkind = "serial"\n\n[root]\nkind = "gumbel"\nconsidered = 16\nnoise = 1.0\nvisits = 50.0\nscale = 1.0\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
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
INSERT INTO game VALUES(1,'25c78fcf68a3b1d6b0c461504b6d702e',1,0,-6428882005354775639,'G7 B5 D6 A2','G7 B5 D6 A2 E4 C7 G4 D7 E7 E8 F8 E6','b150b5f29543facbc983c0f863af92fa',0.5,'0','length',NULL,NULL,0.0018991019999999999515);
INSERT INTO game VALUES(2,'6a212052c52e177056b97d60a49edfef',1,1,-320572002314132903,'G7 B5 D6 A2','G7 B5 D6 A2 D4 F4 B3 C7 D7 C6 E3 D5','f8bf3482d23addc0cec150967532bca0',0.5,'0','length',NULL,NULL,0.0065546930000000003246);
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
INSERT INTO move VALUES(1,4,0,'E4',1,0.51309943199157714843,4,0.00049225199999999998904,5,5813543);
INSERT INTO move VALUES(1,5,1,'C7',4,0.40919852256774902343,4,0.00026965099999999998358,5,5811871);
INSERT INTO move VALUES(1,6,0,'G4',1,0.55518138408660888671,4,0.00013401299999999999237,5,5813543);
INSERT INTO move VALUES(1,7,1,'D7',2,0.37385535240173339843,4,0.00024755000000000002696,5,5811871);
INSERT INTO move VALUES(1,8,0,'E7',1,0.54289889335632324218,4,0.00018684199999999999766,5,5813543);
INSERT INTO move VALUES(1,9,1,'E8',4,0.45075625181198120117,4,0.00024487800000000002273,5,5811871);
INSERT INTO move VALUES(1,10,0,'F8',1,0.51363325119018554687,4,0.00018701899999999999275,5,5813543);
INSERT INTO move VALUES(1,11,1,'E6',4,0.4522691965103149414,4,0.00012726900000000000408,5,5811871);
INSERT INTO move VALUES(2,4,1,'D4',3,0.55592632293701171875,4,0.00014763499999999999171,5,5811911);
INSERT INTO move VALUES(2,5,0,'F4',1,0.36688333749771118164,4,0.00019805699999999999108,5,5813503);
INSERT INTO move VALUES(2,6,1,'B3',2,0.54216206073760986328,4,0.00024968199999999998554,5,5811911);
INSERT INTO move VALUES(2,7,0,'C7',1,0.44206100702285766601,4,0.00019554600000000000106,5,5813503);
INSERT INTO move VALUES(2,8,1,'D7',3,0.54548156261444091796,4,0.004914039000000000254,5,5811911);
INSERT INTO move VALUES(2,9,0,'C6',1,0.41798365116119384765,4,0.00028145500000000000812,5,5813503);
INSERT INTO move VALUES(2,10,1,'E3',2,0.55895209312438964843,4,0.00035515600000000002636,5,5811911);
INSERT INTO move VALUES(2,11,0,'D5',1,0.41356873512268066406,4,0.00019842699999999998923,5,5813503);
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
INSERT INTO event VALUES(1,'2026-11-23T18:09:42Z','run','{"match":"match","version":"0.1.0 (117f7a245de8)","games":2,"threads":2,"sprt":null}');
INSERT INTO event VALUES(2,'2026-11-23T18:09:42Z','end','{"match":"match","seconds":0.016495904,"stopped":false,"process_bytes_peak":21196800}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'match','match','',replace('game = "go9"\nkomi = "7.5"\nseed = 1\nlongest = 12\n\n[limit]\nplayouts = 4\n\n[openings]\nrandom-plies = 4\n\n[a]\nnetwork_content = "9278d6421519536bcd3f159d0fca36620103ebb8f303754877d00c068112cb79"\nabout = "PUCT with policy and value of the game''s network (Silver et al. 2017)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[a.select]\nkind = "puct"\nc = 0.5\nfirst_play = "parent"\ncount = "own-included"\n\n[a.backup]\nkind = "mean"\n\n[a.playout]\nkind = "net"\n\n[a.parallel]\nkind = "serial"\n\n[a.memory]\n\n[a.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[a.amaf]\ncounts = "wide"\nalloc = 0\n\n[b]\nnetwork_content = "9278d6421519536bcd3f159d0fca36620103ebb8f303754877d00c068112cb79"\nabout = "puct-net with Softmax MCTS: children weighted by n e^(w x), w = 0.01 N"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[b.select]\nkind = "puct"\nc = 0.5\nfirst_play = "parent"\ncount = "own-included"\n\n[b.backup]\nkind = "softmax"\nschedule = "linear"\nweight = 0.01\nknots = [0.0, 0.0, 0.0, 0.0, 0.0]\nsimulations = 5000\nown = "blend"\nerror = 0.0001\n\n[b.playout]\nkind = "net"\n\n[b.parallel]\nkind = "serial"\n\n[b.root]\nkind = "gumbel"\nconsidered = 16\nnoise = 1.0\nvisits = 50.0\nscale = 1.0\n\n[b.memory]\n\n[b.two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[b.amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:42Z');
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;
INSERT INTO conditions VALUES(1,'2464da0a4392d33a72f0219a2143d56e',replace('game = "go9"\nkomi = "7.5"\nseed = 1\nlongest = 12\n\n[limit]\nplayouts = 4\n\n[openings]\nrandom-plies = 4\n','\n',char(10)));
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
INSERT INTO "match" VALUES(0,'match',1,1,2,'puct-net','puct-net-softmax,root=gumbel',2,NULL,'','',NULL);
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
COMMIT;
PRAGMA user_version = 2;
