"""Methods of a scene, one per generator, shape, list and analysis.

Written by python/generate_keys.py from the JSON Schema of scenes; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ._values import MaterialLike, Select, Table, Vector, Vectors
from .selection import Body, Material, Named

if TYPE_CHECKING:
    from typing_extensions import Self

class BodyKeys:
    """Bodies of a scene: generators, shapes, meshes."""

    def _body(self, table: Table) -> Body:
        raise NotImplementedError

    def stack(
        self,
        name: str,
        *,
        count: int,
        size: float | Vector,
        material: MaterialLike,
        gap: float | None = None,
        ground: Literal["plane", "block", "none"] | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Equal boxes on top of each other.

        name: Unique name; letters, digits, `-` and `_`.
        count: Number of blocks.
        size: Size of a block [m]: a number (cube, square) or [length, width, height] in 3D, [length, height]
            in 2D.
        material: Name of the material.
        gap: Distance between blocks at the start [m]; default 0.
        ground: Support: "plane" (default), "block" or "none".
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "stack",
            "name": name,
            "count": count,
            "size": size,
            "material": material,
            "gap": gap,
            "ground": ground,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def column(
        self,
        name: str,
        *,
        drum_height: float,
        drums: int,
        radius: float,
        material: MaterialLike,
        ground: Literal["plane", "block", "none"] | None = None,
        sides: int | None = None,
        top_radius: float | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Drums on top of each other.

        name: Unique name; letters, digits, `-` and `_`.
        drum_height: Height of one drum [m].
        drums: Number of drums.
        radius: Radius at the foot [m], to the corners of the drum.
        material: Name of the material.
        ground: Support: "plane" (default), "block" or "none".
        sides: Number of sides of a drum (3D), 3 … 256; default 16.
        top_radius: Radius at the top [m]; default: as at the foot.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "column",
            "name": name,
            "drum_height": drum_height,
            "drums": drums,
            "radius": radius,
            "material": material,
            "ground": ground,
            "sides": sides,
            "top_radius": top_radius,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def wall(
        self,
        name: str,
        *,
        brick: Vector,
        bricks: int,
        courses: int,
        material: MaterialLike,
        ground: Literal["plane", "block", "none"] | None = None,
        head_gap: float | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Running-bond wall of whole and half bricks.

        name: Unique name; letters, digits, `-` and `_`.
        brick: Size of a whole brick [m]: [length, width, height] in 3D, [length, height] in 2D.
        bricks: Whole bricks in an even course.
        courses: Number of courses.
        material: Name of the material.
        ground: Support: "plane" (default), "block" or "none".
        head_gap: Width of the head joints [m] (default 0: closed); bricks are shorter by this width.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "wall",
            "name": name,
            "brick": brick,
            "bricks": bricks,
            "courses": courses,
            "material": material,
            "ground": ground,
            "head_gap": head_gap,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def arch(
        self,
        name: str,
        *,
        thickness: float,
        voussoirs: int,
        material: MaterialLike,
        curved: bool | None = None,
        embrace_deg: float | None = None,
        kind: Literal["semicircular", "segmental", "pointed", "parabolic", "three-centred", "flat"] | None = None,
        radius: float | None = None,
        rise: float | None = None,
        span: float | None = None,
        width: float | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Arch of voussoirs between two springers.

        name: Unique name; letters, digits, `-` and `_`.
        thickness: Thickness of the ring [m]; the height of a flat arch.
        voussoirs: Number of voussoirs; even for pointed arches.
        material: Name of the material.
        curved: Mass of the voussoirs as pieces of the ring, with curved faces; they are drawn and in contact
            with plane faces (semicircular and segmental arches). Default false: the mass of the drawn shape.
        embrace_deg: Angle of embrace [degrees].
        kind: Form: "semicircular" (default), "segmental", "pointed", "parabolic", "three-centred" or "flat".
        radius: Inner radius [m].
        rise: Height of the inner crown above the springing points [m].
        span: Clear distance between the inner springing points [m].
        width: Width along y [m]; 3D only (in 2D the `depth` of the scene is used).
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "arch",
            "name": name,
            "thickness": thickness,
            "voussoirs": voussoirs,
            "material": material,
            "curved": curved,
            "embrace_deg": embrace_deg,
            "kind": kind,
            "radius": radius,
            "rise": rise,
            "span": span,
            "width": width,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def pile(
        self,
        name: str,
        *,
        count: int,
        material: MaterialLike,
        container: float | Vector | None = None,
        drop: float | None = None,
        ground: Literal["plane", "block", "none"] | None = None,
        seed: int | None = None,
        size: float | None = None,
        spread: float | None = None,
        stone: Literal["polyhedron", "sphere", "box"] | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Random stones above the ground.

        name: Unique name; letters, digits, `-` and `_`.
        count: Number of stones.
        material: Name of the material.
        container: Inner size of a container with unbounded walls `name.wall[i]` [m]: a number, or [x, y] in
            3D; default: no walls.
        drop: Height of the lowest stones above the ground [m]; default: half of `size`.
        ground: Ground below the stones: "plane" (default), "block" or "none".
        seed: Seed of the random numbers; default 1.
        size: Diameter of the largest stones [m]; default 0.2.
        spread: Stones are between `size`·(1 − spread) and `size`; 0 … 0.9, default 0.3.
        stone: Form: "polyhedron" (default), "sphere" or "box".
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "pile",
            "name": name,
            "count": count,
            "material": material,
            "container": container,
            "drop": drop,
            "ground": ground,
            "seed": seed,
            "size": size,
            "spread": spread,
            "stone": stone,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def arch_wall(
        self,
        name: str,
        *,
        brick: float,
        courses: int,
        height: float,
        length: float,
        radius: float,
        thickness: float,
        voussoirs: int,
        material: MaterialLike,
        width: float | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Arch of voussoirs in a wall of bricks.

        name: Unique name; letters, digits, `-` and `_`.
        brick: Length of a brick [m].
        courses: Number of courses.
        height: Height of the wall above the springing line [m], at least to the outer crown.
        length: Length of the wall [m], at least the outer diameter.
        radius: Inner radius of the arch [m].
        thickness: Thickness of the ring [m].
        voussoirs: Number of voussoirs.
        material: Name of the material.
        width: Width along y [m]; 3D only (in 2D the `depth` of the scene is used).
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "arch-wall",
            "name": name,
            "brick": brick,
            "courses": courses,
            "height": height,
            "length": length,
            "radius": radius,
            "thickness": thickness,
            "voussoirs": voussoirs,
            "material": material,
            "width": width,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def masonry_wall(
        self,
        name: str,
        *,
        brick: Vector,
        courses: int,
        length: float,
        material: MaterialLike,
        bond: Literal["stretcher", "english", "flemish", "american"] | None = None,
        ground: Literal["plane", "block", "none"] | None = None,
        openings: list[Any] | None = None,
        overlap: float | None = None,
        stretcher_courses: int | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Wall in bond with doors, windows and arches.

        name: Unique name; letters, digits, `-` and `_`.
        brick: Size of a whole brick [m]: [length, width, height] in 3D, [length, height] in 2D. Bonds with
            headers need bricks that are twice as long as wide.
        courses: Number of courses.
        length: Length of the wall [m].
        material: Name of the material.
        bond: Bond: "stretcher" (default), "english", "flemish" or "american".
        ground: Support of the wall: "plane" (default), "block" or "none".
        openings: Doors, windows and arches.
        overlap: Offset of head joints of adjacent courses in stretcher bond [m], above 0 and at most half a
            brick; default: half a brick. The other bonds have a quarter of a brick.
        stretcher_courses: Courses of stretchers between courses of headers, american bond only; default 5.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "masonry-wall",
            "name": name,
            "brick": brick,
            "courses": courses,
            "length": length,
            "material": material,
            "bond": bond,
            "ground": ground,
            "openings": openings,
            "overlap": overlap,
            "stretcher_courses": stretcher_courses,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def dome(
        self,
        name: str,
        *,
        radius: float,
        rings: int,
        slices: int,
        thickness: float,
        material: MaterialLike,
        oculus_deg: float | None = None,
        sector: int | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Dome of rings of voussoirs, whole or some of its slices.

        name: Unique name; letters, digits, `-` and `_`.
        radius: Mean radius [m].
        rings: Number of rings.
        slices: Number of slices around the axis, 3 … 360.
        thickness: Thickness [m].
        material: Name of the material.
        oculus_deg: Angle of the opening at the crown, from the axis [degrees]; default 0: closed by a block.
        sector: Number of slices that are built; default: all. The last ring is one cap if all slices are
            built.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "dome",
            "name": name,
            "radius": radius,
            "rings": rings,
            "slices": slices,
            "thickness": thickness,
            "material": material,
            "oculus_deg": oculus_deg,
            "sector": sector,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def pier_dome(
        self,
        name: str,
        *,
        oculus_deg: float,
        pier: Vector,
        piers: int,
        radius: float,
        rings: int,
        slices: int,
        thickness: float,
        material: MaterialLike,
        springers: int | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Dome on piers with courses of springers.

        name: Unique name; letters, digits, `-` and `_`.
        oculus_deg: Angle of the opening at the crown, from the axis [degrees], above 0 and at most 80.
        pier: Size of a pier [m]: [tangential, radial, height].
        piers: Number of piers.
        radius: Mean radius [m].
        rings: Number of rings, courses of springers included.
        slices: Blocks of a whole ring, a multiple of the number of piers.
        thickness: Thickness [m].
        material: Name of the material.
        springers: Half of the number of blocks of the lowest course of springers of one pier; default: the
            width of the pier.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "pier-dome",
            "name": name,
            "oculus_deg": oculus_deg,
            "pier": pier,
            "piers": piers,
            "radius": radius,
            "rings": rings,
            "slices": slices,
            "thickness": thickness,
            "material": material,
            "springers": springers,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def masonry_cylinder(
        self,
        name: str,
        *,
        course_height: float,
        courses: int,
        radius: float,
        rings: int,
        slices: int,
        material: MaterialLike,
        ground: Literal["plane", "block", "none"] | None = None,
        hole: float | None = None,
        hole_sides: int | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Full cylinder of courses of concentric rings, over a hole or not.

        name: Unique name; letters, digits, `-` and `_`.
        course_height: Height of a course [m].
        courses: Number of courses.
        radius: Radius to the outer corners [m].
        rings: Rings of blocks in an even course.
        slices: Blocks of a ring, 3 … 360.
        material: Name of the material.
        ground: Support of a cylinder without a hole: "plane" (default), "block" or "none".
        hole: Diameter of the circle through the corners of the hole in the base [m]; default: no hole.
        hole_sides: Corners of the hole, 3 … 360; default 8.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "masonry-cylinder",
            "name": name,
            "course_height": course_height,
            "courses": courses,
            "radius": radius,
            "rings": rings,
            "slices": slices,
            "material": material,
            "ground": ground,
            "hole": hole,
            "hole_sides": hole_sides,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def stair(
        self,
        name: str,
        *,
        inner_radius: float,
        outer_radius: float,
        rise: float,
        thickness: float,
        treads: int,
        turn_deg: float,
        material: MaterialLike,
        square_joints: bool | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Treads around a vertical axis.

        name: Unique name; letters, digits, `-` and `_`.
        inner_radius: Distance of the inner corners from the axis [m].
        outer_radius: Distance of the outer corners from the axis [m].
        rise: Height from tread to tread [m].
        thickness: Thickness of a tread [m], more than `rise`.
        treads: Number of treads.
        turn_deg: Angle from tread to tread [degrees], above 0 and at most 90.
        material: Name of the material.
        square_joints: Joints perpendicular to the line through the centroids of the treads, so a cable along
            this line causes compression and no shear; default: vertical joints.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "stair",
            "name": name,
            "inner_radius": inner_radius,
            "outer_radius": outer_radius,
            "rise": rise,
            "thickness": thickness,
            "treads": treads,
            "turn_deg": turn_deg,
            "material": material,
            "square_joints": square_joints,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def fill(
        self,
        name: str,
        *,
        material: MaterialLike,
        bulk_density: float | None = None,
        count: int | None = None,
        diameter: float | None = None,
        discs: Vectors | None = None,
        grading: Vectors | None = None,
        packing: Literal["random", "hexagonal", "rectangular"] | None = None,
        porosity: float | None = None,
        pressure: Table | None = None,
        region: Vectors | None = None,
        road: Vectors | None = None,
        seed: int | None = None,
        spread: float | None = None,
        without: list[Any] | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Discs that fill a region around other bodies (2D).

        name: Unique name; letters, digits, `-` and `_`.
        material: Name of the material.
        bulk_density: Density of grains and voids together [kg/m³]: the discs weigh as much as the region
            filled with it. Default: the discs have the `density` of their material.
        count: Number of discs of a random packing; default from `diameter` and `porosity`.
        diameter: Mean diameter [m]. Random packings: default from `count` and `porosity`.
        discs: Discs [x, y, radius] of a packing that was made before, by `voussoir fill` [m]; nothing is
            packed then.
        grading: Grading curve of a random packing, in place of `count`, `diameter` and `spread`: points
            [diameter, share] with the share of the mass in finer discs, from 0 to 1; linear between the
            points.
        packing: Arrangement: "random" (default), "hexagonal" or "rectangular".
        porosity: Porosity of a random packing: 1 − area of the discs divided by area of the region without
            the bodies; default 0.18.
        pressure: Limits of the pressure that a random packing locks in; default: none.
        region: Corners of a convex region [m]; its sides hold the discs while they are packed.
        road: In place of `region`: points [x, level] of the road from left to right [m]. The fill lies
            between the road and the bodies below it, between the first and the last point.
        seed: Seed of the random numbers; default 1.
        spread: Diameters of a random packing are uniform between (1 − spread) and (1 + spread) times the
            mean; default 0.2.
        without: Convex parts of the region that stay empty, besides the bodies.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "fill",
            "name": name,
            "material": material,
            "bulk_density": bulk_density,
            "count": count,
            "diameter": diameter,
            "discs": discs,
            "grading": grading,
            "packing": packing,
            "porosity": porosity,
            "pressure": pressure,
            "region": region,
            "road": road,
            "seed": seed,
            "spread": spread,
            "without": without,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def bridge(
        self,
        name: str,
        *,
        spans: list[Any],
        material: MaterialLike,
        abutments: Table | None = None,
        backing: float | None = None,
        piers: list[Any] | None = None,
        road: Vectors | None = None,
        spandrel: Table | None = None,
        width: float | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Bridge of one or several spans with piers, abutments, backing and spandrel masonry.

        name: Unique name; letters, digits, `-` and `_`.
        spans: Spans from left to right.
        material: Name of the material.
        abutments: Abutments at both ends; default: supports that continue the rings by their thickness.
        backing: Level up to which masonry backs the haunches [m]: blocks with vertical joints above the
            voussoirs that lie below this level as a whole, above piers and abutments. Default: no backing.
        piers: Piers from left to right, one between each two spans; a single table stands for all piers.
        road: Points [x, level] of the road from left to right [m]; beyond the first and the last point the
            road is level. Needed by `spandrel` and by `wall` of the abutments.
        spandrel: Spandrel masonry between the rings and the road; default: none.
        width: Width along y [m]; 3D only (in 2D the `depth` of the scene is used).
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "bridge",
            "name": name,
            "spans": spans,
            "material": material,
            "abutments": abutments,
            "backing": backing,
            "piers": piers,
            "road": road,
            "spandrel": spandrel,
            "width": width,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def flying_buttress(
        self,
        name: str,
        *,
        pier_height: float,
        pier_width: float,
        span: float,
        thickness: float,
        voussoirs: int,
        material: MaterialLike,
        coping: Vector | None = None,
        courses: int | None = None,
        kind: Literal["semicircular", "segmental", "pointed", "parabolic", "three-centred", "flat"] | None = None,
        pinnacle: float | None = None,
        pinnacle_courses: int | None = None,
        rise: float | None = None,
        width: float | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Half an arch between a pier and a wall.

        name: Unique name; letters, digits, `-` and `_`.
        pier_height: Height of the pier from its foot to the springing [m].
        pier_width: Width of the pier along x [m].
        span: Clear distance between pier and wall [m].
        thickness: Thickness of the ring [m].
        voussoirs: Number of voussoirs.
        material: Name of the material.
        coping: Heights of a straight coping above the extrados at the pier and at the wall [m]; default: no
            coping.
        courses: Number of courses of the pier below the skewback; default 1.
        kind: Form of the whole arch of which this is the left half: "segmental" (default), "semicircular",
            "pointed", "parabolic" or "three-centred".
        pinnacle: Height of the pinnacle above the skewback [m]; default: none.
        pinnacle_courses: Number of courses of the pinnacle; default 1.
        rise: Height of the inner head above the springing [m]; not for semicircular arches.
        width: Width along y [m]; 3D only (in 2D the `depth` of the scene is used).
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "flying-buttress",
            "name": name,
            "pier_height": pier_height,
            "pier_width": pier_width,
            "span": span,
            "thickness": thickness,
            "voussoirs": voussoirs,
            "material": material,
            "coping": coping,
            "courses": courses,
            "kind": kind,
            "pinnacle": pinnacle,
            "pinnacle_courses": pinnacle_courses,
            "rise": rise,
            "width": width,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def buttress(
        self,
        name: str,
        *,
        height: float,
        width: float,
        material: MaterialLike,
        courses: int | None = None,
        ground: Literal["plane", "block", "none"] | None = None,
        length: float | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Rectangular pier that starts at x = 0, of one block or of courses.

        name: Unique name; letters, digits, `-` and `_`.
        height: Height [m].
        width: Size along x [m].
        material: Name of the material.
        courses: Number of blocks on top of each other; default 1: a monolith.
        ground: Support: "plane" (default), "block" or "none".
        length: Size along y [m]; 3D only (in 2D the `depth` of the scene is used).
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "buttress",
            "name": name,
            "height": height,
            "width": width,
            "material": material,
            "courses": courses,
            "ground": ground,
            "length": length,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def floes(
        self,
        name: str,
        *,
        concentration: float,
        size: Vector,
        material: MaterialLike,
        columns: int | None = None,
        count: int | None = None,
        exponent: float | None = None,
        floe: Literal["voronoi", "rectangles", "discs", "outlines"] | None = None,
        largest: float | None = None,
        library: str | None = None,
        outlines: Vectors | None = None,
        periodic: bool | None = None,
        regularity: int | None = None,
        rows: int | None = None,
        seed: int | None = None,
        smallest: float | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Field of ice floes in 2D.

        name: Unique name; letters, digits, `-` and `_`.
        concentration: Area of the floes over the area of the field without the bodies that are written
            before, above 0 and at most 1.
        size: Length and width of the field [m].
        material: Name of the material.
        columns: Number of rectangles along x.
        count: Number of Voronoi cells.
        exponent: Exponent a of the distribution of diameters: the number of floes larger than d is
            proportional to d^(−a) between the limits; default 2.
        floe: Form: "voronoi" (default: cells of a Voronoi diagram, shrunk to the concentration), "rectangles"
            (in rows and columns), "discs" or "outlines" (given outlines, scaled and turned).
        largest: Largest diameter [m]; default: `smallest`.
        library: CSV file with outlines, relative to the scene: the columns x and y, an empty line after each
            outline.
        outlines: Outlines of floes as lists of corners, of any size, for floe = "outlines".
        periodic: True: the field is periodic in both directions, for a periodic domain of the same size;
            default false: all floes are inside the rectangle.
        regularity: Rounds of Lloyd's method that make Voronoi cells more regular; default 2, with a size
            distribution 300; at most 1000.
        rows: Number of rectangles along y; default 1.
        seed: Seed of the random numbers; default 1.
        smallest: Smallest diameter of discs and outlines (of the disc with the same area) [m]. Voronoi cells:
            the ratio to `largest` counts.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "generator": "floes",
            "name": name,
            "concentration": concentration,
            "size": size,
            "material": material,
            "columns": columns,
            "count": count,
            "exponent": exponent,
            "floe": floe,
            "largest": largest,
            "library": library,
            "outlines": outlines,
            "periodic": periodic,
            "regularity": regularity,
            "rows": rows,
            "seed": seed,
            "smallest": smallest,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def box(
        self,
        name: str,
        *,
        size: float | Vector,
        material: MaterialLike,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """3D: a box, centred at its origin.

        name: Unique name; letters, digits, `-` and `_`.
        size: Full lengths along the axes [m]: a number, or one per axis.
        material: Name of the material.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "shape": "box",
            "name": name,
            "size": size,
            "material": material,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def polyhedron(
        self,
        name: str,
        *,
        vertices: Vectors,
        material: MaterialLike,
        faces: Vectors | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """3D: a polyhedron; a non-convex polyhedron is cut into convex parts.

        name: Unique name; letters, digits, `-` and `_`.
        vertices: Corners [m].
        material: Name of the material.
        faces: Faces as indices of corners, from 0, in order around the face; default: the convex hull.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "shape": "polyhedron",
            "name": name,
            "vertices": vertices,
            "material": material,
            "faces": faces,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def sphere(
        self,
        name: str,
        *,
        radius: float,
        material: MaterialLike,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """3D: a sphere, centred at its origin.

        name: Unique name; letters, digits, `-` and `_`.
        radius: Radius [m].
        material: Name of the material.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "shape": "sphere",
            "name": name,
            "radius": radius,
            "material": material,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def cylinder(
        self,
        name: str,
        *,
        height: float,
        radius: float,
        material: MaterialLike,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """3D: a cylinder about z, centred at its origin.

        name: Unique name; letters, digits, `-` and `_`.
        height: Height [m].
        radius: Radius [m].
        material: Name of the material.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "shape": "cylinder",
            "name": name,
            "height": height,
            "radius": radius,
            "material": material,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def half_space(
        self,
        name: str,
        *,
        material: MaterialLike,
        normal: Vector | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """3D: the half-space below a plane; always a support.

        name: Unique name; letters, digits, `-` and `_`.
        material: Name of the material.
        normal: Outward normal, any length; default: upwards.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "shape": "half-space",
            "name": name,
            "material": material,
            "normal": normal,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def rectangle(
        self,
        name: str,
        *,
        size: float | Vector,
        material: MaterialLike,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """2D: a rectangle, centred at its origin.

        name: Unique name; letters, digits, `-` and `_`.
        size: Full lengths along the axes [m]: a number, or one per axis.
        material: Name of the material.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "shape": "rectangle",
            "name": name,
            "size": size,
            "material": material,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def polygon(
        self,
        name: str,
        *,
        vertices: Vectors,
        material: MaterialLike,
        holes: Vectors | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """2D: a polygon; a non-convex polygon is cut into convex parts.

        name: Unique name; letters, digits, `-` and `_`.
        vertices: Corners in order [m].
        material: Name of the material.
        holes: Holes: corners of each in order [m]; inside the outline, apart from each other; default: none.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "shape": "polygon",
            "name": name,
            "vertices": vertices,
            "material": material,
            "holes": holes,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def disc(
        self,
        name: str,
        *,
        radius: float,
        material: MaterialLike,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """2D: a disc, centred at its origin.

        name: Unique name; letters, digits, `-` and `_`.
        radius: Radius [m].
        material: Name of the material.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "shape": "disc",
            "name": name,
            "radius": radius,
            "material": material,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def segment(
        self,
        name: str,
        *,
        length: float,
        thickness: float,
        material: MaterialLike,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """2D: a thick line along x with round ends, centred at its origin.

        name: Unique name; letters, digits, `-` and `_`.
        length: Distance between the centres of its round ends [m].
        thickness: Thickness, twice the radius of the ends [m].
        material: Name of the material.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "shape": "segment",
            "name": name,
            "length": length,
            "thickness": thickness,
            "material": material,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def half_plane(
        self,
        name: str,
        *,
        material: MaterialLike,
        normal: Vector | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """2D: the half-plane below a line; always a support.

        name: Unique name; letters, digits, `-` and `_`.
        material: Name of the material.
        normal: Outward normal, any length; default: upwards.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "shape": "half-plane",
            "name": name,
            "material": material,
            "normal": normal,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def ground(
        self,
        name: str,
        *,
        material: MaterialLike,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """A half-space or half-plane with upward normal; always a support.

        name: Unique name; letters, digits, `-` and `_`.
        material: Name of the material.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "shape": "ground",
            "name": name,
            "material": material,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def compound(
        self,
        name: str,
        *,
        parts: list[Any],
        material: MaterialLike,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Several convex shapes in one rigid body.

        name: Unique name; letters, digits, `-` and `_`.
        parts: The parts: a shape with its keys, `position` and `rotation` in the axes of the compound.
        material: Name of the material.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "shape": "compound",
            "name": name,
            "parts": parts,
            "material": material,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)

    def mesh(
        self,
        name: str,
        file: str,
        *,
        material: MaterialLike,
        inset: float | None = None,
        scale: float | None = None,
        depth: float | None = None,
        depths: Table | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        rotation: Table | None = None,
        spin: float | Vector | None = None,
        tags: list[str] | None = None,
        velocity: Vector | None = None,
    ) -> Body:
        """Bodies from a file: one body for each connected part, named `name.part[i]`. 3D only; each part must
        be closed; non-convex parts are cut into convex parts that move as one body.

        name: Unique name; letters, digits, `-` and `_`.
        file: File in OBJ, STL or PLY format, relative to the scene.
        material: Name of the material.
        inset: Inward offset of all faces [m] (default 0): half the `thickness` of the joints, if stones are
            drawn without joints. Convex parts only.
        scale: Metres per unit of the file; default 1.
        depth: Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the
            `depth` of the scene.
        depths: Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a
            distribution, or a grid.
        mass: Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for
            single shapes.
        position: Position of the origin of the shape, generator or mesh [m]; default: the origin of the
            scene.
        rotation: Rotation about its origin; default: none.
        spin: Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single
            shapes.
        tags: Tags for selections (`"#word"`).
        velocity: Initial velocity of the centroid [m/s]; default: zero.
        """
        table: dict[str, Any] = {
            "name": name,
            "mesh": file,
            "material": material,
            "inset": inset,
            "scale": scale,
            "depth": depth,
            "depths": depths,
            "mass": mass,
            "position": position,
            "rotation": rotation,
            "spin": spin,
            "tags": tags,
            "velocity": velocity,
        }
        return self._body(table)
