"""Signals, threads, forks and memory."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import tesuji


def interrupted(code: str, *args: str) -> tuple[str, float]:
    """Runs a program, sends Ctrl-C half a second after it says `ready`, and tells what it printed and how long it took."""
    command = [sys.executable, "-c", textwrap.dedent(code), *args]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"
    time.sleep(0.5)
    sent = time.monotonic()
    program.send_signal(signal.SIGINT)
    out, _ = program.communicate(timeout=60)
    return out, time.monotonic() - sent


@pytest.mark.parametrize(
    "call",
    [
        "tesuji.analyze(start, simulations=10**12)",
        "tesuji.search([start] * 8, simulations=10**12)",
        "tesuji.search([start] * 8, evaluate, simulations=10**12)",
        "tesuji.match('uct', 'uct', 'connect-four', games=10**6, simulations=1000, out=sys.argv[1], progress=False)",
        "tesuji.analyze(tesuji.Game(games.Nim).start(), simulations=10**12)",
        "tesuji.match('uct', 'uct', games.Nim, games=10**6, simulations=100, progress=False)",
        "start.game.perft(40)",
        "tesuji.Game(games.Nim).perft(40)",
    ],
)
def test_ctrl_c_ends_a_call_at_once(call, tmp_path):
    out, seconds = interrupted(
        f"""
        import signal, sys, numpy as np, tesuji, games
        # A shell lets its background jobs ignore Ctrl-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        start = tesuji.Game("connect-four").start()
        evaluate = lambda planes: (np.zeros((len(planes), 49)), np.full(len(planes), .5))
        print("ready", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print("interrupted")
        """,
        str(tmp_path / "out"),
    )
    assert out == "interrupted\n" and seconds < 5
    if "out=" in call:
        assert len(tesuji.Store(tmp_path / "out").games()) > 0, "finished games are kept"


def test_other_threads_run_while_trees_grow():
    ticks, running = [], threading.Event()

    def tick():
        while not running.is_set():
            ticks.append(1)
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = tesuji.Game("connect-four").start()
    begun = time.monotonic()
    while time.monotonic() - begun < 1:
        tesuji.search([start] * 4, simulations=20_000)
    running.set()
    ticker.join()
    assert len(ticks) > 100


def test_searches_of_several_threads_agree_with_one():
    start = tesuji.Game("connect-four").start()
    evaluate = lambda planes: (np.zeros((len(planes), 49)), np.full(len(planes), 0.5))
    alone = [tesuji.search(start, evaluate, simulations=100, seed=i).visits.tolist() for i in range(8)]
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda i: tesuji.search(start, evaluate, simulations=100, seed=i).visits.tolist(), range(8))
        assert list(found) == alone


def test_trees_are_searched_by_one_thread_at_a_time():
    start = tesuji.Game("connect-four").start()
    trees, faults = tesuji.search(start, simulations=10).trees, []

    def evaluate_in_turn(planes):
        try:
            tesuji.search(start, inner, simulations=5, trees=waiting)
        except RuntimeError as error:
            faults.append(str(error))
        return inner(planes)

    inner = lambda planes: (np.zeros((len(planes), 49)), np.full(len(planes), 0.5))
    waiting = tesuji.search(start, inner, simulations=5).trees
    tesuji.search(start, evaluate_in_turn, simulations=5, trees=waiting)
    assert faults and "searched by another call" in faults[0]
    assert tesuji.search(start, simulations=10, trees=trees).visits.sum() > 0


def forked(queue):
    try:
        tesuji.search(tesuji.Game("tic-tac-toe").start(), simulations=10)
        queue.put("searched")
    except RuntimeError as error:
        queue.put(str(error))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_is_told_what_to_do():
    visits(tesuji.Game("tic-tac-toe").start())
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=forked, args=(queue,))
    child.start()
    assert 'accepted: processes that start anew, by multiprocessing.get_context("spawn")' in queue.get(timeout=20)
    child.join()


def visits(position):
    return tesuji.analyze(position, simulations=100).visits


def test_processes_that_start_anew_search():
    positions = [tesuji.Game("connect-four").start().play(m) for m in "1234"]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(visits, positions)) == [visits(position) for position in positions]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_of_a_process_that_only_loaded_the_package_searches():
    # The server of `forkserver` loads what the main module imports, from CPython 3.13.1 on.
    code = """
    import multiprocessing, sys, tesuji
    from test_process import forked
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tesuji"])
    queue = context.Queue()
    child = context.Process(target=forked, args=(queue,))
    child.start()
    print(queue.get(timeout=20))
    child.join()
    """
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    assert subprocess.check_output([sys.executable, "-c", textwrap.dedent(code)], text=True, env=env) == "searched\n"


def test_subinterpreters_are_refused():
    code = """
    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters
    failed = None
    try:
        failed = interpreters.run_string(interpreters.create(), "import tesuji")
    except Exception as error:
        failed = error
    print(getattr(failed, "formatted", failed))
    """
    said = subprocess.check_output([sys.executable, "-c", textwrap.dedent(code)], text=True)
    assert "does not support loading in subinterpreters" in said


def resident() -> int:
    """Bytes that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_nothing_leaks():
    """A short version: TESUJI_LEAK_SEARCHES=100000 is the long one."""
    searches = int(os.environ.get("TESUJI_LEAK_SEARCHES", "4000"))
    start = tesuji.Game("connect-four").start()
    evaluate = lambda planes: (np.zeros((len(planes), 49), np.float32), np.full(len(planes), 0.5, np.float32))

    def work(count):
        for i in range(count // 4):
            tesuji.search([start] * 2, evaluate, simulations=8, seed=i)
            tesuji.analyze(start, simulations=8, seed=i)
            try:
                tesuji.search(start, lambda planes: 1 / 0, simulations=8)
            except ZeroDivisionError:
                pass

    work(searches // 4)
    before = resident()
    work(searches)
    grown = resident() - before
    assert grown < 4 << 20, f"{grown} bytes more after {searches} searches"
