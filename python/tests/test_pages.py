"""The Python of the chapter runs, block by block."""

from __future__ import annotations

import re
from pathlib import Path

CHAPTER = Path(__file__).parents[2] / "docs/python.md"


def test_the_blocks_of_the_chapter_run(capsys):
    blocks = re.findall(r"^```python\n(.*?)^```", CHAPTER.read_text(), re.MULTILINE | re.DOTALL)
    namespace = {"__name__": "chapter"}
    for block in blocks:
        exec(compile(block, str(CHAPTER), "exec"), namespace)
    assert len(blocks) >= 8
    assert "score" in capsys.readouterr().out
