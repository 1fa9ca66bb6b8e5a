"""A wall of 16.2 x 5.0 x 0.8 m with an arch of radius 3.8 m. Shaken along it with 0.2 g at 1 Hz, its arch sinks swing by swing
and falls within 6 s, because its joints are soft (Beatini, Royer-Carfagni & Tasora 2017). Across, it tips as one block.
Command: limit --acceleration y
Expect: multiplier = 0.1406 within 0.1 %, in g across the wall: half its thickness over the height of its centroid, 0.4 m/2.844 m
Picture of run: --time 5.6 --color displacement

The same scene as examples/shaken_wall.toml.
"""

import voussoir as vs

scene = vs.Scene("Wall with an arch on soft joints, shaken along it")
scene.material("stone", density=1800.0)
scene.joint("stone", "stone", friction=0.4, elastic={"normal": 50000000.0, "tangential": 5000000.0})
scene.masonry_wall(
    "wall",
    material="stone",
    length=16.2,
    courses=10,
    brick=[1.0, 0.8, 0.5],
    ground="block",
    openings=[{"width": 7.6, "courses": 0, "arch": {"thickness": 0.3, "voussoirs": 17}}],
)
scene.support(
    "wall.ground",
    motion={"quantity": "position", "direction": [1, 0, 0], "sine": {"amplitude": 0.0497, "frequency": 1.0, "start": 2.0}},
)
scene.probe("keystone", quantity="displacement", of="wall.opening[0].voussoir[8]", component="z")
scene.stage("dynamic", duration=8.0, step=0.005, theta=1.0, solver="semismooth-newton")

if __name__ == "__main__":
    print(scene.check())
