"""Two equal balls on a slope of 20 degrees. The rough one rolls, the smooth one slides without turning, and is faster: rolling
takes 2/7 of the work of gravity for the spin.
Expect: rough_m at 1 s = 1.198292 within 0.2 %, m along the slope: 1/2 x 5/7 g sin 20 t^2
Picture: --time 0.8 --view 20,20 --color speed --show none

The same scene as examples/rolling_balls.toml.
"""

import voussoir as vs

scene = vs.Scene("Rolling and sliding balls")
scene.material("rough", density=2500.0)
scene.material("smooth", density=2500.0)
scene.joint("rough", "rough", friction=0.5)
scene.joint("smooth", "*", friction=0.0)
scene.box("slope", size=[4.0, 1.2, 0.1], rotation={"axis": [0, 1, 0], "angle_deg": 20.0}, material="rough")
scene.sphere("rough", radius=0.1, position=[-1.546174434, -0.3, 0.722388137], material="rough")
scene.sphere("smooth", radius=0.1, position=[-1.546174434, 0.3, 0.722388137], material="smooth")
scene.support("slope")
scene.probe("rough", quantity="displacement", of="rough")
scene.stage("dynamic", duration=1.0, step=0.001)

if __name__ == "__main__":
    print(scene.check())
