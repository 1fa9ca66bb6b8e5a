//! A dome on piers: `pier[k]`, `ring[j].block[i]` upwards and counter-clockwise, support `ground`.
//!
//! The shell between two spheres is cut into cells: by cones through the centre into rings, by planes through the axis
//! into twice as many cells as a ring has blocks. A block is two neighbouring cells of a ring; the next ring is shifted
//! by one cell. Cells have flat faces between corners on the spheres, so that the faces of rings in bond coincide
//! exactly. The lowest course above a pier has 2h cells, and each course one more on both sides until the courses of
//! neighbouring piers meet.

use std::f64::consts::{FRAC_PI_2, TAU};

use voussoir_geometry::Pose;
use voussoir_geometry::glam::DVec3;

use super::sector::six_faced;
use super::{Site, dome, ground};
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::generated::Footing;
use crate::scene::round::PierDome;

/// Not more bodies than this.
pub fn count(keys: &PierDome) -> u64 {
    keys.rings.saturating_mul(keys.slices).saturating_add(keys.piers).saturating_add(1)
}

/// The shell and its cells.
struct Shell {
    inner: f64,
    outer: f64,
    rings: usize,
    cells: usize,
    /// Angle from the springing to the oculus.
    rising: f64,
}

impl Shell {
    /// Corner at a sphere, a joint between rings and a joint between cells.
    fn corner(&self, radius: f64, ring: usize, cell: i64) -> DVec3 {
        let up = self.rising * (ring as f64 / self.rings as f64);
        // the springing is exactly horizontal
        let height = if ring == 0 { 0.0 } else { radius * up.sin() };
        super::sector::at(radius * up.cos(), TAU * (cell as f64 / self.cells as f64), height)
    }

    /// The block of the cells `cell` and `cell + 1`.
    fn block<S: Dimension>(&self, site: &Site<'_>, ring: usize, cell: i64) -> Result<Centred<S>, SceneError> {
        let part = |cell: i64| {
            let layer = |ring: usize| {
                [(self.inner, cell), (self.outer, cell), (self.inner, cell + 1), (self.outer, cell + 1)]
                    .map(|(radius, cell)| self.corner(radius, ring, cell))
            };
            let corners = layer(ring).into_iter().chain(layer(ring + 1)).collect();
            Ok::<_, SceneError>((Pose::identity(), six_faced::<S>(site, corners)?))
        };
        let shape = S::compound(vec![part(cell)?, part(cell + 1)?]).map_err(|e| site.refuse(&e))?;
        Ok(Centred::new(&shape))
    }
}

/// Makes a dome on piers.
pub fn generate<S: Dimension>(keys: &PierDome, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    if S::DIM != 3 {
        return Err(site.error("generator", "a dome needs a 3D scene"));
    }
    let (radius, thickness) = dome::shell(site, keys.radius, keys.thickness)?;
    let rings = site.check.count(&site.place.key("rings"), "`rings`", keys.rings, 1, MOST_BODIES)?;
    let slices = site.check.count(&site.place.key("slices"), "`slices`", keys.slices, 6, 360)?;
    let piers = site.check.count(&site.place.key("piers"), "`piers`", keys.piers, 2, 180)?;
    if slices % piers != 0 {
        return Err(site.error("slices", format!("{slices} blocks are not a multiple of {piers} piers")));
    }
    let oculus = site.check.positive(&site.place.key("oculus_deg"), "`oculus_deg`", keys.oculus_deg)?;
    let oculus = site.check.between(&site.place.key("oculus_deg"), "`oculus_deg`", oculus, 0.0, 80.0)?.to_radians();
    for (i, &size) in keys.pier.iter().enumerate() {
        site.check.length(&site.place.key("pier").index(i), "`pier`", size)?;
    }
    let [width, depth, height] = keys.pier.0;
    // cells on one side of the middle of a pier
    let bay = slices / piers;
    let cell = TAU * radius / (2 * slices) as f64;
    let wide = ((width / 2.0 / cell).round() as u64).max(1);
    let half =
        site.check.count(&site.place.key("springers"), "`springers`", keys.springers.unwrap_or(wide), 1, bay as u64)?;
    let courses = bay - half;
    if courses >= rings {
        let message = format!("the springers meet after {courses} courses, but the dome has only {rings} rings");
        return Err(site.error("rings", message));
    }
    if width / 2.0 >= radius * (std::f64::consts::PI / piers as f64).sin() {
        return Err(site.error("pier", "the piers are so wide that they overlap"));
    }
    let shell = Shell {
        inner: radius - thickness / 2.0,
        outer: radius + thickness / 2.0,
        rings,
        cells: 2 * slices,
        rising: FRAC_PI_2 - oculus,
    };
    let mut pieces = Vec::new();
    if let Some(mut floor) = ground::<S>(Footing::Plane, site, [1.0; 3])? {
        floor.pose.position = S::at(0.0, 0.0, -height);
        pieces.push(floor);
    }
    let pier = Centred::<S>::new(&S::cuboid(S::at(depth, width, height)).map_err(|e| site.refuse(&e))?);
    for k in 0..piers {
        let azimuth = TAU * (k as f64 / piers as f64);
        let centre = super::sector::at(radius, azimuth, -height / 2.0);
        let mut piece = Piece::at(format!("pier[{k}]"), &["piers"], &pier, S::at(centre.x, centre.y, centre.z));
        piece.pose.rotation = S::about_vertical(azimuth);
        pieces.push(piece);
    }
    for j in 0..rings {
        let mut i = 0;
        let mut lay = |cell: i64, tags: &[&str]| {
            let shape = shell.block::<S>(site, j, cell)?;
            pieces.push(Piece::at(format!("ring[{j}].block[{i}]"), tags, &shape, S::zero()));
            i += 1;
            Ok::<_, SceneError>(())
        };
        if j < courses {
            let reach = (half + j) as i64;
            for k in 0..piers {
                let middle = (2 * bay * k) as i64;
                for b in 0..reach {
                    lay(middle - reach + 2 * b, &["springers"])?;
                }
            }
        } else {
            let shift = ((half + j) % 2) as i64;
            for b in 0..slices as i64 {
                lay(2 * b - shift, &[])?;
            }
        }
    }
    Ok(pieces)
}
