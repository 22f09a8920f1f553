"""Matches, experiments, stores, statistics, tuning and races."""

from __future__ import annotations

import math
import random
import shutil

import numpy as np
import pytest
import tesuji


def test_matches_are_reproducible_and_stored(tmp_path):
    ask = dict(game="connect-four", games=20, simulations=30, seed=5, progress=False)
    one = tesuji.match("uct", "random", threads=1, **ask)
    two = tesuji.match(tesuji.Recipe("uct"), "random", threads=2, out=tmp_path / "out #1 50%", **ask)
    assert (one.wins, one.draws, one.losses) == (two.wins, two.draws, two.losses)
    assert one.games == 20 and one.score > 0.7 and one.interval.lo < one.score
    assert "uct against random" in str(one) and "<svg" in one._repr_html_()
    store = tesuji.Store(tmp_path / "out #1 50%")
    assert store.matches()["match"].wins == one.wins
    games, searches = store.games(), store.searches()
    assert len(games) == 20 and len(searches) > 100 and "moves" in games.columns
    assert store.query("SELECT count(*) AS n FROM game")[0]["n"] == 20
    assert store.verify() == []
    with pytest.raises(tesuji.InputError, match="holds no experiment"):
        tesuji.Store(tmp_path)


def test_progress_is_told_and_may_raise(tmp_path):
    states = []
    tesuji.match("uct", "random", "tic-tac-toe", games=6, simulations=10, progress=states.append)
    assert tesuji.match("uct", "random", "tic-tac-toe", games=np.int64(2), simulations=np.int32(5), progress=False).games == 2
    assert [state["played"] for state in states] == list(range(1, 7)) and states[-1]["total"] == 6

    def stop(state):
        if state["played"] == 3:
            raise LookupError("enough")

    ask = dict(game="connect-four", games=400, simulations=200, threads=1, out=tmp_path / "out")
    with pytest.raises(LookupError, match="enough"):
        tesuji.match("uct", "random", progress=stop, **ask)
    assert 3 <= len(tesuji.Store(tmp_path / "out").games()) < 400


def test_what_is_wrong_with_a_match_is_said():
    for change, message in (
        (dict(a="utc"), "did you mean `uct`"),
        (dict(game="go:20"), "2 to 19"),
        (dict(openings=["x9"]), "is not legal there"),
        (dict(seconds=0.0), "seconds"),
        (dict(adjudicate=2.0), "adjudicate|accepted"),
        (dict(sprt=(1.0, 0.0)), "elo|Elo"),
        (dict(simulations=0), "simulations is 0; accepted: at least 1"),
        (dict(seed=-1), "seed is -1; accepted: at least 0"),
        (dict(seed=1 << 63), "seed is 9223372036854775808; accepted: at most 9223372036854775807"),
        (dict(seconds=math.nan), r"seconds is nan; accepted: 0.001 to 10\^9"),
        (dict(adjudicate=math.inf), "adjudicate is inf; accepted: at least 0 and below 0.5"),
        (dict(sprt=(0, math.nan)), "elo1 of sprt is nan; accepted: a finite number"),
        (dict(opening_plies=-1), "opening_plies is -1; accepted: at least 0"),
        (dict(longest=-1), "longest is -1; accepted: at least 1"),
        (dict(threads=-1), "threads is -1; accepted: at least 1"),
        (dict(openings=[3]), "openings has 3; accepted: lines of moves"),
    ):
        ask = dict(a="uct", b="random", game="tic-tac-toe", games=2, simulations=5, progress=False) | change
        with pytest.raises(tesuji.InputError, match=message):
            tesuji.match(**ask)


def test_a_match_with_openings_is_checked_with_and_without_a_network(tmp_path):
    network = tesuji.NetworkAgent(lambda planes: (np.zeros((len(planes), 9)), np.full(len(planes), 0.5)))
    empty = tmp_path / "empty.txt"
    empty.write_text("\n \n")
    for a in ("uct", network):
        ask = dict(a=a, b="random", game="tic-tac-toe", games=2, simulations=5, progress=False)
        for change, message in (
            (dict(openings=["b2"], opening_plies=2), "openings and opening_plies exclude each other; accepted: one of them"),
            (dict(openings=[]), "openings has no line of moves; accepted: at least one"),
            (dict(openings=empty), r"the openings file .*empty\.txt: it has no openings"),
        ):
            with pytest.raises(tesuji.InputError, match=message):
                tesuji.match(**ask, **change)
        # An opening may end the game.
        over = tesuji.match(**ask, openings=["b1 a2 b2 a1 b3"])
        assert (over.wins, over.draws, over.losses) == (1, 0, 1)
        lines = tmp_path / "lines.txt"
        lines.write_text("b2 a1\n\n c3\n")
        assert tesuji.match(**ask, openings=lines).games == 2


@pytest.mark.skipif(not shutil.which("sh"), reason="needs a shell")
def test_games_that_fail_are_an_error(tmp_path):
    """Somebody ends the engine: nobody has lost, and the game is to be played again."""
    engine = tmp_path / "engine.sh"
    engine.write_text(
        'while read -r id command rest; do case "$command" in genmove) kill -9 $$;; '
        'protocol_version) printf "=%s 2\\n\\n" "$id";; *) printf "=%s \\n\\n" "$id";; esac; done\n'
    )
    ask = dict(game="go:3", games=1, simulations=5, threads=1, progress=False)
    with pytest.raises(tesuji.RunError, match=r"1 game failed \(.*\): nothing was kept; with out a match can be resumed"):
        tesuji.match(f"gtp:sh {engine}", "random", **ask)
    with pytest.raises(tesuji.RunError, match="1 game failed .* the same call plays the rest"):
        tesuji.match(f"gtp:sh {engine}", "random", out=tmp_path / "out", **ask)


def test_results_between_win_and_draw_are_named(tmp_path):
    from games import Uneven

    network = tesuji.NetworkAgent(lambda planes: (np.zeros((len(planes), 9)), np.full(len(planes), 0.5)), simulations=3)
    ask = dict(game=Uneven, games=4, simulations=3, progress=False)
    fault = "ended with the value 0.75 for its first player; accepted in a match: 0, 1/2 and 1"
    for more in (dict(a=network), dict(a="uct"), dict(a="uct", out=tmp_path / "out")):
        with pytest.raises(tesuji.RunError, match=fault):
            tesuji.match(b="random", **ask, **more)


def test_wrong_numbers_are_named():
    start = tesuji.Game("tic-tac-toe").start()
    for call, message in (
        (lambda: tesuji.analyze(start, seed=-1), "seed is -1; accepted: at least 0"),
        (lambda: tesuji.analyze(start, simulations=-1), "simulations is -1; accepted: at least 1"),
        (lambda: tesuji.analyze(start, seconds=math.nan), r"seconds is nan; accepted: 0 to 10\^9"),
        (lambda: tesuji.search(start, seed=-1), "seed is -1; accepted: at least 0"),
        (lambda: tesuji.search([start] * 2, seed=2**64 - 1), "seed is 18446744073709551615; accepted: at most"),
        (lambda: tesuji.search([start] * 2, seed=[1, -1]), "a seed is -1; accepted: at least 0"),
        (lambda: tesuji.search(start, simulations=-1), "simulations is -1; accepted: at least 1"),
        (lambda: tesuji.run("x.toml", limit=-1), "limit is -1; accepted: at least 0"),
        (lambda: tesuji.run("x.toml", threads=0), "threads is 0; accepted: at least 1"),
        (lambda: tesuji.stats(1, 2, -3), "a count is -3; accepted: at least 0"),
        (lambda: tesuji.race(lambda arm, count: [], 2, risk=math.nan), "risk is nan; accepted: above 0 and below 1"),
        (lambda: tesuji.race(lambda arm, count: [], 2, first=-1), "first is -1; accepted: at least 1"),
        (lambda: tesuji.race(lambda arm, count: [], -1), "there are -1 arms; accepted: 1 to 1000000"),
        (lambda: tesuji.Tuner({"x": tesuji.Real(0, math.nan)}), "high of x is nan; accepted: a finite number"),
        (lambda: tesuji.Tuner({"x": tesuji.Real(0, 1)}, seed=-1), "seed is -1; accepted: at least 0"),
        (lambda: tesuji.Tuner({"x": tesuji.Real(0, 1)}, initial=-1), "initial is -1; accepted: at least 0"),
        (lambda: tesuji.Tuner({"x": tesuji.Real(0, 1)}).tell({"x": math.nan}, 0), "x of the point is nan"),
        (lambda: tesuji.tune(lambda point: 0.0, {"x": tesuji.Real(0, 1)}, evaluations=-1), "evaluations is -1"),
    ):
        with pytest.raises(tesuji.InputError, match=message):
            call()
    with pytest.raises(TypeError, match="simulations is 1.5; accepted: a whole number"):
        tesuji.search(start, simulations=1.5)


def test_an_experiment_file_is_run(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(
        'kind = "matches"\nname = "small"\nabout = "Two matches"\ngame = "tic-tac-toe"\ngames = 10\nplayouts = 20\n'
        'b = "random"\n[[match]]\nname = "one"\na = "uct"\n[[match]]\nname = "two"\na = "grave,playout=uniform"\n'
    )
    found = tesuji.run(file, out=tmp_path / "out", results=tmp_path / "results", progress=False)
    assert found.name == "small" and not found.interrupted
    assert [row["name"] for row in found.tables["matches"]] == ["one", "two"]
    assert set(found.store.matches()) == {"one", "two"}
    # As the program prints it: the rows by the name of their table.
    assert [row["name"] for row in found.data["matches"]] == ["one", "two"]
    # One game of one of the matches, and the other match not at all.
    fresh = dict(out=tmp_path / "fresh", results=tmp_path / "fresh", only="two", progress=False)
    for limit, games in ((0, 0), (1, 1), (3, 3), (3, 3), (None, 10)):
        found = tesuji.run(file, limit=limit, **fresh)
        assert {row["name"]: row["games"] for row in found.data["matches"]} == ({"two": games} if games else {})
    file.write_text('kind = "mathces"\nname = "small"\n')
    with pytest.raises(tesuji.InputError, match=r"small\.toml: .*mathces.*matches"):
        tesuji.run(file, out=tmp_path / "wrong", results=tmp_path / "wrong")
    assert not (tmp_path / "wrong").exists()


def test_tables_become_data_frames():
    table = tesuji.games()
    pandas = pytest.importorskip("pandas")
    assert isinstance(table.to_pandas(), pandas.DataFrame) and len(table.to_pandas()) == len(table)


def test_tables_become_data_frames_of_polars():
    polars = pytest.importorskip("polars")
    assert isinstance(tesuji.games().to_polars(), polars.DataFrame)


def test_statistics():
    found = tesuji.stats(563, 0, 437)
    assert found.n == 1000 and found.score == 0.563 and found.interval.lo < 0.563 < found.interval.hi
    assert found.elo == pytest.approx(44.0, abs=0.2) and found.superiority > 0.999
    assert tesuji.stats(10, 0, 0).elo == math.inf
    assert tesuji.stats(10, 200, 480, 230, 15, elo0=-5, elo1=0).data["llr"] is not None
    with pytest.raises(tesuji.InputError):
        tesuji.stats(1, 2)


def test_any_function_is_tuned():
    def objective(point):
        return -((math.log(point["c"]) - 1) ** 2) - (point["n"] - 3) ** 2 / 10 - (point["word"] == "bad")

    parameters = {"c": tesuji.Log(0.1, 100), "n": tesuji.Integer(0, 10), "word": tesuji.Choice("good", "bad")}
    found = tesuji.tune(objective, parameters, evaluations=30, seed=3)
    assert len(found.observations) == 30
    assert abs(math.log(found.best["c"]) - 1) < 0.7 and abs(found.best["n"] - 3) <= 1 and found.best["word"] == "good"
    again = tesuji.tune(objective, parameters, evaluations=30, seed=3)
    assert again.best == found.best


def test_asked_points_are_under_way_until_told():
    tuner = tesuji.Tuner({"x": tesuji.Real(0, 1)}, seed=1)
    points = [tuner.ask() for _ in range(4)]
    assert len({point["x"] for point in points}) == 4
    for point in points:
        tuner.tell(point, point["x"], 0.01)
    best, mean, deviation = tuner.recommend()
    assert 0 <= best["x"] <= 1 and deviation > 0
    with pytest.raises(tesuji.InputError, match="has no x"):
        tuner.tell({"y": 1}, 0)
    with pytest.raises(tesuji.InputError, match="above 0 for a logarithm"):
        tesuji.Tuner({"x": tesuji.Log(0, 1)})
    with pytest.raises(tesuji.InputError, match="is named value"):
        tesuji.Tuner({"value": tesuji.Real(0, 1)})
    with pytest.raises(tesuji.InputError, match="accepted: -1e100"):
        tuner.tell({"x": 0.5}, math.nan)


def test_any_sampler_is_raced():
    draws = random.Random(1)

    def sample(arm, count):
        return [float(draws.random() < (0.4, 0.7, 0.5)[arm]) for _ in range(count)]

    found = tesuji.race(sample, 3, accept=0.505, reject=0.55)
    assert found.winner == 1 and found.arms[1].verdict == "accepted" and found.arms[1].lower > 0.505
    assert len(found.table()) == 3
    with pytest.raises(tesuji.InputError, match="a reward is 2"):
        tesuji.race(lambda arm, count: [2.0] * count, 2)
    with pytest.raises(tesuji.InputError, match="returns 0 rewards; accepted: 64"):
        tesuji.race(lambda arm, count: [], 2)
    with pytest.raises(tesuji.InputError, match="there are 1000000000000 arms; accepted: 1 to 1000000"):
        tesuji.race(sample, 10**12)
    with pytest.raises(tesuji.InputError, match="risk is 2; accepted"):
        tesuji.race(sample, 2, risk=2)


def test_networks_of_python_play_matches():
    import numpy as np

    game = tesuji.Game("tic-tac-toe")
    evaluate = lambda planes: (np.zeros((len(planes), 9)), np.full(len(planes), 0.5))
    calls = []

    def counted(planes):
        calls.append(len(planes))
        return evaluate(planes)

    ask = dict(games=20, simulations=40, progress=False)
    result = tesuji.match(tesuji.NetworkAgent(counted), "random", game, **ask)
    assert result.games == 20 and result.score > 0.7 and max(calls) > 5, "games share batches"
    again = tesuji.match(tesuji.NetworkAgent(evaluate), "random", game, **ask)
    assert (again.wins, again.draws, again.losses) == (result.wins, result.draws, result.losses)
    assert tesuji.match("uct", tesuji.NetworkAgent(evaluate, simulations=5), game, **ask, seed=20_241_128).games == 20
    # A recipe's own number of simulations comes before that of the match.
    calls.clear()
    tesuji.match(tesuji.NetworkAgent(counted, "puct-net,playouts=3"), "random", game, games=2, simulations=40, progress=False)
    assert len(calls) < 30
    strong = tesuji.match("uct,playouts=300", tesuji.NetworkAgent(evaluate), game, games=20, simulations=2, progress=False)
    assert strong.score > 0.6
    with pytest.raises(tesuji.InputError, match="out is not accepted"):
        tesuji.match(tesuji.NetworkAgent(evaluate), "uct", game, out="x")
    with pytest.raises(tesuji.InputError, match="an even number"):
        tesuji.match(tesuji.NetworkAgent(evaluate), "uct", game, games=3)
