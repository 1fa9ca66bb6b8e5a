"""A wall of 105 bricks, laid dry, on three platforms; the one in the middle sinks by 4 cm. A natural arch forms: a triangle of
ten bricks sinks with the platform, and nothing else moves.
Expect: middle_n at 0.6 s = 195.2 within 0.2 %, N: weight of ten bricks, 10 x 2000 kg/m3 x 9.81 x 0.199 x 0.05 x 0.1 m3
Picture: --color displacement --show resultants

The same scene as examples/sinking_support.toml.
"""

import voussoir as vs

scene = vs.Scene("Wall over a support that sinks", dim=2, depth=0.1)
scene.material("brick", density=2000.0)
scene.joint("brick", "brick", friction=0.364)
scene.wall("wall", material="brick", courses=10, bricks=10, brick=[0.2, 0.05], head_gap=0.001, ground="none")
scene.compound(
    "sides",
    parts=[{"shape": "rectangle", "size": [0.6, 0.1], "position": [-0.7, -0.05]}, {"shape": "rectangle", "size": [0.6, 0.1], "position": [0.7, -0.05]}],
    material="brick",
)
scene.rectangle("middle", size=[0.8, 0.1], position=[0.0, -0.05], material="brick")
scene.support("sides")
scene.support(
    "middle",
    motion={"quantity": "velocity", "direction": [0.0, -1.0], "table": [[0.0, 0.0], [0.05, 0.0], [0.25, 0.2], [0.45, 0.0]]},
)
scene.probe("middle", quantity="reaction", of="middle", component="y")
scene.stage("dynamic", duration=0.6, step=0.001)

if __name__ == "__main__":
    print(scene.check())
