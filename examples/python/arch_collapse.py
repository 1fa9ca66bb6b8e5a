"""An arch of 27 voussoirs, and a load on one side that grows until four hinges, at joints 4, 9, 21 and 27, turn the arch into
a mechanism.
Command: limit --load load
Expect: multiplier = 40.307 within 0.01 %, kN: virtual work of weight and load on the mechanism with these four hinges
Picture of run: --time 2.2 --show resultants,thrust,loads,mechanism

The same scene as examples/arch_collapse.toml.
"""

import voussoir as vs

scene = vs.Scene("Arch under a growing load")
scene.material("limestone", density=2300.0)
scene.joint("limestone", "limestone", friction=0.6)
scene.arch("arch", material="limestone", radius=3.8, thickness=0.6, width=0.8, voussoirs=27)
scene.ground("ground", material="limestone", position=[0.0, 0.0, -0.6])
scene.load(
    "load",
    on="arch.voussoir[8]",
    point=[-2.413749, 0.0, 3.669927],
    force=[0.0, 0.0, -1000.0],
    function={"table": [[0.1, 0.0], [0.7, 36.0], [1.7, 42.0]]},
)
scene.stage("dynamic", duration=2.6, step=0.001)

if __name__ == "__main__":
    print(scene.check())
