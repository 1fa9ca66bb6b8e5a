//! `DOF.INI`: initial positions and velocities of bodies. Bodies that are not listed are at rest.

use std::collections::BTreeMap;

use voussoir_geometry::glam::{DMat3, DVec3};

use super::columns::{A, DatboxLine, DatboxTable};
use crate::import::ImportError;

/// The start of one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Displacement from the position in `BODIES.DAT` [m]; the third is an angle in 2D [rad].
    pub displacement: DVec3,
    /// Velocity, world axes [m/s]; the third is a spin in 2D [rad/s].
    pub velocity: DVec3,
    /// Spin in the axes of the body (3D) [rad/s].
    pub spin: DVec3,
    /// Axes of the body as columns (3D).
    pub frame: DMat3,
}

/// The listed bodies by number, from 1.
pub fn read(table: &DatboxTable, dim: usize, bodies: usize) -> Result<BTreeMap<usize, Start>, ImportError> {
    if !table.lines().iter().any(|line| line.keyword() == Some("steps")) {
        return Err(table.error(None, "the file has no $steps"));
    }
    let mut starts = BTreeMap::new();
    for record in table.records("bdyty") {
        let Some(first) = record.first() else { continue };
        let number = table.number(first)?;
        if !(1..=bodies).contains(&number) {
            return Err(table.error(Some(first), format!("body {number}, there are 1 to {bodies}")));
        }
        // values start after the line of $nodty
        let node = record.iter().position(|line| line.keyword() == Some("nodty"));
        let lines = node.map_or(&[][..], |at| &record[at + 1..]);
        if starts.insert(number, start(table, first, lines, dim)?).is_some() {
            return Err(table.error(Some(first), format!("body {number} occurs twice")));
        }
    }
    Ok(starts)
}

fn start(table: &DatboxTable, first: &DatboxLine, lines: &[DatboxLine], dim: usize) -> Result<Start, ImportError> {
    let at = |i: usize| {
        let line = lines.get(i).ok_or_else(|| table.error(Some(first), "the body ends before its values"))?;
        Ok::<_, ImportError>(DVec3::from_array(table.reals(line, &A)?))
    };
    if dim == 2 {
        return Ok(Start { displacement: at(0)?, velocity: at(1)?, spin: DVec3::ZERO, frame: DMat3::IDENTITY });
    }
    // the second line of the displacement is zero by convention: the frame gives the rotation of the body
    let frame = DMat3::from_cols(at(4)?, at(5)?, at(6)?);
    let off =
        (frame.transpose() * frame - DMat3::IDENTITY).to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if off > 1e-4 || frame.determinant() < 0.0 {
        let message = format!("the columns of its frame are not right-handed orthonormal axes (error {off:.1e})");
        return Err(table.error(Some(first), message));
    }
    Ok(Start { displacement: at(0)?, velocity: at(2)?, spin: at(3)?, frame })
}
