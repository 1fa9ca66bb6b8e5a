"""Writes docs/python-api.md from the docstrings of the package.

Run by `cargo xtask python --write`; `--check` fails if the page is out of date.
"""

from __future__ import annotations

import ast
import pathlib
import sys

ROOT = pathlib.Path(__file__).parents[1]
PAGE = ROOT / "docs/python-api.md"

#: Classes and functions by part: title, files, names (all public ones without a list).
PARTS: list[tuple[str, list[str], list[str]]] = [
    ("Scenes", ["scene.py"], ["Scene"]),
    ("Bodies of a scene", ["_bodies.py"], ["BodyKeys"]),
    ("Materials, joints, supports, loads", ["_lists.py"], ["ListKeys"]),
    ("Analyses", ["_stages.py"], ["StageKeys"]),
    ("Selections", ["selection.py"], []),
    ("Answers", ["answers.py", "thrust.py"], []),
    ("Runs", ["run.py", "history.py", "frames.py"], ["Run", "History", "Frame", "Contacts", "StepInfo", "resume"]),
    ("Stepper", ["stepper.py"], ["Stepper", "State"]),
    ("Studies", ["study.py", "samples.py", "distributions.py"], ["Study", "SampleTable", "Tornado", "Distribution", "uniform", "normal", "lognormal", "triangular", "truncated", "library"]),
    ("Fragility, probabilities, rates, measures", ["fragility.py"], []),
    ("COMPAS and other models", ["compas.py", "models.py"], ["scene", "solve", "results", "export", "ImportedScene", "Note", "import_model"]),
    ("Player", ["player.py"], ["player"]),
    ("Functions", ["_tools.py", "view.py", "__init__.py"], []),
    ("Errors", ["errors.py"], []),
]

#: Functions of the package that its users do not call.
HELPERS = ("show", "read_thrust", "read_line")

HEAD = """# Python: classes and functions

Written from the docstrings of the package by `cargo xtask python --write`; do not edit. [Using Voussoir from Python](python.md) is the introduction. The methods of bodies, lists and analyses are those of `Scene`; optional keys are left out of their heads here.
"""


def head(function: ast.FunctionDef) -> str:
    """Parameters of a function: those with a default by name only."""
    arguments = function.args
    required = len(arguments.args) - len(arguments.defaults)
    words = [argument.arg for argument in arguments.args[:required] if argument.arg not in ("self", "cls")]
    words += [f"{argument.arg}=…" for argument in arguments.args[required:]]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    optional = 0
    for argument, default in named:
        if default is None:
            words.append(f"{argument.arg}")
        else:
            optional += 1
    if optional or arguments.kwarg is not None:
        words.append("…")
    return f"{function.name}({', '.join(words)})"


def text(node: ast.AST) -> list[str]:
    """The docstring: its sentences, and its parameters as a list."""
    lines = (ast.get_docstring(node) or "").splitlines()  # type: ignore[arg-type]
    out: list[str] = []
    for line in lines:
        name, colon, rest = line.partition(": ")
        is_parameter = colon and rest and all(part.isidentifier() for part in name.split(", "))
        out.append(f"- `{name}`: {rest}" if is_parameter else line.strip())
    return [line.replace(":class:", "").replace(":meth:", "").replace("``", "`") for line in out]


def is_property(function: ast.FunctionDef) -> bool:
    return any(isinstance(word, ast.Name) and word.id == "property" for word in function.decorator_list)


def described(node: ast.ClassDef | ast.FunctionDef) -> list[str]:
    """A class with its members, or a function."""
    if isinstance(node, ast.FunctionDef):
        return [f"### `{head(node)}`", "", *text(node), ""]
    out = [f"### `{node.name}`", "", *text(node), ""]
    for member in node.body:
        if not isinstance(member, ast.FunctionDef) or member.name.startswith("_") or not ast.get_docstring(member):
            continue
        if is_property(member):
            out += [f"**`{member.name}`** — {' '.join(text(member)).strip()}", ""]
        else:
            out += [f"#### `{head(member)}`", "", *text(member), ""]
    return out


def page() -> str:
    """The whole page."""
    out = [HEAD]
    for title, files, names in PARTS:
        out += [f"## {title}", ""]
        for file in files:
            module = ast.parse((ROOT / "python/voussoir" / file).read_text(encoding="utf-8"))
            for node in module.body:
                if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name.startswith("_"):
                    continue
                if (names and node.name not in names) or not ast.get_docstring(node) or node.name in HELPERS:
                    continue
                out += described(node)
    return "\n".join(out).rstrip() + "\n"


def main() -> None:
    if "--check" in sys.argv:
        fresh = PAGE.exists() and PAGE.read_text(encoding="utf-8") == page()
        sys.exit(0 if fresh else "docs/python-api.md is out of date; run `cargo xtask python --write`")
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
