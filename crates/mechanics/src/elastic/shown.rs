//! Elastic blocks in frames: deformed points, stresses at points, largest stresses of bodies.

use voussoir_elastic::{GaussStress, StressTensor};
use voussoir_geometry::Space;

use super::ElasticPart;
use crate::model::Model;
use crate::snapshot::{BodyForm, CastBody, Deformed, Features, FieldInfo, Snapshot};
use crate::state::State;

/// Name and unit of a field of frames, and its value for tensile and compressive strength.
type StressField = (&'static str, &'static str, fn(&StressTensor, [Option<f64>; 2]) -> f64);

/// Fields at points, and as the largest value of a body.
const FIELDS: [StressField; 4] = [
    ("von_mises", "Pa", |stress, _| stress.von_mises()),
    ("largest_tension", "Pa", |stress, _| stress.principal()[0].max(0.0)),
    ("largest_compression", "Pa", |stress, _| (-stress.principal()[2]).max(0.0)),
    ("utilisation", "", utilisation),
];

/// Further fields of bodies: largest strain, largest elastic displacement.
const OF_BODIES: [(&str, &str); 2] = [("largest_strain", ""), ("deflection", "m")];

/// Strain above which linear elasticity with small strains is no longer a good approximation.
pub const LARGE_STRAIN: f64 = 0.01;

/// Deflection above which the frame of a block no longer follows it, relative to the extent of the block: its parts
/// turn against the frame by about four times this angle [rad].
pub const LARGE_DEFLECTION: f64 = 0.02;

/// max(σ₁/f_t, −σ₃/f_c) with the known strengths; NaN without any.
fn utilisation(stress: &StressTensor, [tensile, compressive]: [Option<f64>; 2]) -> f64 {
    if tensile.is_none() && compressive.is_none() {
        return f64::NAN;
    }
    stress.utilisation(tensile.unwrap_or(f64::INFINITY), compressive.unwrap_or(f64::INFINITY)).max(0.0)
}

fn gauss<S: Space>(part: &ElasticPart, state: &State<S>, body: usize) -> Vec<GaussStress> {
    part.block.stresses(&state.elastic[body].displacement, part.kelvin(state.time))
}

/// Stresses at the points of the mesh of a body [Pa], averaged from its elements.
pub fn point_stresses<S: Space>(part: &ElasticPart, state: &State<S>, body: usize) -> Vec<StressTensor> {
    part.block.point_stresses(&gauss(part, state, body))
}

/// Replaces the surfaces of elastic bodies by their meshes.
pub(crate) fn prepare<S: Space>(model: &Model<S>, bodies: &mut [CastBody]) -> Features {
    if !model.is_elastic() {
        return Features::default();
    }
    for (index, body) in bodies.iter_mut().enumerate() {
        if let Some(part) = model.elastic_part(index) {
            body.form = BodyForm::Polygons(part.block.drawn().0);
        }
    }
    let info = |(name, unit): (&str, &str)| FieldInfo { name: name.to_owned(), unit: unit.to_owned() };
    let points = || FIELDS.iter().map(|(name, unit, _)| (*name, *unit));
    Features {
        deforming: true,
        point_fields: points().map(info).collect(),
        body_fields: points().chain(OF_BODIES).map(info).collect(),
        ..Features::default()
    }
}

/// Adds the deformed bodies and their stresses to a frame.
pub(crate) fn show<S: Space>(model: &Model<S>, state: &State<S>, snapshot: &mut Snapshot) {
    if !model.is_elastic() {
        return;
    }
    snapshot.body_fields = vec![vec![f64::NAN; model.bodies.len()]; FIELDS.len() + OF_BODIES.len()];
    for body in (0..model.bodies.len()).filter(|&body| state.presence[body].is_there()) {
        let Some(part) = model.elastic_part(body) else { continue };
        let gauss = gauss(part, state, body);
        let stresses = part.block.point_stresses(&gauss);
        let (surface, points) = part.block.drawn();
        let displacement = part.block.nodal(&state.elastic[body].displacement);
        let moved = |(place, p): (&[f64; 3], &u32)| {
            let own = &displacement[*p as usize * S::DIM..][..S::DIM];
            std::array::from_fn(|c| place[c] + own.get(c).copied().unwrap_or(0.0))
        };
        let at = |of: fn(&StressTensor, [Option<f64>; 2]) -> f64, p: usize| of(&stresses[p], part.strengths);
        let values = FIELDS.map(|(_, _, of)| points.iter().map(|&p| at(of, p as usize)).collect()).to_vec();
        for (field, (_, _, of)) in snapshot.body_fields.iter_mut().zip(FIELDS) {
            field[body] = (0..stresses.len()).map(|p| at(of, p)).fold(f64::NAN, f64::max);
        }
        let strain = gauss.iter().map(|g| g.strain).fold(0.0, f64::max);
        let square = |u: &[f64]| u.iter().map(|x| x * x).sum::<f64>();
        let deflection = displacement.chunks_exact(S::DIM).map(square).fold(0.0, f64::max).sqrt();
        for (field, value) in snapshot.body_fields[FIELDS.len()..].iter_mut().zip([strain, deflection]) {
            field[body] = value;
        }
        let points = surface.points.iter().zip(&points).map(moved).collect();
        snapshot.deformed.push(Deformed { body: body as u32, points, values });
    }
}
