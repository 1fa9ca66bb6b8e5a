"""Five blocks on top of each other on ground that shakes with a growing sine of 2 Hz, read from a record. The column rocks
from where the ground acceleration exceeds g b/h = 0.24 g: the pressure centre below it reaches the edge, 0.3 m.
Expect: time_s when foot_m > 0.2999 = 1.845 within 0.3 %, s: samples of the record against g b/h (West's formula, Milne 1885)
Picture: --time 2.88 --view 10,8 --show resultants,mechanism

The same scene as examples/shaken_column.toml.
"""

import pathlib

import voussoir as vs

scene = vs.Scene("Column under a recorded ground motion")
scene.base = pathlib.Path(__file__).parents[1]
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.7)
scene.stack("column", count=5, size=[0.6, 0.6, 0.5], material="stone")
scene.support(
    "column.ground",
    motion={"quantity": "acceleration", "direction": [1, 0, 0], "accelerogram": {"file": "growing_sine.csv", "unit": "g"}},
)
scene.probe("foot", quantity="eccentricity", of="column.block[0]", with_="column.ground", component="x")
scene.stage("dynamic", duration=3.0, step=0.002)

if __name__ == "__main__":
    print(scene.check())
