"""Writes _bodies.py, _lists.py and _stages.py of the package from the JSON Schema of scenes: one method per generator, shape, list and analysis.

Run by `cargo xtask python --write`; a test fails if a file is out of date.
"""

from __future__ import annotations

import importlib.util
import json
import keyword
import pathlib
import re
import sys
import textwrap
from typing import Any

HEAD = '''"""Methods of a scene, one per generator, shape, list and analysis.

Written by python/generate_keys.py from the JSON Schema of scenes; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ._values import MaterialLike, Select, Table, Vector, Vectors
from .selection import Body, Material, Named

if TYPE_CHECKING:
    from typing_extensions import Self

'''

FOLDER = pathlib.Path(__file__).parent / "voussoir"


def native_schema() -> Any:
    """The schema of the native part, loaded without the package, which needs the files written here."""
    spec = importlib.util.spec_from_file_location("_native", next(FOLDER.glob("_native*.so")))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return json.loads(module.schema())


SCHEMA = native_schema()
DEFINITIONS = SCHEMA["$defs"]
WIDTH = 110


def resolve(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema behind a reference."""
    while "$ref" in schema:
        schema = DEFINITIONS[schema["$ref"].rsplit("/", 1)[1]]
    return schema


def words(schema: dict[str, Any]) -> list[str] | None:
    """The words of an enumeration, or None."""
    if "enum" in schema:
        return list(schema["enum"])
    options = schema.get("oneOf", [])
    if options and all("const" in option for option in options):
        return [option["const"] for option in options]
    if options and all("const" in option or "enum" in option for option in options):
        return [word for option in options for word in (option.get("enum") or [option["const"]])]
    return None


def python_type(schema: dict[str, Any]) -> str:
    """The type of a key in Python."""
    name = schema.get("$ref", "").rsplit("/", 1)[-1]
    if name in ("Selection", "Select"):
        return "Select"
    if name == "NumberOrVector":
        return "float | Vector"
    schema = resolve(schema)
    found = words(schema)
    if found:
        return "Literal[" + ", ".join(json.dumps(word) for word in found) + "]"
    kind = schema.get("type")
    if kind == "array":
        items = resolve(schema.get("items", {}))
        if items.get("type") == "number":
            return "Vector"
        if items.get("type") == "array":
            return "Vectors"
        if items.get("type") == "object" or "anyOf" in items or "oneOf" in items:
            return "list[Any]"
        return {"string": "list[str]", "integer": "list[int]"}.get(str(items.get("type")), "list[Any]")
    plain = {"number": "float", "integer": "int", "string": "str", "boolean": "bool", "object": "Table"}
    return plain.get(str(kind), "Any")


def parameter(key: str) -> str:
    """The name of a key as a parameter."""
    name = key.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def sentence(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("\\", "\\\\").strip()


def wrapped(text: str, indent: str, first: str | None = None) -> str:
    return textwrap.fill(
        text, WIDTH, initial_indent=indent if first is None else first, subsequent_indent=indent, break_long_words=False
    )


class Method:
    """One method: its positional parameters, keys, and what it does with the table."""

    def __init__(self, name: str, about: str, returns: str, action: str) -> None:
        self.name = name
        self.about = sentence(about)
        self.returns = returns
        self.action = action
        self.positional: list[tuple[str, str, str, str]] = []
        self.keys: list[tuple[str, str, str, bool, str]] = []
        self.constants: list[tuple[str, str]] = []

    def take(self, key: str, name: str, kind: str, about: str) -> None:
        self.positional.append((key, name, kind, about))

    def add(self, properties: dict[str, Any], required: list[str], without: tuple[str, ...] = ()) -> None:
        for key, schema in properties.items():
            if key in without or any(key == own[0] for own in self.keys):
                continue
            kind = "MaterialLike" if key == "material" else python_type(schema)
            about = schema.get("description") or resolve(schema).get("description", "")
            self.keys.append((key, parameter(key), kind, key in required, sentence(about)))

    def text(self) -> str:
        self.keys.sort(key=lambda key: not key[3])
        lines = [f"    def {self.name}(", "        self,"]
        for _, name, kind, _ in self.positional:
            lines.append(f"        {name}: {kind},")
        if self.keys:
            lines.append("        *,")
        for _, name, kind, required, _ in self.keys:
            lines.append(f"        {name}: {kind}," if required else f"        {name}: {kind} | None = None,")
        lines.append(f"    ) -> {self.returns}:")
        lines.append(wrapped(self.about or self.name, "        ", '        """'))
        lines.append("")
        for _, name, _, about in self.positional:
            lines.append(wrapped(f"{name}: {about}", "            ", "        "))
        for _, name, _, _, about in self.keys:
            lines.append(wrapped(f"{name}: {about}", "            ", "        "))
        lines.append('        """')
        lines.append("        table: dict[str, Any] = {")
        for key, value in self.constants:
            lines.append(f'            "{key}": "{value}",')
        for key, name, _, _ in self.positional:
            if key:
                lines.append(f'            "{key}": {name},')
        for key, name, _, _, _ in self.keys:
            lines.append(f'            "{key}": {name},')
        lines.append("        }")
        lines.append(f"        return {self.action}")
        return "\n".join(lines)


def body_methods() -> list[Method]:
    common = DEFINITIONS["Body"]
    methods = []
    for family, tag in (("Generator", "generator"), ("Shape", "shape")):
        for variant in DEFINITIONS[family]["oneOf"]:
            word = variant["properties"][tag]["const"]
            method = Method(word.replace("-", "_"), variant.get("description", word), "Body", "self._body(table)")
            method.take("name", "name", "str", "Unique name; letters, digits, `-` and `_`.")
            method.constants.append((tag, word))
            method.add(variant["properties"], variant.get("required", []), (tag,))
            method.add(common["properties"], common["required"], ("name",))
            methods.append(method)
    file = DEFINITIONS["MeshFile"]
    method = Method("mesh", file["description"], "Body", "self._body(table)")
    method.take("name", "name", "str", "Unique name; letters, digits, `-` and `_`.")
    method.take("mesh", "file", "str", file["properties"]["mesh"]["description"])
    method.add(file["properties"], file["required"], ("mesh",))
    method.add(common["properties"], common["required"], ("name",))
    return [*methods, method]


def list_method(name: str, definition: str, action: str, returns: str, take: dict[str, str]) -> Method:
    schema = DEFINITIONS[definition]
    method = Method(name, schema.get("description", name), returns, action)
    for key, own in take.items():
        about = sentence(schema["properties"][key].get("description", key))
        method.take(key, own, python_type(schema["properties"][key]), about)
    method.add(schema["properties"], schema.get("required", []), tuple(take))
    return method


def other_methods() -> list[Method]:
    material = Method("material", DEFINITIONS["Material"]["description"], "Material", "self._material(name, table)")
    material.take("", "name", "str", "Name of the material.")
    material.add(DEFINITIONS["Material"]["properties"], DEFINITIONS["Material"]["required"])
    joint = Method("joint", DEFINITIONS["Joint"]["description"], "None", "self._joint(first, second, table)")
    joint.take("", "first", "MaterialLike", 'A material; "*" is any material without a joint of its own.')
    joint.take("", "second", "MaterialLike", 'A material; "*" is any material without a joint of its own.')
    joint.add(DEFINITIONS["Joint"]["properties"], DEFINITIONS["Joint"].get("required", []), ("between",))
    load = list_method("load", "Load", 'self._named("loads", table)', "Named", {"name": "name"})
    load.keys = [(key, "on" if key == "select" else name, *rest) for key, name, *rest in load.keys]  # type: ignore[misc]
    return [
        material,
        joint,
        list_method("support", "Support", 'self._append("supports", table)', "None", {"select": "select"}),
        load,
        list_method("added_mass", "AddedMass", 'self._append("added_masses", table)', "None", {}),
        list_method("cable", "Cable", 'self._named("cables", table)', "Named", {"name": "name"}),
        list_method("train", "Train", 'self._named("trains", table)', "Named", {"name": "name"}),
        list_method("probe", "Probe", 'self._named("probes", table)', "Named", {"name": "name"}),
        list_method("record", "Record", 'self._table("record", table)', "None", {}),
        list_method("environment", "Environment", 'self._table("environment", table)', "None", {}),
        list_method("assessment", "Assessment", 'self._table("assessment", table)', "None", {}),
    ]


def stage_methods() -> list[Method]:
    common = DEFINITIONS["Stage"].get("properties", {})
    methods = []
    for variant in DEFINITIONS["Stage"]["oneOf"]:
        word = variant["properties"]["analysis"]["const"]
        about = f"A copy of this scene with one stage. {variant.get('description', '')}"
        method = Method(word, about, "Self", "self._with_stage(table)")
        method.constants.append(("analysis", word))
        method.add(variant["properties"], variant.get("required", []), ("analysis",))
        method.add(common, [])
        methods.append(method)
    return methods


def write(name: str, about: str, methods: list[Method]) -> str:
    lines = [f"class {name}:", f'    """{about}"""', ""]
    for hook, arguments, returns in (
        ("_body", "table: Table", "Body"),
        ("_material", "name: str, table: Table", "Material"),
        ("_joint", "first: MaterialLike, second: MaterialLike, table: Table", "None"),
        ("_named", "of: str, table: Table", "Named"),
        ("_append", "of: str, table: Table", "None"),
        ("_table", "key: str, table: Table", "None"),
        ("_with_stage", "table: Table", "Self"),
    ):
        if not any(hook in method.action for method in methods):
            continue
        lines += [f"    def {hook}(self, {arguments}) -> {returns}:", "        raise NotImplementedError", ""]
    for method in methods:
        lines += [method.text(), ""]
    return "\n".join(lines)


def generated() -> dict[str, str]:
    """All files by name."""
    bodies = write("BodyKeys", "Bodies of a scene: generators, shapes, meshes.", body_methods())
    others = write("ListKeys", "Materials, joints, supports, loads and what else a scene lists.", other_methods())
    stages = write("StageKeys", "Analyses of a scene.", stage_methods())
    return {"_bodies.py": HEAD + bodies, "_lists.py": HEAD + others, "_stages.py": HEAD + stages}


def main() -> None:
    if "--check" in sys.argv:
        old = [name for name, text in generated().items() if (FOLDER / name).read_text(encoding="utf-8") != text]
        sys.exit(f"out of date: {', '.join(old)}; run `cargo xtask python --write`" if old else 0)
    for name, text in generated().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
