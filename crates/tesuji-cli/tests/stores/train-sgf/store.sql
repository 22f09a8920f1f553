PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);
INSERT INTO config VALUES(1,'216ffda0d5f6129434b8f1153676ef79','checkpoint-0',replace('about = "PUCT with policy and value of the game''s network (Silver et al. 2017)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\ncheckpoint = 0\ntraining = "a8408eb1783d86df7802012d1742699f"\n\n[select]\nkind = "puct"\nc = 0.5\nfirst_play = "parent"\ncount = "own-included"\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "net"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(2,'6d08e1e5d312d4b19d710dc2df6f9c02','random',replace('kind = "random"\n','\n',char(10)));
INSERT INTO config VALUES(3,'5c23402111c89227cffd0effa1d77855','checkpoint-2',replace('about = "PUCT with policy and value of the game''s network (Silver et al. 2017)"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\ncheckpoint = 2\ntraining = "a8408eb1783d86df7802012d1742699f"\n\n[select]\nkind = "puct"\nc = 0.5\nfirst_play = "parent"\ncount = "own-included"\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "net"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
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
INSERT INTO game VALUES(1,'3c9cb4237d3bc3a0dabc36729a5d9848',1,1,-7860609102746599815,'A3 C4 C3 D4','A3 C4 C3 D4 B1 A4 B2 C2 A2 D3 PASS PASS','ab93b80e2295ce017cb50a487cfc4638',0.0,'W+6.5','rules',NULL,NULL,8.9723999999999996795e-05);
INSERT INTO game VALUES(2,'50d30cef8de94738a228d75bf92894e7',1,0,8111582919073839815,'A3 C4 C3 D4','A3 C4 C3 D4 A2 B2 A4 A1 B4 D3 B3 C1 C2 D1 D2 D3 D4 PASS PASS','346c6a7f822bdcafecd3b6acacecc31c',1.0,'W+1.5','rules',NULL,NULL,9.0979999999999999673e-05);
INSERT INTO game VALUES(3,'1fde712e0568f3be02b9e0d752033a35',2,1,-2258820258511497477,'A4 A3 B2 B1','A4 A3 B2 B1 D3 C4 A2 D1 D2 C3 D4 B4 PASS PASS','b0381b3c788d7bf14c681f3ea4312b21',0.0,'W+9.5','rules',NULL,NULL,8.3542999999999996169e-05);
INSERT INTO game VALUES(4,'2c276eba2571c6b7f8d0e3cb0861cc12',2,0,6512535541077793528,'A4 A3 B2 B1','A4 A3 B2 B1 A1 C2 D2 D1 C1 B3 PASS PASS','5d0f943bd66c52ae0c4eef1ec574b6a8',1.0,'W+3.5','rules',NULL,NULL,4.8871000000000000161e-05);
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
INSERT INTO move VALUES(1,4,1,'B1',1,0.510616302490234375,4,4.2815000000000002578e-05,5,1451511);
INSERT INTO move VALUES(1,5,0,'A4',NULL,0.5,0,8.679999999999999904e-07,0,0);
INSERT INTO move VALUES(1,6,1,'B2',1,0.5274664163589477539,4,1.2153000000000000363e-05,5,1451511);
INSERT INTO move VALUES(1,7,0,'C2',NULL,0.5,0,4.6100000000000001193e-07,0,0);
INSERT INTO move VALUES(1,8,1,'A2',1,0.51427924633026123046,4,1.1699999999999999788e-05,5,1451511);
INSERT INTO move VALUES(1,9,0,'D3',NULL,0.5,0,1.5370000000000000648e-06,0,0);
INSERT INTO move VALUES(1,10,1,'PASS',1,0.52033251523971557617,4,1.2083999999999999839e-05,5,1451511);
INSERT INTO move VALUES(1,11,0,'PASS',NULL,0.5,0,2.0900000000000000539e-07,0,0);
INSERT INTO move VALUES(2,4,0,'A2',NULL,0.5,0,4.6100000000000001193e-07,0,0);
INSERT INTO move VALUES(2,5,1,'B2',1,0.53807795047760009765,4,1.2119999999999999155e-05,5,1451531);
INSERT INTO move VALUES(2,6,0,'A4',NULL,0.5,0,2.6600000000000002609e-07,0,0);
INSERT INTO move VALUES(2,7,1,'A1',1,0.53911042213439941406,4,1.1800000000000000525e-05,5,1451531);
INSERT INTO move VALUES(2,8,0,'B4',NULL,0.5,0,2.5899999999999997663e-07,0,0);
INSERT INTO move VALUES(2,9,1,'D3',1,0.53128641843795776367,4,1.2252000000000000601e-05,5,1451531);
INSERT INTO move VALUES(2,10,0,'B3',NULL,0.5,0,3.9599999999999999903e-07,0,0);
INSERT INTO move VALUES(2,11,1,'C1',1,0.55909562110900878906,4,1.180899999999999993e-05,5,1451531);
INSERT INTO move VALUES(2,12,0,'C2',NULL,0.5,0,3.6100000000000001649e-07,0,0);
INSERT INTO move VALUES(2,13,1,'D1',1,0.5588937997817993164,4,1.1286000000000000025e-05,5,1451531);
INSERT INTO move VALUES(2,14,0,'D2',NULL,0.5,0,3.4999999999999998419e-07,0,0);
INSERT INTO move VALUES(2,15,1,'D3',1,0.54823577404022216796,4,1.0815999999999999442e-05,5,1451531);
INSERT INTO move VALUES(2,16,0,'D4',NULL,0.5,0,2.3300000000000000851e-07,0,0);
INSERT INTO move VALUES(2,17,1,'PASS',4,0.64696663618087768554,4,1.0204999999999999702e-05,5,1451531);
INSERT INTO move VALUES(2,18,0,'PASS',NULL,0.5,0,2.7899999999999999691e-07,0,0);
INSERT INTO move VALUES(3,4,1,'D3',1,0.63344943523406982421,4,2.6149999999999998657e-05,5,1451511);
INSERT INTO move VALUES(3,5,0,'C4',NULL,0.5,0,7.0399999999999995125e-07,0,0);
INSERT INTO move VALUES(3,6,1,'A2',1,0.63490331172943115234,4,1.1175999999999999384e-05,5,1451511);
INSERT INTO move VALUES(3,7,0,'D1',NULL,0.5,0,4.7700000000000004935e-07,0,0);
INSERT INTO move VALUES(3,8,1,'D2',1,0.63482761383056640625,4,1.1274000000000000817e-05,5,1451511);
INSERT INTO move VALUES(3,9,0,'C3',NULL,0.5,0,3.2000000000000000668e-07,0,0);
INSERT INTO move VALUES(3,10,1,'D4',1,0.66051650047302246093,4,1.054000000000000073e-05,5,1451511);
INSERT INTO move VALUES(3,11,0,'B4',NULL,0.5,0,2.4799999999999999724e-07,0,0);
INSERT INTO move VALUES(3,12,1,'PASS',1,0.66948163509368896484,4,1.2082999999999999339e-05,5,1451511);
INSERT INTO move VALUES(3,13,0,'PASS',NULL,0.5,0,2.2800000000000000344e-07,0,0);
INSERT INTO move VALUES(4,4,0,'A1',NULL,0.5,0,6.7000000000000004378e-07,0,0);
INSERT INTO move VALUES(4,5,1,'C2',2,0.57188910245895385742,4,1.5375999999999999829e-05,5,1451531);
INSERT INTO move VALUES(4,6,0,'D2',NULL,0.5,0,3.5800000000000000285e-07,0,0);
INSERT INTO move VALUES(4,7,1,'D1',1,0.64077651500701904296,4,1.1229999999999999205e-05,5,1451531);
INSERT INTO move VALUES(4,8,0,'C1',NULL,0.5,0,3.7500000000000000949e-07,0,0);
INSERT INTO move VALUES(4,9,1,'B3',1,0.59443926811218261718,4,1.1417999999999999777e-05,5,1451531);
INSERT INTO move VALUES(4,10,0,'PASS',NULL,0.5,0,4.0900000000000002278e-07,0,0);
INSERT INTO move VALUES(4,11,1,'PASS',4,1.0,4,3.1099999999999998698e-06,5,1451531);
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
INSERT INTO event VALUES(1,'2026-11-23T18:09:45Z','sgf','{"hash":"82715789daa0f46aa5ea4b03dba65730069ec105a2f9dcd8bec40f6bb206d0bc","files":6,"games":6,"held_out":0,"skipped":{},"examples":{}}');
INSERT INTO event VALUES(2,'2026-11-23T18:09:45Z','run','{"match":"0-random","version":"0.1.0 (117f7a245de8)","games":2,"threads":1,"sprt":null}');
INSERT INTO event VALUES(3,'2026-11-23T18:09:45Z','end','{"match":"0-random","seconds":0.001918419,"stopped":false,"process_bytes_peak":17313792}');
INSERT INTO event VALUES(4,'2026-11-23T18:09:45Z','run','{"match":"2-random","version":"0.1.0 (117f7a245de8)","games":2,"threads":1,"sprt":null}');
INSERT INTO event VALUES(5,'2026-11-23T18:09:45Z','end','{"match":"2-random","seconds":0.001327441,"stopped":false,"process_bytes_peak":17510400}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'train','train-sgf','a tiny network for 4x4 that learns from files',replace('kind = "train"\nname = "train-sgf"\nabout = "a tiny network for 4x4 that learns from files"\ngame = "go:4"\niterations = 2\n\n[sgf]\ndirectory = "games"\nsteps = 4\n\n[network]\nplanes = 3\nfilters = 4\nblocks = 1\npolicy_filters = 1\nvalue_hidden = 4\n\n[learning]\nbatch = 8\nheld_out = 0.5\n\n[evaluation]\nevery = 2\nplayouts = 4\nlongest = 24\n\n[[opponent]]\nname = "random"\nagent = "random"\ngames = 2\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:45Z');
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;
INSERT INTO conditions VALUES(1,'eec61490206d9ccb50d1c3ddc2e72241',replace('game = "go:4"\nkomi = "7.5"\nseed = 4637968359388772636\nlongest = 24\n\n[limit]\nplayouts = 4\n\n[openings]\nrandom-plies = 4\n','\n',char(10)));
INSERT INTO conditions VALUES(2,'abfe295deddc1e7077f3c9bca6f8a2b2',replace('game = "go:4"\nkomi = "7.5"\nseed = 7095385851390925915\nlongest = 24\n\n[limit]\nplayouts = 4\n\n[openings]\nrandom-plies = 4\n','\n',char(10)));
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
INSERT INTO pair VALUES(2,2,3,2,0,0);
CREATE TABLE cell (
    id      INTEGER PRIMARY KEY,
    hash    TEXT NOT NULL UNIQUE,
    spec    TEXT NOT NULL,              -- canonical TOML
    columns TEXT NOT NULL               -- JSON: what the figures of a trial are called
) STRICT;
INSERT INTO cell VALUES(1,'a8408eb1783d86df7802012d1742699f',replace('game = "go:4"\nkomi = "7.5"\nseed = 1\nsteps = 4\n\n[network]\nplanes = 3\nfilters = 4\nblocks = 1\npolicy_filters = 1\nvalue_filters = 1\nvalue_hidden = 4\n\n[learning]\nbatch = 8\nsamples = 1.0\nwindow = 250000\nheld_out = 0.5\nsearch_value = 0.0\nvalue_weight = 1.0\nmomentum = 0.8999999761581421\ndecay = 0.00009999999747378752\nthreads = 1\n','\n',char(10)),'["steps","positions","rate","policy","value","held","held_policy","held_value","top1","entropy","target_entropy","seconds","threads"]');
CREATE TABLE trial (
    cell    INTEGER NOT NULL REFERENCES cell,
    number  INTEGER NOT NULL,
    figures TEXT NOT NULL,              -- JSON: a list of numbers, null where there is none
    PRIMARY KEY (cell, number)
) STRICT, WITHOUT ROWID;
INSERT INTO trial VALUES(1,0,'[4,60,0.019999999552965164,2.9093220308423042,0.9994628999824346,0,null,null,null,null,null,0.000220128,1]');
INSERT INTO trial VALUES(1,1,'[8,60,0.019999999552965164,2.7918132059276104,0.9992923004182972,0,null,null,null,null,null,0.000228965,1]');
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
INSERT INTO "match" VALUES(0,'0-random',1,1,2,'checkpoint-0','random',2,NULL,'','random',0.0);
INSERT INTO "match" VALUES(1,'2-random',2,3,2,'checkpoint-2','random',2,NULL,'','random',2.0);
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
INSERT INTO part VALUES(0,'iterations',1,2);
CREATE TABLE self_play (
    cell        INTEGER NOT NULL REFERENCES cell,
    number      INTEGER NOT NULL,
    positions   INTEGER NOT NULL,
    moves       INTEGER NOT NULL,
    black       REAL NOT NULL,
    resigned    INTEGER NOT NULL,
    evaluations INTEGER NOT NULL,
    hits        INTEGER NOT NULL,
    seconds     REAL NOT NULL,
    has_targets INTEGER NOT NULL,       -- 0 once nothing is trained on it any more
    game        BLOB NOT NULL,
    PRIMARY KEY (cell, number)
) STRICT;
COMMIT;
PRAGMA user_version = 2;
