"""Objects of a scene by name: bodies and their parts, materials, loads."""

from __future__ import annotations

from typing import Any


class Selection:
    """A selection of bodies: one or several items, as in a scene file.

    ``arch.voussoir[9]`` is one block, ``arch.voussoir[3:8]`` the blocks 3 to 7, ``arch.springers`` a group,
    ``arch.keystone | wall`` a union.
    """

    __slots__ = ("_items",)

    def __init__(self, *items: str) -> None:
        self._items = items

    @property
    def items(self) -> tuple[str, ...]:
        """The items as a scene writes them."""
        return self._items

    def __getattr__(self, part: str) -> Selection:
        if part.startswith("_"):
            raise AttributeError(part)
        return Selection(*(f"{item}.{part}" for item in self._items))

    def __getitem__(self, index: int | slice | str) -> Selection:
        if isinstance(index, slice):
            if index.step not in (None, 1) or index.start is None or index.stop is None:
                raise IndexError("a range of blocks has two ends and the step 1, such as voussoir[3:8]")
            if not 0 <= index.start < index.stop:
                raise IndexError(f"the range {index.start}:{index.stop} has no blocks")
            return Selection(*(f"{item}[{index.start}..{index.stop - 1}]" for item in self._items))
        if isinstance(index, str):
            return Selection(*(f"{item}.{index}" for item in self._items))
        if index < 0:
            raise IndexError("blocks are numbered from 0 upwards")
        return Selection(*(f"{item}[{index}]" for item in self._items))

    def __or__(self, other: Selection | str) -> Selection:
        return Selection(*self._items, *(other.items if isinstance(other, Selection) else (other,)))

    def __iter__(self) -> Any:
        raise TypeError("a selection is not a list; scene.names(selection) lists its bodies")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Selection) and self._items == other._items

    def __hash__(self) -> int:
        return hash(self._items)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self._items)

    def __str__(self) -> str:
        return ", ".join(self._items)

    def __repr__(self) -> str:
        return f"Selection({', '.join(map(repr, self._items))})"


class Body(Selection):
    """A body, or all bodies of a generator or a mesh; its parts are attributes: ``arch.voussoir[9]``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Body({str(self)!r})"


def tagged(word: str) -> Selection:
    """All bodies with a tag."""
    return Selection(f"#{word}")


def of_material(material: Material | str) -> Selection:
    """All bodies of a material."""
    return Selection(f"material:{material.name if isinstance(material, Material) else material}")


class Named:
    """A load, cable, train or probe of a scene."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Named) and self.name == other.name

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.name))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class Material(Named):
    """A material of a scene."""

    __slots__ = ()
