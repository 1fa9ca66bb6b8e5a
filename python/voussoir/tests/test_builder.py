"""Random scenes: whatever is built, the answer is a model or a SceneError."""

from __future__ import annotations

import os

import pytest

import voussoir as vs

hypothesis = pytest.importorskip("hypothesis")
st = hypothesis.strategies

COUNT = int(os.environ.get("VOUSSOIR_RANDOM", "200"))

numbers = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.floats(-10.0, 10.0),
    st.integers(-5, 40),
    st.sampled_from([0.0, -1.0, 1e-300, 1e300]),
)
words = st.one_of(st.text(max_size=8), st.sampled_from(["stone", "arch", "*", "box", "arch.voussoir[0]", "#tag"]))
values = st.recursive(
    st.one_of(numbers, words, st.booleans()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(words, inner, max_size=3)),
    max_leaves=8,
)
KEYS = ["span", "thickness", "width", "voussoirs", "radius", "rise", "kind", "position", "rotation", "velocity", "size"]
# few and small bodies: the time is for many scenes
small = st.fixed_dictionaries(
    {}, optional={key: st.one_of(numbers, values) for key in [*KEYS, "count", "courses", "bricks", "brick", "tags"]}
)
actions = st.lists(
    st.one_of(
        st.tuples(st.just("body"), st.sampled_from(vs._native.generators()), small),
        st.tuples(st.just("shape"), st.sampled_from(["box", "sphere", "polyhedron", "half-space", "disc"]), small),
        st.tuples(st.just("add"), st.sampled_from(["loads", "supports", "cables", "probes", "stages"]), values),
        st.tuples(st.just("set"), words, values),
        st.tuples(st.just("material"), words, numbers),
    ),
    max_size=5,
)


@hypothesis.settings(max_examples=COUNT, deadline=None, derandomize=True)
@hypothesis.given(actions)
def test_no_scene_makes_the_program_fail(steps: list[tuple[str, str, object]]) -> None:
    scene = vs.Scene(max_bodies=200)
    scene.material("stone", density=2000.0)
    scene.joint("*", "*", friction=0.5)
    try:
        for index, (kind, word, value) in enumerate(steps):
            if kind in ("body", "shape"):
                assert isinstance(value, dict)
                keys = {"generator" if kind == "body" else "shape": word, **value}
                scene.add("bodies", **{"name": f"b{index}", "material": "stone", **keys})
            elif kind == "add":
                scene.add(word, **(value if isinstance(value, dict) else {"name": "x", "select": value}))
            elif kind == "set":
                scene[word] = value
            else:
                scene.material(word, density=value)  # type: ignore[arg-type]
        assert vs.Scene.from_text(scene.text).data.keys() == scene.data.keys()
        scene.check(threads=1)
    except (vs.SceneError, TypeError, OverflowError):
        pass
