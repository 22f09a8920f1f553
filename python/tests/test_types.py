"""Types and stubs."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
import tesuji


def check(directory: Path, *command: str) -> None:
    env = {**os.environ, "MYPYPATH": ""}
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, env=env, cwd=directory)
    assert done.returncode == 0, done.stdout + done.stderr


needs_mypy = pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not there")


@needs_mypy
def test_the_package_is_typed(tmp_path):
    check(tmp_path, "mypy", "--strict", "-p", "tesuji")


@needs_mypy
def test_the_stubs_are_those_of_the_native_half(tmp_path):
    check(tmp_path, "mypy.stubtest", "tesuji._tesuji")


def test_everything_is_documented():
    for name in tesuji.__all__:
        value = getattr(tesuji, name)
        if not hasattr(value, "__args__"):
            assert value.__doc__, name
    for native in (tesuji.Game, tesuji.Position):
        for name, value in vars(native).items():
            if not name.startswith("_"):
                assert value.__doc__, f"{native.__name__}.{name}"


@needs_mypy
def test_games_as_the_chapter_has_them_are_typed(tmp_path):
    (tmp_path / "program.py").write_text(
        "import functools\nimport tesuji\n\nclass Nim:\n    def __init__(self, counters: int = 21) -> None: ...\n\n"
        'for game in ("go:9", tesuji.Game("go:9")):\n    tesuji.match("uct", "random", game)\n'
        'tesuji.match("uct", "random", Nim)\ntesuji.match("uct", "random", lambda: Nim(5))\n'
        'tesuji.match("uct", "random", functools.partial(Nim, 5))\n'
    )
    check(tmp_path, "mypy", "--strict", "program.py")
