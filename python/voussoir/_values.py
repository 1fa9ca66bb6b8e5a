"""Values of a scene: what users may write, and what the text of a scene has."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from .selection import Material, Selection

#: A vector: a list, a tuple or an array of numbers.
Vector = Union[Sequence[float], npt.NDArray[Any]]
#: Rows of numbers.
Vectors = Union[Sequence[Sequence[float]], Sequence[Sequence[int]], npt.NDArray[Any]]
#: Keys and values of a table.
Table = dict[str, Any]
#: A selection of bodies: an object of a scene, a text, a box, or a list of these.
Select = Union[Selection, str, Mapping[str, Any], Sequence[Union[Selection, str, Mapping[str, Any]]]]
#: A material, or its name.
MaterialLike = Union[Material, str]


def plain(value: Any) -> Any:
    """A value as booleans, numbers, words, lists and tables; keys without a value are left out."""
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Selection):
        return value.items[0] if len(value.items) == 1 else list(value.items)
    if isinstance(value, Material):
        return value.name
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple, range)):
        items = [plain(item) for item in value]
        if any(isinstance(item, Selection) for item in value):
            # a union in a list is part of the union
            items = [part for item in items for part in (item if isinstance(item, list) else [item])]
        return items
    raise TypeError(f"a scene cannot have a value of the type {type(value).__name__}")
