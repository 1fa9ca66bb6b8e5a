//! Generators: many bodies from a few parameters, one generator per file.
//!
//! All generators have their origin in the middle of the foot (arches: between the inner springing points), length
//! along x, width along y (3D), height upwards. Coordinates are multiples of the given sizes, never sums, so that
//! the faces of neighbours agree to rounding.
//!
//! **A new generator** is a file in this folder with the functions `count` and `generate`, one line in `generators!`
//! below, and its keys with one line in `generators!` of `scene/generated.rs`.

mod arch_form;
mod bond;
mod fill_region;
mod fill_sizes;
mod floe_cells;
mod floe_packing;
pub mod random;
mod section;
mod sector;
mod spandrel;
mod stepped_arch;

use std::cell::RefCell;
use std::path::Path;

use voussoir_geometry::ShapeError;
use voussoir_geometry::glam::DVec2;

use crate::build::check::SceneCheck;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::generated::{Footing, Generator};

/// The table of a generator in the scene, for errors.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// Checks of numbers.
    pub check: &'a SceneCheck<'a>,
    /// The table with the keys.
    pub place: &'a Place<'a>,
    /// Name of the body.
    pub name: &'a str,
    /// Folder of the scene.
    pub base: &'a Path,
    /// Convex outlines of the bodies written before, in 2D; empty unless the generator fills the space around them [m].
    pub obstacles: &'a [Vec<DVec2>],
    /// Remarks for the user.
    pub notes: &'a RefCell<Vec<String>>,
}

impl Site<'_> {
    /// Adds a remark about the created bodies.
    fn note(&self, text: impl Into<String>) {
        self.notes.borrow_mut().push(format!("body \"{}\": {}", self.name, text.into()));
    }

    /// A length at a key.
    fn length(&self, key: &str, value: f64) -> Result<f64, SceneError> {
        self.check.length(&self.place.key(key), &format!("`{key}`"), value)
    }

    /// An error at a key.
    fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.check.error(&self.place.key(key), format!("body \"{}\": {}", self.name, message.into()))
    }

    /// The size across the plane of a generator: 1 in 2D, where the `depth` of the scene is used.
    fn across<S: Dimension>(&self, key: &str, value: Option<f64>) -> Result<f64, SceneError> {
        match (S::DIM, value) {
            (2, None) => Ok(1.0),
            (2, Some(_)) => Err(self.error(key, format!("in 2D the {key} is the scene's `depth`"))),
            (_, Some(value)) => self.length(key, value),
            (_, None) => Err(self.error("generator", format!("in 3D it needs `{key}` [m]"))),
        }
    }

    /// An error of a shape that results from the keys.
    fn refuse(&self, error: &ShapeError) -> SceneError {
        self.error("generator", error.to_string())
    }
}

/// Declares the modules of the generators and the dispatch to their functions `count` and `generate`.
macro_rules! generators {
    ($($variant:ident in $module:ident,)*) => {
        $(mod $module;)*

        /// Number of bodies of a generator, without creating them; `u64::MAX` on overflow.
        pub fn count(generator: &Generator) -> u64 {
            match generator {
                $(Generator::$variant(keys) => $module::count(keys),)*
            }
        }

        /// Creates the pieces of a generator.
        pub fn generate<S: Dimension>(generator: &Generator, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
            match generator {
                $(Generator::$variant(keys) => $module::generate(keys, site),)*
            }
        }
    };
}

generators! {
    Stack in stack,
    Column in column,
    Wall in wall,
    Arch in arch,
    Pile in pile,
    ArchWall in arch_wall,
    MasonryWall in masonry_wall,
    Dome in dome,
    PierDome in pier_dome,
    MasonryCylinder in masonry_cylinder,
    Stair in stair,
    Fill in fill,
    Bridge in bridge,
    FlyingButtress in flying_buttress,
    Buttress in buttress,
    Floes in floes,
}

/// The support below: a plane at height zero, or a block of these sizes with its top there.
fn ground<S: Dimension>(
    footing: Footing,
    site: &Site<'_>,
    [length, width, thickness]: [f64; 3],
) -> Result<Option<Piece<S>>, SceneError> {
    let (shape, height) = match footing {
        Footing::None => return Ok(None),
        Footing::Plane => (S::half_space(S::UPWARDS), 0.0),
        Footing::Block => (S::cuboid(S::at(length, width, thickness)), -thickness / 2.0),
    };
    let shape = Centred::new(&shape.map_err(|e| site.refuse(&e))?);
    Ok(Some(Piece::at("ground".into(), &["ground"], &shape, S::at(0.0, 0.0, height)).fixed()))
}
