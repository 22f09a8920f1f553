PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE config (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    spec TEXT NOT NULL                  -- canonical TOML
);
INSERT INTO config VALUES(1,'63a8a922b64367aa1b5569def0802628','uct,backup=softmax,backup.schedule=knots,backup.simulations=20,backup.knots=[0.0,0.0],select=uct',replace('about = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 0.7\n\n[backup]\nkind = "softmax"\nschedule = "knots"\nweight = 0.4\nknots = [0.0, 0.0]\nsimulations = 20\nown = "blend"\nerror = 0.0001\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(2,'a76db56074ed58e694f7511c14745f73','uct',replace('about = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 0.7\n\n[backup]\nkind = "mean"\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(3,'5bb57128d68a6cf1ac5b5dcda6563148','uct,backup=softmax,backup.schedule=knots,backup.simulations=20,backup.knots=[5.80894,-2.27552],select=ucb1-tuned',replace('about = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "ucb1-tuned"\n\n[backup]\nkind = "softmax"\nschedule = "knots"\nweight = 0.4\nknots = [5.80894, -2.27552]\nsimulations = 20\nown = "blend"\nerror = 0.0001\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(4,'a85a1e4489ffe21893dcafd289e7356a','uct,backup=softmax,backup.schedule=knots,backup.simulations=20,backup.knots=[-1.42951,0.272196],select=uct',replace('about = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "uct"\nc = 0.7\n\n[backup]\nkind = "softmax"\nschedule = "knots"\nweight = 0.4\nknots = [-1.42951, 0.272196]\nsimulations = 20\nown = "blend"\nerror = 0.0001\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(5,'13a3e0d91d87d1195f69b775584e7068','uct,backup=softmax,backup.schedule=knots,backup.simulations=20,backup.knots=[6.0,6.0],select=ucb1-tuned',replace('about = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "ucb1-tuned"\n\n[backup]\nkind = "softmax"\nschedule = "knots"\nweight = 0.4\nknots = [6.0, 6.0]\nsimulations = 20\nown = "blend"\nerror = 0.0001\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
INSERT INTO config VALUES(6,'b71dcb6831a8da8fc728d104d2ffc714','uct,backup=softmax,backup.schedule=knots,backup.simulations=20,backup.knots=[5.99556,-3.0],select=ucb1-tuned',replace('about = "UCT with uniform playouts"\nfinal_move = "robust"\nsolver = false\ndepth = 256\nexpand_at = 1\nties = "first"\nreuse = false\nrecycle = false\n\n[select]\nkind = "ucb1-tuned"\n\n[backup]\nkind = "softmax"\nschedule = "knots"\nweight = 0.4\nknots = [5.99556, -3.0]\nsimulations = 20\nown = "blend"\nerror = 0.0001\n\n[playout]\nkind = "uniform"\n\n[parallel]\nkind = "serial"\n\n[memory]\n\n[two_level]\nlambda = 0.0\nshare = true\ngive_up = 0.0\n\n[amaf]\ncounts = "wide"\nalloc = 0\n','\n',char(10)));
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
INSERT INTO game VALUES(1,'f8ce83a965a8063004dc5e91e87c525a',1,1,6598003709572823066,'c3 a1','c3 a1 b2 a3 a2 b1 c2','fdb042cd4aaa41b349eb8b118850b8b9',1.0,'B+','rules',NULL,NULL,5.9635000000000000777e-05);
INSERT INTO game VALUES(2,'cc12f56c3d34e78db2c5ebb259d52089',1,0,-3882191380861168878,'c3 a1','c3 a1 b2 b1 c1 a3 c2','0f846912f7d2e6b71bef95d79e92b1b2',0.0,'B+','rules',NULL,NULL,3.0926000000000001719e-05);
INSERT INTO game VALUES(3,'f3fd22b93878c50456a1a749226c6015',2,1,8922753467529493877,'b1 b3','b1 b3 b2 c2 c3 a1 c1 a3 a2','b67c82f508fda806007f2f909a168467',0.5,'0','rules',NULL,NULL,4.0683000000000003339e-05);
INSERT INTO game VALUES(4,'af233c665ab0467e79a41ebbfd702e0e',2,0,2956352432981405802,'b1 b3','b1 b3 c1 c3 a1','74d6bc3d9d94a1e47a10f4123897d79f',0.0,'B+','rules',NULL,NULL,1.9865000000000000387e-05);
INSERT INTO game VALUES(5,'f02ff4bcb2e7ca05b05b39f6d256ad2f',3,1,1893195146351677212,'b3 b1','b3 b1 c1 c2 b2 a3 a1 c3 a2','00bccbfb3559fbd914157b2dbcd05e3e',0.5,'0','rules',NULL,NULL,5.2639999999999997448e-05);
INSERT INTO game VALUES(6,'ea01972182b6a5ba891fb2689dff2dea',3,0,-5468832017466088378,'b3 b1','b3 b1 b2 c1 c3 a1','ca164fed15357c702a235deaa4bf204c',1.0,'W+','rules',NULL,NULL,2.786800000000000152e-05);
INSERT INTO game VALUES(7,'dd686aafed5310ceef6db2c31b82c1e6',4,1,2293140829806302704,'c1 b2','c1 b2 c3 b3 c2','aa5413e2d63fe192216bc88432a6ffac',1.0,'B+','rules',NULL,NULL,2.3765999999999999122e-05);
INSERT INTO game VALUES(8,'211efef14dcba9201af3f7ec6d2eb10a',4,0,6438065437014246399,'c1 b2','c1 b2 c2 c3 a1 b1 b3 a3 a2','774c94bc7dc96475f4eef11fda70eee6',0.5,'0','rules',NULL,NULL,3.6971000000000002287e-05);
INSERT INTO game VALUES(9,'a12f25ce5479acf3a15f4492a2d548f0',5,1,-8611769307873746092,'b2 a1','b2 a1 c1 a2 a3','8934b4d92e72d29d17b7fd87e462fea9',1.0,'B+','rules',NULL,NULL,3.6155999999999997385e-05);
INSERT INTO game VALUES(10,'00d439b7de9a496eb1a5508755833e44',5,0,7628098589256355729,'b2 a1','b2 a1 a2 c2 c1 b1 a3','a5e49bba4574e52d4fd42b2d94fc54e4',0.0,'B+','rules',NULL,NULL,3.2079000000000002369e-05);
INSERT INTO game VALUES(11,'b93714f7974876b23704f63acde71e03',6,1,5125015944309070023,'c3 c1','c3 c1 b3 a3 b2 a1 b1','5eece0a26340eec2a10c558d58ef9cbc',1.0,'B+','rules',NULL,NULL,3.2255000000000002039e-05);
INSERT INTO game VALUES(12,'747f41e08a11149da409bf08993b0e44',6,0,8357828650217854222,'c3 c1','c3 c1 b1 b2 a3 b3 a1 a2 c2','6a3a836843bb37bf5fbbb59e5d79e32c',0.5,'0','rules',NULL,NULL,3.8106999999999999543e-05);
INSERT INTO game VALUES(13,'e32150c64b6bf11c81132143c379c217',7,1,9199382822105586052,'b1 c1','b1 c1 a3 b3 a1 a2 c3 b2 c2','dbb72254a05a9eca31c70b9e09a808d3',0.5,'0','rules',NULL,NULL,5.111900000000000303e-05);
INSERT INTO game VALUES(14,'bf5b160c37a59c70fb451a576ef406c3',7,0,4561588932505791273,'b1 c1','b1 c1 c3 b2 a3 c2 a2 a1 b3','8f1f0b60a5d87fd5a13f9a6403256565',0.0,'B+','rules',NULL,NULL,4.2854e-05);
INSERT INTO game VALUES(15,'b80c50789a4296385482b82b1db39c3b',8,1,-6696198722607278925,'a2 b3','a2 b3 b2 c3 c2','0e0615df5081ae4ce9a951f32c3cac01',1.0,'B+','rules',NULL,NULL,2.352600000000000142e-05);
INSERT INTO game VALUES(16,'d4d1abeac66478fd59be56b10fba76c5',8,0,-1258783101042703444,'a2 b3','a2 b3 b2 a3 c2','d1437e05b127336bb2c286a2994a8762',0.0,'B+','rules',NULL,NULL,1.9945999999999998426e-05);
INSERT INTO game VALUES(17,'2d7abf04ac630d49fce463b758d2be0b',9,1,-3405785231239835393,'c3 b1','c3 b1 a3 c1 b3','05bec734600b7cf61950805a1016bfff',1.0,'B+','rules',NULL,NULL,3.9495000000000000483e-05);
INSERT INTO game VALUES(18,'e140fa42a4a4415013c51d76c43b608f',9,0,932051888357469196,'c3 b1','c3 b1 b3 a1 a3','024c15a04bbcec75414c92df42e47025',0.0,'B+','rules',NULL,NULL,3.0026000000000000172e-05);
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
INSERT INTO move VALUES(1,2,1,'b2',5,0.79022556543350219726,20,3.3806999999999996667e-05,21,4054);
INSERT INTO move VALUES(1,3,0,'a3',8,0.5,20,5.5790000000000002865e-06,21,2534);
INSERT INTO move VALUES(1,4,1,'a2',13,0.68254560232162475585,20,7.7470000000000005355e-06,21,4054);
INSERT INTO move VALUES(1,5,0,'b1',8,0.17500001192092895507,20,3.6509999999999998569e-06,21,2534);
INSERT INTO move VALUES(1,6,1,'c2',15,0.92192500829696655273,20,3.3689999999999998463e-06,21,4054);
INSERT INTO move VALUES(2,2,0,'b2',8,0.52499997615814208984,20,6.6089999999999997424e-06,21,2534);
INSERT INTO move VALUES(2,3,1,'b1',7,0.43597292900085449218,20,7.8660000000000005822e-06,21,4446);
INSERT INTO move VALUES(2,4,0,'c1',8,0.67500001192092895507,20,4.1060000000000001591e-06,21,2534);
INSERT INTO move VALUES(2,5,1,'a3',7,0.22806644439697265625,20,5.5979999999999995961e-06,21,4446);
INSERT INTO move VALUES(2,6,0,'c2',13,0.85000002384185791015,20,2.1760000000000000032e-06,21,2534);
INSERT INTO move VALUES(3,2,1,'b2',4,0.82153326272964477539,20,1.1318000000000000735e-05,21,5062);
INSERT INTO move VALUES(3,3,0,'c2',6,0.19999998807907104492,20,5.293999999999999627e-06,21,2534);
INSERT INTO move VALUES(3,4,1,'c3',6,0.72251307964324951171,20,6.3489999999999996906e-06,21,5062);
INSERT INTO move VALUES(3,5,0,'a1',6,0.22500002384185791015,20,3.4649999999999998591e-06,21,2534);
INSERT INTO move VALUES(3,6,1,'c1',9,0.59279608726501464843,20,5.8119999999999995801e-06,21,5062);
INSERT INTO move VALUES(3,7,0,'a3',17,0.42500001192092895507,20,2.0459999999999999773e-06,21,2534);
INSERT INTO move VALUES(3,8,1,'a2',20,0.5,20,1.8459999999999999862e-06,21,5062);
INSERT INTO move VALUES(4,2,0,'c1',4,0.72500002384185791015,20,5.9850000000000002958e-06,21,2534);
INSERT INTO move VALUES(4,3,1,'c3',7,0.20374780893325805664,20,7.3289999999999996252e-06,20,5062);
INSERT INTO move VALUES(4,4,0,'a1',11,0.80000001192092895507,20,2.7319999999999998469e-06,21,2534);
INSERT INTO move VALUES(5,2,1,'c1',4,0.65852952003479003906,20,1.9411000000000001006e-05,21,4222);
INSERT INTO move VALUES(5,3,0,'c2',8,0.22500002384185791015,20,5.7690000000000001612e-06,21,2534);
INSERT INTO move VALUES(5,4,1,'b2',4,0.625,20,7.0319999999999997578e-06,21,4222);
INSERT INTO move VALUES(5,5,0,'a3',8,0.14999997615814208984,20,3.8219999999999999984e-06,21,2534);
INSERT INTO move VALUES(5,6,1,'a1',7,0.5,20,5.4539999999999997891e-06,21,4222);
INSERT INTO move VALUES(5,7,0,'c3',17,0.42500001192092895507,20,2.0810000000000000656e-06,21,2534);
INSERT INTO move VALUES(5,8,1,'a2',20,0.5,20,2.0430000000000001754e-06,21,4222);
INSERT INTO move VALUES(6,2,0,'b2',6,0.64999997615814208984,20,7.2790000000000001033e-06,21,2534);
INSERT INTO move VALUES(6,3,1,'c1',5,0.19761347770690917968,20,8.3159999999999996613e-06,21,4350);
INSERT INTO move VALUES(6,4,0,'c3',9,0.27499997615814208984,20,3.7689999999999998284e-06,21,2534);
INSERT INTO move VALUES(6,5,1,'a1',17,1.0,20,2.967000000000000138e-06,21,4350);
INSERT INTO move VALUES(7,2,1,'c3',5,0.49965214729309082031,20,9.2289999999999992215e-06,21,4542);
INSERT INTO move VALUES(7,3,0,'b3',5,0.35000002384185791015,20,4.5940000000000004e-06,21,2534);
INSERT INTO move VALUES(7,4,1,'c2',8,0.9999999403953552246,20,4.8239999999999998918e-06,21,4542);
INSERT INTO move VALUES(8,2,0,'c2',6,0.67500001192092895507,20,5.9399999999999998799e-06,21,2534);
INSERT INTO move VALUES(8,3,1,'c3',7,0.66666460037231445312,20,7.277999999999999605e-06,21,5118);
INSERT INTO move VALUES(8,4,0,'a1',9,0.42500001192092895507,20,4.2490000000000003148e-06,21,2534);
INSERT INTO move VALUES(8,5,1,'b1',9,0.49999636411666870117,20,6.1070000000000001444e-06,21,5118);
INSERT INTO move VALUES(8,6,0,'b3',12,0.375,20,3.0070000000000001783e-06,21,2534);
INSERT INTO move VALUES(8,7,1,'a3',10,0.5,20,3.6909999999999998975e-06,21,5118);
INSERT INTO move VALUES(8,8,0,'a2',20,0.5,20,1.0570000000000000019e-06,21,2534);
INSERT INTO move VALUES(9,2,1,'c1',5,0.70303630828857421875,20,1.9544000000000001258e-05,21,4054);
INSERT INTO move VALUES(9,3,0,'a2',6,0.35000002384185791015,20,5.7270000000000003941e-06,21,2534);
INSERT INTO move VALUES(9,4,1,'a3',10,0.84165400266647338867,20,4.7280000000000003026e-06,21,4054);
INSERT INTO move VALUES(10,2,0,'a2',6,0.72500002384185791015,20,7.0249999999999996557e-06,21,2534);
INSERT INTO move VALUES(10,3,1,'c2',6,0.17670351266860961914,20,7.6120000000000001341e-06,21,4726);
INSERT INTO move VALUES(10,4,0,'c1',7,0.72500002384185791015,20,4.5879999999999999489e-06,21,2534);
INSERT INTO move VALUES(10,5,1,'b1',7,0.12497437000274658203,20,5.2429999999999996073e-06,21,4726);
INSERT INTO move VALUES(10,6,0,'a3',12,0.875,20,2.2520000000000002073e-06,21,2534);
INSERT INTO move VALUES(11,2,1,'b3',7,0.69249451160430908203,20,9.6690000000000000911e-06,21,5006);
INSERT INTO move VALUES(11,3,0,'a3',6,0.35000002384185791015,20,4.7949999999999998305e-06,21,2534);
INSERT INTO move VALUES(11,4,1,'b2',7,0.62733066082000732421,20,6.4969999999999997978e-06,21,5006);
INSERT INTO move VALUES(11,5,0,'a1',7,0.35000002384185791015,20,3.2299999999999999913e-06,21,2534);
INSERT INTO move VALUES(11,6,1,'b1',18,0.94417101144790649414,20,2.59000000000000019e-06,21,5006);
INSERT INTO move VALUES(12,2,0,'b1',6,0.69999998807907104492,20,6.4060000000000001611e-06,21,2534);
INSERT INTO move VALUES(12,3,1,'b2',6,0.15810346603393554687,20,7.5000000000000001899e-06,21,5006);
INSERT INTO move VALUES(12,4,0,'a3',11,0.5,20,4.2960000000000000343e-06,21,2534);
INSERT INTO move VALUES(12,5,1,'b3',9,0.35879391431808471679,20,6.1199999999999998498e-06,21,5006);
INSERT INTO move VALUES(12,6,0,'a1',9,0.60000002384185791015,20,3.2009999999999999304e-06,21,2534);
INSERT INTO move VALUES(12,7,1,'a2',17,0.4429931044578552246,20,4.0080000000000004199e-06,21,5006);
INSERT INTO move VALUES(12,8,0,'c2',20,0.5,20,1.1390000000000000215e-06,21,2534);
INSERT INTO move VALUES(13,2,1,'a3',7,0.3333333134651184082,20,1.8603000000000001289e-05,21,4222);
INSERT INTO move VALUES(13,3,0,'b3',6,0.32499998807907104492,20,5.7710000000000003113e-06,21,2534);
INSERT INTO move VALUES(13,4,1,'a1',6,0.58333337306976318359,20,6.7970000000000003136e-06,21,4222);
INSERT INTO move VALUES(13,5,0,'a2',10,0.32499998807907104492,20,3.9240000000000000383e-06,21,2534);
INSERT INTO move VALUES(13,6,1,'c3',8,0.5625,20,5.6629999999999998212e-06,21,4222);
INSERT INTO move VALUES(13,7,0,'b2',17,0.42500001192092895507,20,2.2680000000000001387e-06,21,2534);
INSERT INTO move VALUES(13,8,1,'c2',20,0.5,20,2.03999999999999995e-06,21,4222);
INSERT INTO move VALUES(14,2,0,'c3',6,0.60000002384185791015,20,1.0719000000000000202e-05,21,2534);
INSERT INTO move VALUES(14,3,1,'b2',5,0.19999998807907104492,20,9.0170000000000002345e-06,21,4350);
INSERT INTO move VALUES(14,4,0,'a3',12,0.60000002384185791015,20,4.2710000000000002736e-06,21,2534);
INSERT INTO move VALUES(14,5,1,'c2',6,0.30000001192092895507,20,5.7529999999999998066e-06,21,4350);
INSERT INTO move VALUES(14,6,0,'a2',9,0.94999998807907104492,20,2.674000000000000148e-06,21,2534);
INSERT INTO move VALUES(14,7,1,'a1',10,0.0,20,3.8659999999999999161e-06,21,4350);
INSERT INTO move VALUES(14,8,0,'b3',20,1.0,20,1.07200000000000007e-06,21,2534);
INSERT INTO move VALUES(15,2,1,'b2',5,0.89999997615814208984,20,9.4569999999999994101e-06,21,4542);
INSERT INTO move VALUES(15,3,0,'c3',6,0.25,20,4.8890000000000001165e-06,21,2534);
INSERT INTO move VALUES(15,4,1,'c2',8,1.0,20,5.0239999999999996709e-06,21,4542);
INSERT INTO move VALUES(16,2,0,'b2',7,0.67500001192092895507,20,5.7930000000000002706e-06,21,2534);
INSERT INTO move VALUES(16,3,1,'a3',5,0.19999998807907104492,20,7.6750000000000002083e-06,21,5118);
INSERT INTO move VALUES(16,4,0,'c2',10,0.82499998807907104492,20,2.5260000000000000402e-06,21,2534);
INSERT INTO move VALUES(17,2,1,'a3',4,1.0,20,1.8056000000000001275e-05,21,4222);
INSERT INTO move VALUES(17,3,0,'c1',6,0.25364643335342407226,20,7.1029999999999995866e-06,21,4054);
INSERT INTO move VALUES(17,4,1,'b3',6,1.0,20,5.3460000000000001451e-06,21,4222);
INSERT INTO move VALUES(18,2,0,'b3',6,0.69155538082122802734,20,8.9179999999999999965e-06,21,5230);
INSERT INTO move VALUES(18,3,1,'a1',5,0.19992089271545410156,20,8.0479999999999998561e-06,21,5246);
INSERT INTO move VALUES(18,4,0,'a3',9,0.82942271232604980468,20,4.8350000000000002949e-06,21,5230);
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    kind   TEXT NOT NULL,
    detail TEXT NOT NULL                -- JSON
);
INSERT INTO event VALUES(1,'2026-11-23T18:09:45Z','parameters','[{"name":"backup.knots","kind":"knots","low":-3.0,"high":6.0,"count":2,"rising":false,"default":[0.0,0.0]},{"name":"select","kind":"choice","options":["uct","ucb1-tuned"]}]');
INSERT INTO event VALUES(2,'2026-11-23T18:09:45Z','suggestion','{"number":0,"values":[[0.0,0.0],"uct"],"pending":[]}');
INSERT INTO event VALUES(3,'2026-11-23T18:09:45Z','run','{"match":"e0","version":"0.1.0 (117f7a245de8)","games":4,"threads":1,"sprt":null}');
INSERT INTO event VALUES(4,'2026-11-23T18:09:45Z','end','{"match":"e0","seconds":0.00065275,"stopped":false,"process_bytes_peak":12619776}');
INSERT INTO event VALUES(5,'2026-11-23T18:09:45Z','suggestion','{"number":1,"values":[[5.80894,-2.27552],"ucb1-tuned"],"pending":[0]}');
INSERT INTO event VALUES(6,'2026-11-23T18:09:45Z','completion','{"number":0,"told":null}');
INSERT INTO event VALUES(7,'2026-11-23T18:09:45Z','run','{"match":"e1","version":"0.1.0 (117f7a245de8)","games":4,"threads":1,"sprt":null}');
INSERT INTO event VALUES(8,'2026-11-23T18:09:45Z','end','{"match":"e1","seconds":0.000715768,"stopped":false,"process_bytes_peak":13221888}');
INSERT INTO event VALUES(9,'2026-11-23T18:09:45Z','suggestion','{"number":2,"values":[[-1.42951,0.272196],"uct"],"pending":[1]}');
INSERT INTO event VALUES(10,'2026-11-23T18:09:45Z','completion','{"number":1,"told":null}');
INSERT INTO event VALUES(11,'2026-11-23T18:09:45Z','run','{"match":"e2","version":"0.1.0 (117f7a245de8)","games":4,"threads":1,"sprt":null}');
INSERT INTO event VALUES(12,'2026-11-23T18:09:45Z','end','{"match":"e2","seconds":0.000753756,"stopped":false,"process_bytes_peak":13307904}');
INSERT INTO event VALUES(13,'2026-11-23T18:09:45Z','suggestion','{"number":3,"values":[[6.0,6.0],"ucb1-tuned"],"pending":[2]}');
INSERT INTO event VALUES(14,'2026-11-23T18:09:45Z','completion','{"number":2,"told":null}');
INSERT INTO event VALUES(15,'2026-11-23T18:09:45Z','run','{"match":"e3","version":"0.1.0 (117f7a245de8)","games":4,"threads":1,"sprt":null}');
INSERT INTO event VALUES(16,'2026-11-23T18:09:45Z','end','{"match":"e3","seconds":0.000691936,"stopped":false,"process_bytes_peak":13332480}');
INSERT INTO event VALUES(17,'2026-11-23T18:09:45Z','completion','{"number":3,"told":null}');
INSERT INTO event VALUES(18,'2026-11-23T18:09:45Z','recommendation','{"evaluations":4,"values":[[5.99556,-3.0],"ucb1-tuned"]}');
INSERT INTO event VALUES(19,'2026-11-23T18:09:45Z','run','{"match":"v4-default","version":"0.1.0 (117f7a245de8)","games":2,"threads":1,"sprt":null}');
INSERT INTO event VALUES(20,'2026-11-23T18:09:45Z','end','{"match":"v4-default","seconds":0.000551134,"stopped":false,"process_bytes_peak":13316096}');
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    kind    TEXT NOT NULL,              -- match, matches, decisions, ...
    name    TEXT NOT NULL,
    about   TEXT NOT NULL,
    file    TEXT NOT NULL,              -- as it was last run, TOML
    version TEXT NOT NULL,              -- of the program that created the store, with its commit
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
INSERT INTO experiment VALUES(1,'tuning','tuning-knots','the schedule of Softmax',replace('kind = "tuning"\nname = "tuning-knots"\nabout = "the schedule of Softmax"\ngame = "tic-tac-toe"\nbase = "uct,backup=softmax,backup.schedule=knots,backup.simulations=20"\nopponent = "uct"\nevaluations = 4\nparallel = 2\ngames = 4\nplayouts = 20\nsearch = { acquisition = "ucb", initial = 3, samples = 0 }\n\n[[parameter]]\nname = "backup.knots"\nkind = "knots"\ncount = 2\nlow = -3\nhigh = 6\ndefault = [0, 0]\n\n[[parameter]]\nname = "select"\nkind = "choice"\noptions = ["uct", "ucb1-tuned"]\n\n[[validation]]\nname = "default"\ngames = 2\n','\n',char(10)),'0.1.0 (117f7a245de8)','2026-11-23T18:09:45Z');
CREATE TABLE conditions (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL                  -- canonical TOML
) STRICT;
INSERT INTO conditions VALUES(1,'128c9e73b63c20ded44337a7f091cf2b',replace('game = "tic-tac-toe"\nseed = 6511318781990719860\nlongest = 2000\n\n[limit]\nplayouts = 20\n\n[openings]\nrandom-plies = 2\n','\n',char(10)));
INSERT INTO conditions VALUES(2,'ec20520e5d28e8d2a4fe83e4491a63ad',replace('game = "tic-tac-toe"\nseed = 4029775319665222362\nlongest = 2000\n\n[limit]\nplayouts = 20\n\n[openings]\nrandom-plies = 2\n','\n',char(10)));
INSERT INTO conditions VALUES(3,'db96f5c21eec8fed37e98a89e7d1ec38',replace('game = "tic-tac-toe"\nseed = 5747233207857470625\nlongest = 2000\n\n[limit]\nplayouts = 20\n\n[openings]\nrandom-plies = 2\n','\n',char(10)));
INSERT INTO conditions VALUES(4,'f11d971e56bab03393cb939078eea688',replace('game = "tic-tac-toe"\nseed = 3663243694296712096\nlongest = 2000\n\n[limit]\nplayouts = 20\n\n[openings]\nrandom-plies = 2\n','\n',char(10)));
INSERT INTO conditions VALUES(5,'e4f4d824e9c56defc850419192090b83',replace('game = "tic-tac-toe"\nseed = 6984988448823951474\nlongest = 2000\n\n[limit]\nplayouts = 20\n\n[openings]\nrandom-plies = 2\n','\n',char(10)));
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
INSERT INTO pair VALUES(3,2,3,2,0,0);
INSERT INTO pair VALUES(4,2,3,2,1,0);
INSERT INTO pair VALUES(5,3,4,2,0,0);
INSERT INTO pair VALUES(6,3,4,2,1,0);
INSERT INTO pair VALUES(7,4,5,2,0,0);
INSERT INTO pair VALUES(8,4,5,2,1,0);
INSERT INTO pair VALUES(9,5,6,1,0,0);
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
INSERT INTO "match" VALUES(0,'e0',1,1,2,'uct,backup=softmax,backup.schedule=knots,backup.simulations=20,backup.knots=[0.0,0.0],select=uct','uct',4,NULL,'','',NULL);
INSERT INTO "match" VALUES(1,'e1',2,3,2,'uct,backup=softmax,backup.schedule=knots,backup.simulations=20,backup.knots=[5.80894,-2.27552],select=ucb1-tuned','uct',4,NULL,'','',NULL);
INSERT INTO "match" VALUES(2,'e2',3,4,2,'uct,backup=softmax,backup.schedule=knots,backup.simulations=20,backup.knots=[-1.42951,0.272196],select=uct','uct',4,NULL,'','',NULL);
INSERT INTO "match" VALUES(3,'e3',4,5,2,'uct,backup=softmax,backup.schedule=knots,backup.simulations=20,backup.knots=[6.0,6.0],select=ucb1-tuned','uct',4,NULL,'','',NULL);
INSERT INTO "match" VALUES(4,'v4-default',5,6,1,'uct,backup=softmax,backup.schedule=knots,backup.simulations=20,backup.knots=[5.99556,-3.0],select=ucb1-tuned','uct,backup=softmax,backup.schedule=knots,backup.simulations=20,backup.knots=[0.0,0.0],select=uct',2,NULL,'','',NULL);
CREATE TABLE part (
    position INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    cell     INTEGER NOT NULL REFERENCES cell,
    trials   INTEGER NOT NULL           -- how many are asked for
) STRICT;
COMMIT;
PRAGMA user_version = 2;
