#!/usr/bin/env python3
"""Counts how the crates are built: `docs/structure.py DIR...`, each the root of a checkout.

Prints for each crate: lines of Rust below `src`; imports that go through `lib.rs` of the own crate
instead of the module that defines a thing; circles of modules, each with its number of modules; and
the names that two or more types of the crate have. Tests at the foot of a file count as lines only.
"""

import re
import sys
from collections import Counter
from pathlib import Path


def expand(tree):
    """All paths of a use declaration."""
    if "{" not in tree:
        return [tree.split(" as ")[0].strip()]
    head, rest = tree.split("{", 1)
    items, depth, item = [], 0, ""
    for c in rest.rsplit("}", 1)[0] + ",":
        if c == "," and depth == 0:
            items.append(item.strip())
            item = ""
        else:
            depth += (c == "{") - (c == "}")
            item += c
    return [head.strip() + path for item in items if item for path in expand(item)]


def read(src):
    """Each module with its code, without comments and tests."""
    modules = {}
    for file in sorted(src.rglob("*.rs")):
        words = [word for word in file.relative_to(src).with_suffix("").parts if word not in ("mod", "lib", "main")]
        code = re.split(r"#\[cfg\(test\)\]\n(?:pub\(crate\) )?mod tests", file.read_text())[0]
        modules[tuple(words)] = re.sub(r"//[^\n]*", "", code)
    return modules


def uses(modules):
    """The imports and the re-exports of each module, as full paths within the crate."""
    imports, exports = {}, {}
    for module, code in modules.items():
        imports[module] = []
        for public, tree in re.findall(r"(?m)^\s*(pub(?:\([a-z]+\))? )?use ([^;]+);", code):
            for path in expand(" ".join(tree.split())):
                words = path.split("::")
                ups = len([word for word in words if word == "super"])
                if words[0] == "crate":
                    full = tuple(words[1:])
                elif words[0] == "super":
                    full = module[: len(module) - ups] + tuple(words[ups:])
                elif words[0] == "self":
                    full = module + tuple(words[1:])
                elif module + (words[0],) in modules:
                    full = module + tuple(words)
                else:
                    continue
                if public:
                    exports[module, full[-1]] = full
                else:
                    imports[module].append((full, words[0] == "crate"))
    return imports, exports


def resolve(path, modules, exports, steps=10):
    """The module that a path leads to."""
    length = next(n for n in range(len(path), -1, -1) if path[:n] in modules)
    target = exports.get((path[:length], path[length])) if length < len(path) else None
    return resolve(target + path[length + 1 :], modules, exports, steps - 1) if target and steps else path[:length]


def circles(edges):
    """The sizes of the groups of modules that lead to each other."""
    reach = {module: set(targets) for module, targets in edges.items()}
    changed = True
    while changed:
        changed = False
        for targets in reach.values():
            more = set().union(*(reach[target] for target in targets)) - targets if targets else set()
            targets |= more
            changed |= bool(more)
    groups = {frozenset(m for m in reach if m in reach[n] and n in reach[m]) for n in reach if n in reach[n]}
    return sorted(len(group) for group in groups)


for root in map(Path, sys.argv[1:] or ["."]):
    print(f"{root}\ncrate            lines  through lib.rs  circles  names of several types")
    for crate in sorted((root / "crates").iterdir()):
        src = crate / "src"
        lines = sum(file.read_text().count("\n") for file in src.rglob("*.rs"))
        modules = read(src)
        imports, exports = uses(modules)
        every = [(full, is_root) for paths in imports.values() for full, is_root in paths]
        through = [full for full, is_root in every if is_root and full and (full[0],) not in modules]
        edges = {
            module: {target for path, _ in paths if (target := resolve(path, modules, exports)) != module}
            for module, paths in imports.items()
        }
        types = [
            re.findall(r"(?m)^\s*(?:pub(?:\([a-z]+\))? )?(?:struct|enum|trait|union) (\w+)", code)
            for code in modules.values()
        ]
        several = sorted(name for name, n in Counter(name for own in types for name in own).items() if n > 1)
        print(f"{crate.name:<15} {lines:>6} {len(through):>7} of {len(every):<4} {circles(edges)!s:<9} {', '.join(several)}")
