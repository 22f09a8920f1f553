#!/usr/bin/env python3
"""KaTrain's own engine code, without its window, plays and analyses games with `tesuji analysis`.

    python3 crates/tesuji-cli/tests/katrain.py TESUJI KATRAIN [MODEL]

TESUJI is the program, or the address of the analysis engine of a `tesuji serve`, `ws://127.0.0.1:PORT/analysis`, which
needs the package websocket-client. KATRAIN is a folder with the unpacked package katrain (made for 1.18.1):
`pip download --no-deps katrain==1.18.1`, then `python3 -m zipfile -e`. Kivy is not needed. Without a MODEL the built-in network
plays. The script ends with status 1 at the first thing that is not as KaTrain wants it.
"""

import collections
import json
import os
import sys
import time
import types


def stand_in(name, **content):
    """A module that KaTrain imports and that does nothing here."""
    module = types.ModuleType(name)
    module.__dict__.update(content)
    sys.modules[name] = module
    return module


class Observable:
    def __init__(self, *args, **kwargs):
        pass

    def fbind(self, *args):
        pass

    def funbind(self, *args):
        pass


class JsonStore(dict):
    def __init__(self, file, **kwargs):
        with open(file, encoding="utf-8") as text:
            super().__init__(json.load(text))


def stand_ins():
    nothing = types.SimpleNamespace(
        set=lambda *args: None, create_trigger=lambda *args: lambda: None, schedule_once=lambda *args: None
    )
    stand_in("kivy", Config=nothing, __path__=[])
    stand_in("kivy.utils", platform="linux")
    stand_in("kivy.clock", Clock=nothing)
    stand_in("kivy._event", Observable=Observable)
    stand_in("kivy.storage", __path__=[])
    stand_in("kivy.storage.jsonstore", JsonStore=JsonStore)
    try:
        import chardet  # noqa: F401
    except ImportError:
        stand_in("chardet", detect=lambda content: {"encoding": "utf-8"})


def check(good, text):
    if not good:
        sys.exit(f"FAILED: {text}")


def wait_for(done, text, seconds=300):
    end = time.time() + seconds
    while not done():
        check(time.time() < end, f"{text}: not within {seconds} s")
        time.sleep(0.01)


def main(program, package, model=None):
    stand_ins()
    sys.path.insert(0, package)
    from katrain.core import constants, engine as engine_module
    from katrain.core.ai import generate_ai_move
    from katrain.core.base_katrain import KaTrainBase
    from katrain.core.engine import KataGoEngine
    from katrain.core.game import Game
    from katrain.core.sgf_parser import Move

    class KaTrain(KaTrainBase):
        """The window's place: it keeps what it is told."""

        def __init__(self):
            self.stderr, self.errors, self.popups, self.pondering = [], [], [], False
            self.controls = types.SimpleNamespace(set_status=lambda *args, **kwargs: None)
            super().__init__(force_package_config=True, debug_level=0)

        def log(self, message, level=constants.OUTPUT_INFO):
            if level == constants.OUTPUT_KATAGO_STDERR:
                self.stderr.append(message)
            elif level == constants.OUTPUT_ERROR:
                self.errors.append(str(message))

        def __call__(self, message, *args):
            self.popups.append((message, args))

        def update_state(self, **kwargs):
            pass

    # Every line of the engine passes here.
    finals, sent = collections.Counter(), set()

    def loads(line):
        answer = json.loads(line)
        if "rootInfo" in answer or answer.get("noResults"):
            if not answer.get("isDuringSearch", False):
                finals[answer["id"], answer["turnNumber"]] += 1
        return answer

    def dumps(query, **kwargs):
        if isinstance(query, dict) and "analyzeTurns" in query:
            sent.update((query["id"], turn) for turn in query["analyzeTurns"])
        return json.dumps(query, **kwargs)

    watched = types.SimpleNamespace(loads=loads, dumps=dumps, JSONDecodeError=json.JSONDecodeError)
    engine_module.json = watched

    katrain = KaTrain()
    config = dict(katrain.config("engine"), katago=program, max_visits=100, fast_visits=10)
    is_remote = program.startswith("ws://")
    if is_remote:
        config["remote_url"] = program
    elif model:
        config["model"] = model
    else:
        config["altcommand"] = f'exec "{program}" analysis -config "{package}/katrain/KataGo/analysis_config.cfg"'
    if is_remote:
        from katrain.core import remote_engine

        remote_engine.json = watched
        engine = remote_engine.RemoteKataGoEngine(katrain, config)
        check(engine.check_alive(), "the engine is reached")
    else:
        engine = KataGoEngine(katrain, config)
        wait_for(lambda: any("ready" in line.lower() for line in katrain.stderr), "the engine is ready")

    def sound():
        check(not katrain.errors, katrain.errors)
        check(not katrain.popups, katrain.popups)
        bad = [line for line in katrain.stderr if "error" in line.lower()]
        check(not bad, bad)
        check(engine.check_alive(), "the engine is alive")

    def idle(text):
        wait_for(engine.is_idle, f"{text}: {engine.queries_remaining()} queries", 300)
        sound()

    def play(size, rules, komi, moves, strategy):
        game = Game(katrain, engine, game_properties={"SZ": size, "RU": rules, "KM": komi})
        katrain.game = game
        settings = katrain.config(f"ai/{strategy}") or {}
        for _ in range(moves):
            generate_ai_move(game, strategy, settings)
        idle(f"{rules} {size}x{size}: the game")
        nodes = game.root.nodes_in_tree
        check(len(nodes) == moves + 1, f"{len(nodes)} nodes")
        for node in nodes:
            points = size * size
            check(node.analysis_complete, f"{node.move} is analysed")
            check(len(node.ownership) == points and max(map(abs, node.ownership)) <= 1, "ownership")
            check(len(node.policy) == points + 1, "policy")
            check(abs(sum(p for p in node.policy if p > 0) - 1) < 1e-3, "the policy's sum")
            stones = node.depth
            check(sum(p < 0 for p in node.policy) >= min(stones, 1), "illegal moves have -1")
            check(node.score is not None and 0 <= node.winrate <= 1, "score and win rate")
            check(node.is_root or node.points_lost is not None, "points lost")
            for move in node.candidate_moves:
                for key in ("order", "visits", "winrate", "scoreLead", "pv", "pointsLost"):
                    check(key in move, f"{key} of {move}")
        return game

    # A game in which both sides play the engine's move, and its end.
    game = play(9, "japanese", 6.5, 12, constants.AI_DEFAULT)
    print("played:", " ".join(node.move.gtp() for node in game.root.nodes_in_tree if node.move))

    # Pondering goes on until it is stopped, and what was asked meanwhile is answered.
    game.analyze_extra("ponder")
    node = game.current_node
    before = node.root_visits
    wait_for(lambda: node.root_visits > before, "pondering tells of visits")
    game.analyze_extra("stop")
    idle("pondering ends")

    # A long analysis is terminated with others in the queue behind it.
    engine.config["max_visits"] = 10_000_000
    game.analyze_extra("extra")
    for node in game.root.nodes_in_tree:
        node.analyze(engine, visits=10_000_000, time_limit=False)
    wait_for(lambda: len(engine.queries) > len(game.root.nodes_in_tree), "queries wait")
    engine.terminate_queries()
    engine.config["max_visits"] = 100
    for node in game.root.nodes_in_tree:
        node.analysis_visits_requested = 0
    idle("terminated queries are gone")
    # KaTrain forgets terminated queries; every one of them is answered all the same.
    wait_for(lambda: finals == collections.Counter(sent), "each query has one final answer")

    # All other modes.
    game.analyze_extra("game", visits=30)
    idle("the whole game")
    for mode in ("equalize", "alternative", "local", "sweep"):
        game.analyze_extra(mode)
        idle(mode)
    game.set_region_of_interest([2, 5, 2, 5])
    game.analyze_extra("extra")
    idle("a region")
    game.region_of_interest = None
    game.reset_current_analysis()
    game.play(Move(None, player=game.current_node.next_player))
    game.play(Move(None, player=game.current_node.next_player))
    idle("two passes")
    check(game.end_result is None or game.current_node.analysis_complete, "the end is analysed")

    # Other boards and rules, and other ways to choose a move; a new game ends what is going on.
    for size, rules, komi, strategy in [
        (9, "chinese", 7.5, constants.AI_SCORELOSS),
        (13, "aga", 7.5, constants.AI_WEIGHTED),
        (19, "korean", 6.5, constants.AI_POLICY),
        (9, "stone_scoring", 7, constants.AI_SIMPLE_OWNERSHIP),
    ]:
        game.analyze_extra("game", visits=1000)
        engine.on_new_game()
        game = play(size, rules, komi, 4, strategy)
        print("played:", size, rules, strategy)

    wait_for(lambda: finals == collections.Counter(sent), "each query has one final answer")
    sound()
    print(f"{sum(finals.values())} queries, each with one final answer")
    print("\n".join(katrain.stderr))
    engine.shutdown(finish=True)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if len(arguments) not in (2, 3):
        sys.exit(__doc__)
    sys.argv = sys.argv[:1]
    main(*[text if text.startswith("ws://") else os.path.abspath(text) for text in arguments])
