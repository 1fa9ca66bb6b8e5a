"""A slab on a rock joint that is tilted. Friction follows from the roughness of the joint by Barton's criterion: JRC 6, joint
wall strength 20 MPa, residual angle 25 degrees, at a normal stress of 0.2 MPa.
Command: stand --vary tilt_deg --find largest --between 10 60
Expect: value = 37 within 0.01 %, degrees: 25 + 6 log10(20/0.2), Barton & Choubey 1977
Picture: --show resultants

The same scene as examples/rough_joint.toml.
"""

import voussoir as vs

scene = vs.Scene("Slab on a rough rock joint", dim=2)
scene.material("limestone", density=2500.0)
scene.joint(
    "limestone",
    "limestone",
    friction={"barton": {"jrc": 6.0, "jcs": 20000000.0, "phi_r_deg": 25.0, "normal_stress": 200000.0}},
)
scene.rectangle("rock", size=[4.0, 0.6], position=[0.0, -0.3], material="limestone")
scene.rectangle("slab", size=[2.0, 0.5], position=[0.0, 0.25], material="limestone")
scene.support("rock")

if __name__ == "__main__":
    print(scene.check())
