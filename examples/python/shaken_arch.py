"""Oppenheim's arch: seven voussoirs, thickness 0.15 of the mean radius, embracing 157.5 degrees. A constant horizontal
acceleration grows until four hinges turn the arch into a mechanism.
Command: limit --acceleration x
Expect: multiplier = 0.370 within 1 %, in g: Oppenheim 1992, virtual work on the four-hinge mechanism
Picture: mechanism.svg

The same scene as examples/shaken_arch.toml.
"""

import voussoir as vs

scene = vs.Scene("Arch under horizontal acceleration", dim=2)
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.8)
scene.arch("arch", material="stone", radius=9.25, thickness=1.5, embrace_deg=157.5, voussoirs=7, curved=True)

if __name__ == "__main__":
    print(scene.check())
