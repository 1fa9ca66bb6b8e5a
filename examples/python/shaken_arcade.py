"""An arcade of three arches on piers, rigid joints, shaken along it with 0.25 g at 1 Hz. A constant 0.133 g would form a mechanism
of hinges. The shaken arches rock and fall after two swings. Across, the arcade tips as one block.
Command: limit --acceleration y
Expect: multiplier = 0.1984 within 0.1 %, in g across the arcade: half its width over the height of its centroid, 0.5 m/2.520 m
Picture of run: --time 3.1 --color displacement

The same scene as examples/shaken_arcade.toml.
"""

import voussoir as vs

scene = vs.Scene("Arcade, shaken until it collapses")
scene.material("stone", density=2300.0)
scene.joint("stone", "stone", friction=0.6)
scene.stack("pier0", count=4, size=[1.6, 1.0, 0.6], position=[-7.8, 0, 0], material="stone")
scene.stack("pier1", count=4, size=[1.0, 1.0, 0.6], ground="none", position=[-2.5, 0, 0], material="stone")
scene.stack("pier2", count=4, size=[1.0, 1.0, 0.6], ground="none", position=[2.5, 0, 0], material="stone")
scene.stack("pier3", count=4, size=[1.6, 1.0, 0.6], ground="none", position=[7.8, 0, 0], material="stone")
scene.arch(
    "arch0",
    span=4.0,
    thickness=0.45,
    width=1.0,
    voussoirs=15,
    position=[-5, 0, 2.85],
    material="stone",
)
scene.arch(
    "arch1",
    span=4.0,
    thickness=0.45,
    width=1.0,
    voussoirs=15,
    position=[0, 0, 2.85],
    material="stone",
)
scene.arch(
    "arch2",
    span=4.0,
    thickness=0.45,
    width=1.0,
    voussoirs=15,
    position=[5, 0, 2.85],
    material="stone",
)
scene.support(
    "pier0.ground",
    motion={"quantity": "velocity", "direction": [1, 0, 0], "sine": {"amplitude": 0.39, "frequency": 1.0, "start": 1.0}},
)
scene.probe("keystone", quantity="displacement", of="arch1.voussoir[7]", component="z")
scene.stage(
    "dynamic",
    release=["arch0.springers", "arch1.springers", "arch2.springers"],
    duration=6.0,
    step=0.005,
)

if __name__ == "__main__":
    print(scene.check())
