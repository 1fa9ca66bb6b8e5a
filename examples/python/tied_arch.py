"""The arch of thrust_range.toml on two feet without friction, held together by an elastic tie. The feet part until the tie
pulls with the thrust; an arch whose feet yield opens hinges and settles at its smallest thrust.
Expect: cable_tie_n at 0.5 s = 4364 within 0.1 %, N: smallest thrust, statics of the hinges at the crown and at 63 degrees (Heyman 1966)
Picture: --show resultants,thrust,cables

The same scene as examples/tied_arch.toml.
"""

import voussoir as vs

scene = vs.Scene("Arch with a tie on sliding feet")
scene.material("stone", density=2000.0)
scene.material("ice", density=900.0)
scene.joint("stone", "stone", friction=0.8)
scene.joint("ice", "*", friction=0.0)
scene.arch("arch", material="stone", radius=2.0, thickness=0.4, width=0.5, voussoirs=20)
scene.box("rink", size=[6.0, 1.5, 0.2], position=[0.0, 0.0, -0.5], material="ice")
scene.support("rink")
scene.cable(
    "tie",
    through=[{"select": "arch.voussoir[0]", "at": [-2.2, 0.0, 0.0]}, {"select": "arch.voussoir[19]", "at": [2.2, 0.0, 0.0]}],
    stiffness=20000000.0,
)
scene.stage("dynamic", release=["arch.springer[0]", "arch.springer[1]"], duration=0.5, step=0.002, theta=1.0)

if __name__ == "__main__":
    print(scene.check())
