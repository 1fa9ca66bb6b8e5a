"""A scene as Python code that builds it."""

from __future__ import annotations

import json
import keyword
from typing import Any

from ._values import Table

WIDTH = 110

#: Keys at the top that are parameters of Scene.
FIRST = ("title", "dim", "gravity", "depth", "allow_overlap", "max_bodies")
#: Lists with a method that takes the name first.
NAMED = {"loads": "load", "cables": "cable", "trains": "train", "probes": "probe"}
#: Tables with a method.
TABLES = ("record", "environment", "assessment")


def _parameter(key: str) -> str | None:
    """The name of a key as a parameter; None if it cannot be one."""
    name = key.replace("-", "_")
    if not name.isidentifier() or ("-" in key and "_" in key):
        return None
    return name + "_" if keyword.iskeyword(name) else name


def _literal(value: Any) -> str:
    """A value as code."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(item)}" for key, item in value.items()) + "}"
    return f'float("{value}")' if value in (float("inf"), float("-inf")) or value != value else repr(value)


def _call(function: str, positional: list[str], keys: Table, before: str = "") -> str:
    """A call in one line, or with one parameter per line."""
    words = list(positional)
    spread: Table = {}
    for key, value in keys.items():
        name = _parameter(key)
        if name is None:
            spread[key] = value
        else:
            words.append(f"{name}={_literal(value)}")
    if spread:
        words.append(f"**{_literal(spread)}")
    line = f"{before}{function}({', '.join(words)})"
    if len(line) <= WIDTH:
        return line
    return f"{before}{function}(\n" + "".join(f"    {word},\n" for word in words) + ")"


def code(data: Table, methods: set[str]) -> str:
    """Python code that builds the scene with these keys; `methods` are those of a scene."""
    lines = ["import voussoir as vs", ""]
    positional = [_literal(data["title"])] if data.get("title") else []
    lines.append(_call("vs.Scene", positional, {key: data[key] for key in FIRST[1:] if key in data}, "scene = "))
    for name, table in data.get("materials", {}).items():
        lines.append(_call("scene.material", [_literal(name)], table))
    for joint in data.get("joints", []):
        rest = {key: value for key, value in joint.items() if key != "between"}
        lines.append(_call("scene.joint", [_literal(word) for word in joint["between"]], rest))
    for body in data.get("bodies", []):
        lines.append(_body(body, methods))
    for support in data.get("supports", []):
        rest = {key: value for key, value in support.items() if key != "select"}
        lines.append(_call("scene.support", [_literal(support["select"])], rest))
    for of, method in NAMED.items():
        for table in data.get(of, []):
            rest = {"on" if (of, key) == ("loads", "select") else key: table[key] for key in table if key != "name"}
            lines.append(_call(f"scene.{method}", [_literal(table["name"])], rest))
    for table in data.get("added_masses", []):
        lines.append(_call("scene.added_mass", [], table))
    for key in TABLES:
        if key in data:
            lines.append(_call(f"scene.{key}", [], data[key]))
    for stage in data.get("stages", []):
        rest = {key: value for key, value in stage.items() if key != "analysis"}
        lines.append(_call("scene.stage", [_literal(stage["analysis"])], rest))
    known = {*FIRST, "materials", "joints", "bodies", "supports", *NAMED, "added_masses", *TABLES, "stages"}
    for key, value in data.items():
        if key not in known:
            lines += [_call("scene.add", [_literal(key)], table) for table in value]
    return "\n".join(lines) + "\n"


def _body(body: Table, methods: set[str]) -> str:
    """The call that adds a body."""
    for tag in ("generator", "shape"):
        method = str(body.get(tag, "")).replace("-", "_")
        if method in methods:
            rest = {key: value for key, value in body.items() if key not in (tag, "name")}
            return _call(f"scene.{method}", [_literal(body["name"])], rest)
    if "mesh" in body:
        rest = {key: value for key, value in body.items() if key not in ("mesh", "name")}
        return _call("scene.mesh", [_literal(body["name"]), _literal(body["mesh"])], rest)
    return _call("scene.add", [_literal("bodies")], body)
