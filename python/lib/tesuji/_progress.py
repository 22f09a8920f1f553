"""Progress, in terminals and notebooks."""

from __future__ import annotations

import html
import importlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any, Union

#: ``None``: shown where somebody looks; ``False``: not at all; or a function that is told of every change.
Progress = Union[None, bool, Callable[[dict[str, Any]], object]]


def watcher(progress: Progress) -> Callable[[str], object] | None:
    """The function that the native half calls with a line of JSON."""
    if callable(progress):
        tell = progress
        return lambda line: tell(json.loads(line))
    notebook = _in_notebook()
    if progress is False or (progress is None and not (notebook or sys.stderr.isatty())):
        return None
    return _Shown(notebook).update


def _in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class _Shown:
    """A line that changes at most five times a second."""

    def __init__(self, notebook: bool) -> None:
        self.notebook = notebook
        self.handle: Any = None
        self.begun = self.shown = time.monotonic()
        self.title = ""
        self.total = 0

    def update(self, line: str) -> None:
        state = json.loads(line)
        if "begun" in state:
            self.title, self.total = f"{state['number']}/{state['of']} {state['begun']}: ", state["total"]
            self.begun = time.monotonic()
        if state.get("note"):
            self.end(str(state["note"]))
        played, total = state.get("played"), state.get("total", self.total)
        now = time.monotonic()
        if played is None or (now - self.shown < 0.2 and played < total):
            return
        self.shown = now
        left = (now - self.begun) * (total - played) / played if played else 0.0
        counts = f", won {state['wins']}, drawn {state['draws']}, lost {state['losses']}" if "wins" in state else ""
        self.show(f"{self.title}{played} of {total}{counts}, {left:.0f} s left", played >= total)

    def show(self, text: str, is_last: bool) -> None:
        if self.notebook:
            shown: Any = importlib.import_module("IPython.display")
            content = shown.HTML(f"<code>{html.escape(text)}</code>")
            if self.handle is None:
                self.handle = shown.display(content, display_id=True)
            else:
                self.handle.update(content)
        else:
            print(f"\r\x1b[K{text}", end="\n" if is_last else "", file=sys.stderr, flush=True)

    def end(self, text: str) -> None:
        print(f"\r\x1b[K{text}" if not self.notebook else text, file=sys.stderr, flush=True)
