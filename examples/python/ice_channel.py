"""Forty floes that the wind drives through a narrowing channel. The pack jams and comes free again, by itself; floes that
have passed the channel leave the sea, and in the end all have passed.
Expect: left_area_m2 at 18000 s = 1.2e6 within 0.001 %, m2: all of the ice, concentration 0.5 of a field of 2.4 km2
Picture: --time 4000 --color speed

The same scene as examples/ice_channel.toml.
"""

import voussoir as vs

scene = vs.Scene("Ice in a narrowing channel", dim=2)
scene.material("ice", density=917.0)
scene.joint("ice", "ice", friction=0.1, restitution={"poisson": 0.4})
scene.compound(
    "north",
    material="ice",
    parts=[{"shape": "polygon", "vertices": [[-2200, 800], [-800, 800], [-800, 1000], [-2200, 1000]]}, {"shape": "polygon", "vertices": [[-800, 800], [0, 450], [600, 450], [600, 1000], [-800, 1000]]}],
)
scene.compound(
    "south",
    material="ice",
    parts=[{"shape": "polygon", "vertices": [[-2200, -1000], [-800, -1000], [-800, -800], [-2200, -800]]}, {"shape": "polygon", "vertices": [[-800, -1000], [600, -1000], [600, -450], [0, -450], [-800, -800]]}],
)
scene.floes(
    "pack",
    count=40,
    concentration=0.5,
    position=[-2300.0, -800.0],
    size=[1500.0, 1600.0],
    seed=3,
    material="ice",
)
scene.support(["north", "south"])
scene.probe("strait", quantity="concentration", of="pack", within=[[0, -450], [600, 450]])
scene.probe("passed", quantity="passed-area", of="pack", line=[[0, 0], [1, 0]])
scene.probe("group", quantity="largest-group", of="pack")
scene.record(every=10)
scene.environment(
    latitude_deg=80.0,
    wind=[{"uniform": [12.0, 0.0]}],
    domain={"min": [-4000.0, -2000.0], "max": [600.0, 2000.0], "x": "open"},
)
scene.stage("events", duration=18000.0, step=60.0)

if __name__ == "__main__":
    print(scene.check())
