"""A wall of 4 x 3 m with a window of 1 x 1 m under a lintel of one stone, which bears 0.25 m on both sides. All of the
weight above the sill goes through the jambs beside the window.
Expect: jambs_n at 0.05 s = 82404 within 0.01 %, N: weight above the sill, 2000 kg/m3 x 9.81 x 0.6 m x (4 x 2 - 1 x 1) m2
Picture: --color pressure --show resultants

The same scene as examples/window_wall.toml.
"""

import voussoir as vs

scene = vs.Scene("Wall with a window under a lintel", dim=2, depth=0.6)
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.6)
scene.masonry_wall(
    "wall",
    material="stone",
    length=4.0,
    courses=12,
    brick=[0.5, 0.25],
    openings=[{"width": 1.0, "sill": 4, "courses": 4, "lintel": {"stones": 1, "bearing": 0.25}}],
)
scene.probe("jambs", quantity="cut-load", height=1.01)
scene.stage("dynamic", duration=0.05, step=0.001)

if __name__ == "__main__":
    print(scene.check())
