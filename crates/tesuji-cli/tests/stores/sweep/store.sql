PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);
INSERT INTO config VALUES(1,'09301bf1694576b970b4db1baf640ae3','uct,playouts=8,select.c=0.2',replace('playouts = 8\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 0.2\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(2,'cb2da371abd8991c070a0ba3b4173396','flat-mc',replace('about = "flat Monte Carlo: the same number of playouts for each move, the best mean is played"\nfinal_move = "max"\nsolver = false\ndepth = 1\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "round-robin"\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(3,'85fab441e6484033c24b613f3b8f5954','uct,playouts=8,select.c=1.4',replace('playouts = 8\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 1.4\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(4,'c5f75e48af265bff72666b397e046c95','uct,playouts=16,select.c=0.2',replace('playouts = 16\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 0.2\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(5,'3ebc4bbe870e75b7b2875923d189e5a5','uct,playouts=16,select.c=1.4',replace('playouts = 16\nabout = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 1.4\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
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
INSERT INTO game VALUES(1,'82fdef7d19b7c6c3f0e194722f701db1',1,1,-320572002314132903,'d2 c1','d2 c1 c3 b2 d4 d3 a3 d1 c2 a1 a2 b1','93e0fb71c5a9f439f85e3a74d861c7de',0.0,'W+','rules',NULL,NULL,5.8474999999999998333e-05);
INSERT INTO game VALUES(2,'6b732313365bd142820fe7a17f7b7366',1,0,-6428882005354775639,'d2 c1','d2 c1 b1 b3 d1 a4 c3 a2 b4','9d688797906044c006f957d4f5701ad7',0.0,'B+','rules',NULL,NULL,3.1177999999999998629e-05);
INSERT INTO game VALUES(3,'4b66bebafe10243862eaccff1f0b5ab6',2,1,3041002831841965381,'b2 c3','b2 c3 b3 b4 c4 d1 c2 d4 b1 a4 d2 d3','c4bb075c0906714bc470f676a9ced01f',0.0,'W+','rules',NULL,NULL,3.5658999999999998586e-05);
INSERT INTO game VALUES(4,'ae85e9976ba77b4ad9cb582e4f0d0f20',3,1,-320572002314132903,'d2 c1','d2 c1 c3 b2 d4 d3 a3 d1 c2 a1 a2 b1','93e0fb71c5a9f439f85e3a74d861c7de',0.0,'W+','rules',NULL,NULL,4.1563999999999997106e-05);
INSERT INTO game VALUES(5,'10af1ba58c8be4482de36cafcb78450a',3,0,-6428882005354775639,'d2 c1','d2 c1 b1 b3 d1 a4 c3 a2 b4','9d688797906044c006f957d4f5701ad7',0.0,'B+','rules',NULL,NULL,4.0404000000000001436e-05);
INSERT INTO game VALUES(6,'b056fbd5cb0c28e23b9f96f610c1c1d1',4,1,3041002831841965381,'b2 c3','b2 c3 b3 b4 c4 d1 c2 d4 b1 a4 d2 d3','c4bb075c0906714bc470f676a9ced01f',0.0,'W+','rules',NULL,NULL,3.6075999999999998151e-05);
INSERT INTO game VALUES(7,'dc2ac2186c03655b50078152a25c8828',5,1,-320572002314132903,'d2 c1','d2 c1 c3 b2 d4 d3 d1 a3 b1 c4 b4','a2fb204e028bb91dfa56164e60d4576a',1.0,'B+','rules',NULL,NULL,4.6745000000000000526e-05);
INSERT INTO game VALUES(8,'c0864db2fdbc3ff41bf5f5ab63245cbe',5,0,-6428882005354775639,'d2 c1','d2 c1 b1 b3 d1 a4 c3 d4 d3 c4 a3 b4','3c10a1d6b03d0136cc24f36eb4cd7f09',1.0,'W+','rules',NULL,NULL,5.5624000000000001402e-05);
INSERT INTO game VALUES(9,'3d2175aee0e487f7ec752f8226ea5121',6,1,3041002831841965381,'b2 c3','b2 c3 c2 d2 b3 b4 a4 c1 d1','3777ed704ecd4c27d0f7fba2b506b3ba',1.0,'B+','rules',NULL,NULL,3.4128000000000002572e-05);
INSERT INTO game VALUES(10,'2e95cb5af6e9b0128e92c38af0af3fb7',7,1,-320572002314132903,'d2 c1','d2 c1 c3 b2 d4 d3 d1 a3 b1 c4 b4','a2fb204e028bb91dfa56164e60d4576a',1.0,'B+','rules',NULL,NULL,5.4583000000000002393e-05);
INSERT INTO game VALUES(11,'1124dfbb558e288ac46444903c4736ea',7,0,-6428882005354775639,'d2 c1','d2 c1 b1 b3 d1 a4 c3 d4 d3 c4 a3 b4','3c10a1d6b03d0136cc24f36eb4cd7f09',1.0,'W+','rules',NULL,NULL,4.9914999999999998974e-05);
INSERT INTO game VALUES(12,'09f319640ed1df0f9d96c925ca5c8dc2',8,1,3041002831841965381,'b2 c3','b2 c3 c2 d2 b3 b4 a4 c1 d1','3777ed704ecd4c27d0f7fba2b506b3ba',1.0,'B+','rules',NULL,NULL,3.8825999999999997232e-05);
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
INSERT INTO move VALUES(1,2,1,'c3',1,0.5,8,2.2523000000000001027e-05,9,2333);
INSERT INTO move VALUES(1,3,0,'b2',1,0.4375,16,7.3230000000000000214e-06,14,453);
INSERT INTO move VALUES(1,4,1,'d4',1,0.375,8,3.0400000000000001164e-06,9,2333);
INSERT INTO move VALUES(1,5,0,'d3',2,0.6875,16,4.1620000000000001313e-06,14,453);
INSERT INTO move VALUES(1,6,1,'a3',1,0.625,8,2.4380000000000002051e-06,9,2333);
INSERT INTO move VALUES(1,7,0,'d1',2,0.625,16,3.4960000000000000706e-06,14,453);
INSERT INTO move VALUES(1,8,1,'c2',1,0.25,8,2.2170000000000001187e-06,9,2333);
INSERT INTO move VALUES(1,9,0,'a1',3,1.0,16,3.1659999999999998419e-06,14,453);
INSERT INTO move VALUES(1,10,1,'a2',2,0.0,8,2.14400000000000014e-06,9,2333);
INSERT INTO move VALUES(1,11,0,'b1',3,0.875,16,2.8219999999999998319e-06,14,453);
INSERT INTO move VALUES(2,2,0,'b1',2,0.5625,16,7.1049999999999997367e-06,15,453);
INSERT INTO move VALUES(2,3,1,'b3',1,0.625,8,2.6160000000000000256e-06,9,2333);
INSERT INTO move VALUES(2,4,0,'d1',1,0.4375,16,4.2889999999999999318e-06,15,453);
INSERT INTO move VALUES(2,5,1,'a4',1,0.5,8,2.7549999999999998806e-06,9,2333);
INSERT INTO move VALUES(2,6,0,'c3',2,0.625,16,4.3229999999999999451e-06,15,453);
INSERT INTO move VALUES(2,7,1,'a2',1,0.375,8,2.5239999999999998899e-06,9,2333);
INSERT INTO move VALUES(2,8,0,'b4',2,0.9375,16,3.8469999999999997591e-06,15,453);
INSERT INTO move VALUES(3,2,1,'b3',1,0.625,8,3.7129999999999998563e-06,9,2333);
INSERT INTO move VALUES(3,3,0,'b4',1,0.4375,16,4.2649999999999998229e-06,14,453);
INSERT INTO move VALUES(3,4,1,'c4',1,0.625,8,2.2400000000000001526e-06,9,2333);
INSERT INTO move VALUES(3,5,0,'d1',2,0.5625,16,3.9639999999999996553e-06,14,453);
INSERT INTO move VALUES(3,6,1,'c2',1,0.25,8,2.357000000000000049e-06,9,2333);
INSERT INTO move VALUES(3,7,0,'d4',2,0.6875,16,3.6990000000000000748e-06,14,453);
INSERT INTO move VALUES(3,8,1,'b1',1,0.375,8,2.0959999999999999222e-06,9,2333);
INSERT INTO move VALUES(3,9,0,'a4',2,0.5625,16,3.7290000000000002114e-06,14,453);
INSERT INTO move VALUES(3,10,1,'d2',2,0.375,8,2.6400000000000001347e-06,9,2333);
INSERT INTO move VALUES(3,11,0,'d3',3,0.625,16,2.8710000000000001252e-06,14,453);
INSERT INTO move VALUES(4,2,1,'c3',1,0.5,8,8.6400000000000002865e-06,9,2333);
INSERT INTO move VALUES(4,3,0,'b2',1,0.4375,16,5.2349999999999998531e-06,14,453);
INSERT INTO move VALUES(4,4,1,'d4',1,0.375,8,2.515000000000000061e-06,9,2333);
INSERT INTO move VALUES(4,5,0,'d3',2,0.6875,16,4.0300000000000003787e-06,14,453);
INSERT INTO move VALUES(4,6,1,'a3',1,0.625,8,2.1639999999999999487e-06,9,2333);
INSERT INTO move VALUES(4,7,0,'d1',2,0.625,16,3.4819999999999998656e-06,14,453);
INSERT INTO move VALUES(4,8,1,'c2',1,0.25,8,2.1629999999999998735e-06,9,2333);
INSERT INTO move VALUES(4,9,0,'a1',3,1.0,16,3.1329999999999999038e-06,14,453);
INSERT INTO move VALUES(4,10,1,'a2',2,0.0,8,2.2989999999999999266e-06,9,2333);
INSERT INTO move VALUES(4,11,0,'b1',3,0.875,16,2.7010000000000000588e-06,14,453);
INSERT INTO move VALUES(5,2,0,'b1',2,0.5625,16,1.3141000000000000052e-05,15,453);
INSERT INTO move VALUES(5,3,1,'b3',1,0.625,8,2.9079999999999999404e-06,9,2333);
INSERT INTO move VALUES(5,4,0,'d1',1,0.4375,16,4.4039999999999996779e-06,15,453);
INSERT INTO move VALUES(5,5,1,'a4',1,0.5,8,2.8069999999999999758e-06,9,2333);
INSERT INTO move VALUES(5,6,0,'c3',2,0.625,16,4.2540000000000002672e-06,15,453);
INSERT INTO move VALUES(5,7,1,'a2',1,0.375,8,2.3439999999999999193e-06,9,2333);
INSERT INTO move VALUES(5,8,0,'b4',2,0.9375,16,3.9119999999999999838e-06,15,453);
INSERT INTO move VALUES(6,2,1,'b3',1,0.625,8,3.4779999999999999887e-06,9,2333);
INSERT INTO move VALUES(6,3,0,'b4',1,0.4375,16,4.4449999999999997937e-06,14,453);
INSERT INTO move VALUES(6,4,1,'c4',1,0.625,8,2.4459999999999999591e-06,9,2333);
INSERT INTO move VALUES(6,5,0,'d1',2,0.5625,16,4.009999999999999723e-06,14,453);
INSERT INTO move VALUES(6,6,1,'c2',1,0.25,8,2.4099999999999997955e-06,9,2333);
INSERT INTO move VALUES(6,7,0,'d4',2,0.6875,16,3.8290000000000001009e-06,14,453);
INSERT INTO move VALUES(6,8,1,'b1',1,0.375,8,2.2060000000000001393e-06,9,2333);
INSERT INTO move VALUES(6,9,0,'a4',2,0.5625,16,3.6140000000000000418e-06,14,453);
INSERT INTO move VALUES(6,10,1,'d2',2,0.375,8,2.4580000000000000136e-06,9,2333);
INSERT INTO move VALUES(6,11,0,'d3',3,0.625,16,2.8069999999999999758e-06,14,453);
INSERT INTO move VALUES(7,2,1,'c3',2,0.5,16,7.2379999999999999884e-06,17,2493);
INSERT INTO move VALUES(7,3,0,'b2',1,0.4375,16,4.6519999999999996753e-06,14,453);
INSERT INTO move VALUES(7,4,1,'d4',2,0.5,16,4.7249999999999996538e-06,17,2493);
INSERT INTO move VALUES(7,5,0,'d3',2,0.6875,16,4.1790000000000001381e-06,14,453);
INSERT INTO move VALUES(7,6,1,'d1',2,0.5,16,4.9230000000000001298e-06,17,2493);
INSERT INTO move VALUES(7,7,0,'a3',1,0.125,16,4.5159999999999996221e-06,14,453);
INSERT INTO move VALUES(7,8,1,'b1',3,0.875,16,4.7099999999999997975e-06,17,2493);
INSERT INTO move VALUES(7,9,0,'c4',3,0.3125,16,3.6880000000000000956e-06,14,453);
INSERT INTO move VALUES(7,10,1,'b4',4,0.75,16,4.2499999999999999666e-06,17,2493);
INSERT INTO move VALUES(8,2,0,'b1',2,0.5625,16,1.0268000000000000623e-05,15,453);
INSERT INTO move VALUES(8,3,1,'b3',2,0.6875,16,5.2340000000000002017e-06,17,2493);
INSERT INTO move VALUES(8,4,0,'d1',1,0.4375,16,4.580000000000000195e-06,15,453);
INSERT INTO move VALUES(8,5,1,'a4',2,0.5,16,5.1499999999999998201e-06,17,2493);
INSERT INTO move VALUES(8,6,0,'c3',2,0.625,16,4.1359999999999998722e-06,15,453);
INSERT INTO move VALUES(8,7,1,'d4',6,0.375,16,4.6140000000000002083e-06,17,2493);
INSERT INTO move VALUES(8,8,0,'d3',2,0.8125,16,3.6080000000000000146e-06,15,453);
INSERT INTO move VALUES(8,9,1,'c4',9,0.25,16,4.3239999999999995969e-06,17,2493);
INSERT INTO move VALUES(8,10,0,'a3',3,0.375,16,2.7810000000000001398e-06,15,453);
INSERT INTO move VALUES(8,11,1,'b4',4,0.75,16,3.7330000000000000881e-06,17,2493);
INSERT INTO move VALUES(9,2,1,'c2',2,0.5,16,6.4160000000000000659e-06,17,2493);
INSERT INTO move VALUES(9,3,0,'d2',1,0.625,16,4.3760000000000001153e-06,14,453);
INSERT INTO move VALUES(9,4,1,'b3',2,0.625,16,4.4320000000000000874e-06,17,2493);
INSERT INTO move VALUES(9,5,0,'b4',2,0.25,16,3.8809999999999997724e-06,14,453);
INSERT INTO move VALUES(9,6,1,'a4',6,0.375,16,4.2579999999999997204e-06,17,2493);
INSERT INTO move VALUES(9,7,0,'c1',2,0.125,16,3.4429999999999999003e-06,14,453);
INSERT INTO move VALUES(9,8,1,'d1',3,0.875,16,3.9570000000000003999e-06,17,2493);
INSERT INTO move VALUES(10,2,1,'c3',2,0.5,16,1.272599999999999979e-05,17,2493);
INSERT INTO move VALUES(10,3,0,'b2',1,0.4375,16,5.7209999999999999434e-06,14,453);
INSERT INTO move VALUES(10,4,1,'d4',2,0.5,16,5.0080000000000001632e-06,17,2493);
INSERT INTO move VALUES(10,5,0,'d3',2,0.6875,16,4.0090000000000000717e-06,14,453);
INSERT INTO move VALUES(10,6,1,'d1',2,0.5,16,4.8160000000000001379e-06,17,2493);
INSERT INTO move VALUES(10,7,0,'a3',1,0.125,16,4.7199999999999997018e-06,14,453);
INSERT INTO move VALUES(10,8,1,'b1',3,0.875,16,4.6990000000000002417e-06,17,2493);
INSERT INTO move VALUES(10,9,0,'c4',3,0.3125,16,3.6619999999999998364e-06,14,453);
INSERT INTO move VALUES(10,10,1,'b4',4,0.75,16,4.0400000000000002831e-06,17,2493);
INSERT INTO move VALUES(11,2,0,'b1',2,0.5625,16,7.0459999999999999627e-06,15,453);
INSERT INTO move VALUES(11,3,1,'b3',2,0.6875,16,5.0409999999999996777e-06,17,2493);
INSERT INTO move VALUES(11,4,0,'d1',1,0.4375,16,4.4589999999999999982e-06,15,453);
INSERT INTO move VALUES(11,5,1,'a4',2,0.5,16,5.011999999999999616e-06,17,2493);
INSERT INTO move VALUES(11,6,0,'c3',2,0.625,16,4.3429999999999997538e-06,15,453);
INSERT INTO move VALUES(11,7,1,'d4',4,0.375,16,4.6330000000000003653e-06,17,2493);
INSERT INTO move VALUES(11,8,0,'d3',2,0.8125,16,3.7349999999999998151e-06,15,453);
INSERT INTO move VALUES(11,9,1,'c4',3,0.1875,16,4.203000000000000247e-06,17,2493);
INSERT INTO move VALUES(11,10,0,'a3',3,0.375,16,2.9160000000000001179e-06,15,453);
INSERT INTO move VALUES(11,11,1,'b4',4,0.75,16,3.7610000000000000743e-06,17,2493);
INSERT INTO move VALUES(12,2,1,'c2',2,0.5,16,9.4360000000000007966e-06,17,2493);
INSERT INTO move VALUES(12,3,0,'d2',1,0.625,16,4.5770000000000003932e-06,14,453);
INSERT INTO move VALUES(12,4,1,'b3',2,0.625,16,4.3850000000000003679e-06,17,2493);
INSERT INTO move VALUES(12,5,0,'b4',2,0.25,16,3.9269999999999998401e-06,14,453);
INSERT INTO move VALUES(12,6,1,'a4',4,0.375,16,3.9859999999999996141e-06,17,2493);
INSERT INTO move VALUES(12,7,0,'c1',2,0.125,16,3.2590000000000000526e-06,14,453);
INSERT INTO move VALUES(12,8,1,'d1',3,0.875,16,3.9790000000000003588e-06,17,2493);
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
INSERT INTO event VALUES(1,'2026-11-23T18:09:44Z','run','{"match":"playouts_8_select.c_0.2","version":"0.1.0 (117f7a245de8)","games":3,"threads":1,"sprt":null}');
INSERT INTO event VALUES(2,'2026-11-23T18:09:44Z','end','{"match":"playouts_8_select.c_0.2","seconds":0.002779158,"stopped":false,"process_bytes_peak":12824576}');
INSERT INTO event VALUES(3,'2026-11-23T18:09:44Z','run','{"match":"playouts_8_select.c_1.4","version":"0.1.0 (117f7a245de8)","games":3,"threads":1,"sprt":null}');
INSERT INTO event VALUES(4,'2026-11-23T18:09:44Z','end','{"match":"playouts_8_select.c_1.4","seconds":0.014573996,"stopped":false,"process_bytes_peak":12824576}');
INSERT INTO event VALUES(5,'2026-11-23T18:09:44Z','run','{"match":"playouts_16_select.c_0.2","version":"0.1.0 (117f7a245de8)","games":3,"threads":1,"sprt":null}');
INSERT INTO event VALUES(6,'2026-11-23T18:09:44Z','end','{"match":"playouts_16_select.c_0.2","seconds":0.023237583,"stopped":false,"process_bytes_peak":12824576}');
INSERT INTO event VALUES(7,'2026-11-23T18:09:44Z','run','{"match":"playouts_16_select.c_1.4","version":"0.1.0 (117f7a245de8)","games":3,"threads":1,"sprt":null}');
INSERT INTO event VALUES(8,'2026-11-23T18:09:44Z','end','{"match":"playouts_16_select.c_1.4","seconds":0.014549966,"stopped":false,"process_bytes_peak":12824576}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'sweep','sweep','a grid of exploration constants and simulations',replace('kind = "sweep"\nname = "sweep"\nabout = "a grid of exploration constants and simulations"\ngame = "hex:4"\ngames = 3\nplayouts = 16\nbase = "uct"\nb = "flat-mc"\n\n[axes]\nplayouts = [8, 16]\n"select.c" = [0.2, 1.4]\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:44Z');
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;
INSERT INTO conditions VALUES(1,'e075bc4d4c1f445a4a9cec7bcdfa1445',replace('game = "hex:4"\nseed = 1\nlongest = 2000\n\n[limit]\nplayouts = 16\n\n[openings]\nrandom-plies = 2\n','\n',char(10)));
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
INSERT INTO pair VALUES(3,1,3,2,0,0);
INSERT INTO pair VALUES(4,1,3,2,1,0);
INSERT INTO pair VALUES(5,1,4,2,0,0);
INSERT INTO pair VALUES(6,1,4,2,1,0);
INSERT INTO pair VALUES(7,1,5,2,0,0);
INSERT INTO pair VALUES(8,1,5,2,1,0);
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
INSERT INTO "match" VALUES(0,'playouts_8_select.c_0.2',1,1,2,'uct,playouts=8,select.c=0.2','flat-mc',3,NULL,'','uct,select.c=0.2',8.0);
INSERT INTO "match" VALUES(1,'playouts_8_select.c_1.4',1,3,2,'uct,playouts=8,select.c=1.4','flat-mc',3,NULL,'','uct,select.c=1.4',8.0);
INSERT INTO "match" VALUES(2,'playouts_16_select.c_0.2',1,4,2,'uct,playouts=16,select.c=0.2','flat-mc',3,NULL,'','uct,select.c=0.2',16.0);
INSERT INTO "match" VALUES(3,'playouts_16_select.c_1.4',1,5,2,'uct,playouts=16,select.c=1.4','flat-mc',3,NULL,'','uct,select.c=1.4',16.0);
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
COMMIT;
PRAGMA user_version = 2;
