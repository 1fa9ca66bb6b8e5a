"""The thinnest semicircular arch that carries its own weight. Thinner than this no line of thrust fits into the ring:
hinges open at the crown, at 54.5 degrees from it and at the springings.
Command: stand --vary arch.thickness --find smallest --between 0.09 0.2
Expect: value = 0.1074 within 0.5 %, m for a mean radius of 1 m: t/R = 0.107426 (Milankovitch 1907; Cocchetti & Rizzi 2020)
Picture: thrust.svg

The same scene as examples/thin_arch.toml.
"""

import voussoir as vs

scene = vs.Scene("Thinnest semicircular arch", dim=2)
scene.material("stone", density=2000.0)
scene.joint("stone", "stone", friction=0.8)
scene.arch("arch", material="stone", radius=0.9463, thickness=0.12, voussoirs=80, curved=True)

if __name__ == "__main__":
    print(scene.check())
