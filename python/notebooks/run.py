"""Runs the code of notebooks, cell by cell, without Jupyter: `python run.py NOTEBOOK...`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def run(file: Path) -> None:
    """Runs a notebook in a namespace of its own."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    begun = time.process_time()
    for number, cell in enumerate(json.loads(file.read_text())["cells"]):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{file.name}, cell {number}", "exec"), namespace)
    print(f"{file.name}: {time.process_time() - begun:.0f} s of processor time", file=sys.stderr)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        run(Path(name))
