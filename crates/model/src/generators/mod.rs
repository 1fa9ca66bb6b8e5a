//! Many bodies from a few numbers, one generator per file.
//!
//! All generators have their origin in the middle of the foot (arches: between the inner springing points), length
//! along x, width along y (3D), height upwards. Coordinates are multiples of the given sizes, never sums, so that
//! neighbours meet to the last bit but one.

mod arch;
mod arch_form;
mod arch_wall;
mod bond;
mod buttress;
mod column;
mod dome;
mod masonry_cylinder;
mod masonry_wall;
mod pier_dome;
mod pile;
pub mod random;
mod sector;
mod stack;
mod stair;
mod stepped_arch;
mod wall;

use voussoir_geometry::ShapeError;

use crate::build::check::SceneCheck;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::generated::{Footing, Generator};

/// Where a generator is written, for its errors.
pub struct Site<'a> {
    /// Checks of numbers.
    pub check: &'a SceneCheck<'a>,
    /// The table with the keys.
    pub place: &'a Place<'a>,
    /// Name of the body.
    pub name: &'a str,
}

impl Site<'_> {
    /// A length at a key.
    fn length(&self, key: &str, value: f64) -> Result<f64, SceneError> {
        self.check.length(&self.place.key(key), &format!("`{key}`"), value)
    }

    /// An error at a key.
    fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.check.error(&self.place.key(key), format!("body \"{}\": {}", self.name, message.into()))
    }

    /// The size across the plane in which a generator works: 1 in 2D, where the scene's `depth` counts.
    fn across<S: Dimension>(&self, key: &str, value: Option<f64>) -> Result<f64, SceneError> {
        match (S::DIM, value) {
            (2, None) => Ok(1.0),
            (2, Some(_)) => Err(self.error(key, format!("in 2D the {key} is the scene's `depth`"))),
            (_, Some(value)) => self.length(key, value),
            (_, None) => Err(self.error("generator", format!("in 3D it needs `{key}` [m]"))),
        }
    }

    /// An error of a shape that the keys led to.
    fn refuse(&self, error: &ShapeError) -> SceneError {
        self.error("generator", error.to_string())
    }
}

/// How many bodies a generator makes, without making them; `u64::MAX` when that is beyond counting.
pub fn count(generator: &Generator) -> u64 {
    match generator {
        Generator::Stack(keys) => keys.count.saturating_add(1),
        Generator::Column(keys) => keys.drums.saturating_add(1),
        Generator::Wall(keys) => wall::bricks(keys).saturating_add(1),
        Generator::Arch(keys) => keys.voussoirs.saturating_add(2),
        Generator::Pile(keys) => keys.count.saturating_add(5),
        Generator::ArchWall(keys) => arch_wall::count(keys),
        Generator::MasonryWall(keys) => masonry_wall::count(keys),
        Generator::Dome(keys) => dome::count(keys),
        Generator::PierDome(keys) => pier_dome::count(keys),
        Generator::MasonryCylinder(keys) => masonry_cylinder::count(keys),
        Generator::Stair(keys) => keys.treads.saturating_add(1),
        Generator::Buttress(keys) => keys.courses.unwrap_or(1).saturating_add(1),
    }
}

/// Makes the pieces of a generator.
pub fn generate<S: Dimension>(generator: &Generator, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    match generator {
        Generator::Stack(keys) => stack::stack(keys, site),
        Generator::Column(keys) => column::column(keys, site),
        Generator::Wall(keys) => wall::wall(keys, site),
        Generator::Arch(keys) => arch::arch(keys, site),
        Generator::Pile(keys) => pile::pile(keys, site),
        Generator::ArchWall(keys) => arch_wall::arch_wall(keys, site),
        Generator::MasonryWall(keys) => masonry_wall::masonry_wall(keys, site),
        Generator::Dome(keys) => dome::dome(keys, site),
        Generator::PierDome(keys) => pier_dome::pier_dome(keys, site),
        Generator::MasonryCylinder(keys) => masonry_cylinder::masonry_cylinder(keys, site),
        Generator::Stair(keys) => stair::stair(keys, site),
        Generator::Buttress(keys) => buttress::buttress(keys, site),
    }
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
