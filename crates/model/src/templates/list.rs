//! The list of all templates with their parameters.

use super::{Kind, Template, parameter};
use super::{masonry, round, text};

/// All templates, in the order in which they are listed.
pub(super) const TEMPLATES: &[Template] = &[
    Template {
        name: "stack",
        summary: "cubes on top of each other",
        own: &[
            parameter("count", "10", "number of cubes", Kind::Count),
            parameter("size", "1", "edge of a cube [m]", Kind::Positive),
        ],
        dimensions: &[2, 3],
        write: text::stack,
    },
    Template {
        name: "column",
        summary: "a column of drums",
        own: &[
            parameter("drums", "6", "number of drums", Kind::Count),
            parameter("drum_height", "1", "height of a drum [m]", Kind::Positive),
            parameter("radius", "0.6", "radius at the foot [m]", Kind::Positive),
            parameter("top_radius", "0.5", "radius at the top [m]", Kind::Positive),
        ],
        dimensions: &[2, 3],
        write: text::column,
    },
    Template {
        name: "wall",
        summary: "a running-bond wall of whole and half bricks",
        own: &[
            parameter("courses", "20", "number of courses", Kind::Count),
            parameter("bricks", "10", "whole bricks in an even course", Kind::Count),
            parameter("brick", "[0.5, 0.25, 0.25]", "length, width and height of a brick [m]", Kind::ThreePositive),
        ],
        dimensions: &[2, 3],
        write: text::wall,
    },
    Template {
        name: "masonry-wall",
        summary: "a wall in any bond with a door under a flat arch",
        own: &[
            parameter("bond", "english", "stretcher, english, flemish or american", Kind::Bond),
            parameter("length", "5", "length of the wall [m]", Kind::Positive),
            parameter("courses", "14", "number of courses", Kind::Count),
            parameter("brick", "[0.5, 0.25, 0.25]", "length, width and height of a brick [m]", Kind::ThreePositive),
            parameter("door", "1.2", "width of the door [m]", Kind::Positive),
            parameter("stones", "7", "stones of the flat arch", Kind::Count),
        ],
        dimensions: &[2, 3],
        write: masonry::wall,
    },
    Template {
        name: "arch-wall",
        summary: "a wall with an arch whose voussoirs are stepped to the courses",
        own: &[
            parameter("length", "16.2", "length of the wall [m]", Kind::Positive),
            parameter("courses", "10", "number of courses", Kind::Count),
            parameter("brick", "[1.0, 0.8, 0.5]", "length, width and height of a brick [m]", Kind::ThreePositive),
            parameter("radius", "3.8", "inner radius of the arch [m]", Kind::Positive),
            parameter("thickness", "0.6", "thickness of the ring [m]", Kind::Positive),
            parameter("voussoirs", "28", "number of voussoirs", Kind::Count),
        ],
        dimensions: &[2, 3],
        write: masonry::arch_wall,
    },
    Template {
        name: "arch",
        summary: "a circular arch between two springers",
        own: &[
            parameter("radius", "3.8", "inner radius [m]", Kind::Positive),
            parameter("thickness", "0.6", "thickness of the ring [m]", Kind::Positive),
            parameter("width", "0.8", "width [m]", Kind::Positive),
            parameter("voussoirs", "27", "number of voussoirs", Kind::Count),
            parameter("embrace_deg", "180", "embraced angle [degrees]", Kind::Positive),
        ],
        dimensions: &[2, 3],
        write: text::arch,
    },
    Template {
        name: "stair",
        summary: "a stair of treads around an axis",
        own: &[
            parameter("treads", "12", "number of treads", Kind::Count),
            parameter("inner_radius", "0.5", "inner radius [m]", Kind::Positive),
            parameter("outer_radius", "1.8", "outer radius [m]", Kind::Positive),
            parameter("rise", "0.1", "height from tread to tread [m]", Kind::Positive),
            parameter("turn_deg", "17", "angle of a tread [degrees]", Kind::Positive),
            parameter("thickness", "0.15", "thickness of a tread [m]", Kind::Positive),
        ],
        dimensions: &[3],
        write: round::stair,
    },
    Template {
        name: "masonry-cylinder",
        summary: "a full cylinder of rings of blocks over a hole, in which a false dome forms",
        own: &[
            parameter("radius", "3", "outer radius [m]", Kind::Positive),
            parameter("courses", "6", "number of courses", Kind::Count),
            parameter("course_height", "0.4", "height of a course [m]", Kind::Positive),
            parameter("rings", "4", "rings of blocks in a course", Kind::Count),
            parameter("slices", "12", "blocks of a ring", Kind::Count),
            parameter("hole", "2.8", "diameter of the hole [m]", Kind::Positive),
        ],
        dimensions: &[3],
        write: round::cylinder,
    },
    Template {
        name: "pier-dome",
        summary: "a dome with an oculus on piers, with courses of springers",
        own: &[
            parameter("radius", "3.8", "mean radius [m]", Kind::Positive),
            parameter("thickness", "0.4", "thickness [m]", Kind::Positive),
            parameter("rings", "9", "rings, springers included", Kind::Count),
            parameter("slices", "25", "blocks of a whole ring", Kind::Count),
            parameter("oculus_deg", "8", "oculus, from the axis [degrees]", Kind::Positive),
            parameter("piers", "5", "number of piers", Kind::Count),
            parameter("pier", "[0.7, 0.4, 2.0]", "width, depth and height of a pier [m]", Kind::ThreePositive),
        ],
        dimensions: &[3],
        write: round::pier_dome,
    },
    Template {
        name: "pile",
        summary: "random stones that fall into a container",
        own: &[
            parameter("count", "60", "number of stones", Kind::Count),
            parameter("seed", "1", "seed of the random numbers", Kind::Seed),
            parameter("size", "0.2", "largest diameter of a stone [m]", Kind::Positive),
        ],
        dimensions: &[2, 3],
        write: text::pile,
    },
];
