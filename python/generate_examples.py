"""Writes examples/python: every scene of examples/ in Python.

Run by `cargo xtask python --write`; `--check` fails if a file is out of date.
"""

from __future__ import annotations

import pathlib
import sys

import voussoir as vs

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
FOLDER = EXAMPLES / "python"


def comment(text: str) -> str:
    """The comment at the top of a scene."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# ").rstrip())
    return "\n".join(lines)


def example(path: pathlib.Path) -> str:
    """A scene file as a Python file."""
    scene = vs.load(path)
    about = comment(scene.text).replace("\\", "\\\\").replace('"""', "'''") or scene.title
    code = scene.code
    if any(ending in scene.text for ending in (".csv\"", ".obj\"", ".AT2\"")):
        code = "import pathlib\n\n" + code
        first = next(line for line in code.splitlines() if line.startswith("scene = "))
        end = code.index("\n", code.index(first) if first.endswith(")") else code.index("\n)") + 1)
        code = code[:end] + "\nscene.base = pathlib.Path(__file__).parents[1]" + code[end:]
    return f'"""{about}\n\nThe same scene as examples/{path.name}.\n"""\n\n{code}\nif __name__ == "__main__":\n    print(scene.check())\n'


def main() -> None:
    texts = {f"{path.stem}.py": example(path) for path in sorted(EXAMPLES.glob("*.toml"))}
    if "--check" in sys.argv:
        old = [name for name, text in texts.items() if not same(FOLDER / name, text)]
        sys.exit(f"out of date: {', '.join(old)}; run `cargo xtask python --write`" if old else 0)
    FOLDER.mkdir(exist_ok=True)
    for name, text in texts.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def same(path: pathlib.Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    main()
