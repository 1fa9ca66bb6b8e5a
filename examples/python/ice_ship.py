"""A ship on a path through a pack of floes. Its bow meets a round floe first, in the middle: the floe leaves it at 1 + 0.4
times the speed of the ship, and is braked by the water.
Expect: largest first_m_s = 2.8 within 2 %, m/s: Poisson's law with 0.4, against a ship of 2 m/s
Picture: --time 400 --color speed

The same scene as examples/ice_ship.toml.
"""

import voussoir as vs

scene = vs.Scene("A ship through a pack of ice", dim=2)
scene.material("ice", density=917.0)
scene.joint("ice", "ice", friction=0.2, restitution={"poisson": 0.4})
scene.polygon(
    "ship",
    material="ice",
    vertices=[[-50, -10], [25, -10], [40, -6], [50, 0], [40, 6], [25, 10], [-50, 10]],
)
scene.disc("first", radius=20.0, position=[90.0, 0.0], material="ice")
scene.floes(
    "pack",
    count=60,
    concentration=0.5,
    position=[130.0, -350.0],
    size=[900.0, 700.0],
    material="ice",
)
scene.support(
    "ship",
    motion={"quantity": "position", "path": [[0, 0, 0, 0], [250, 500, 0, 0], [500, 970, 170, 20]]},
)
scene.probe("first", quantity="velocity", of="first")
scene.probe("ship", quantity="force", of="ship", component="x")
scene.record(every=20)
scene.environment(latitude_deg=80.0)
scene.stage("events", duration=500.0, step=0.5)

if __name__ == "__main__":
    print(scene.check())
