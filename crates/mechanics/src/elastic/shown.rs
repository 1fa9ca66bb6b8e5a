//! Elastic blocks in frames: deformed points, stresses at points, largest stresses of bodies.

use voussoir_elastic::StressTensor;
use voussoir_geometry::Space;

use super::ElasticPart;
use crate::model::Model;
use crate::snapshot::{BodyForm, CastBody, Deformed, Features, FieldInfo, Snapshot};
use crate::state::State;

/// Name of a stress of frames, and its value.
type StressField = (&'static str, fn(&StressTensor) -> f64);

/// Stresses of a frame, at points and as the largest of a body [Pa].
const FIELDS: [StressField; 3] =
    [("von_mises", StressTensor::von_mises), ("largest_tension", tension), ("largest_compression", compression)];

/// σ₁, zero without tension.
fn tension(stress: &StressTensor) -> f64 {
    stress.principal()[0].max(0.0)
}

/// −σ₃, zero without compression.
fn compression(stress: &StressTensor) -> f64 {
    (-stress.principal()[2]).max(0.0)
}

/// Stresses at the points of the mesh of a body [Pa], averaged from its elements.
pub fn point_stresses<S: Space>(part: &ElasticPart, state: &State<S>, body: usize) -> Vec<StressTensor> {
    let gauss = part.block.stresses(&state.elastic[body].displacement, part.kelvin(state.time));
    part.block.point_stresses(&gauss)
}

/// Draws elastic bodies by their meshes.
pub(crate) fn prepare<S: Space>(model: &Model<S>, bodies: &mut [CastBody]) -> Features {
    if !model.is_elastic() {
        return Features::default();
    }
    for (index, body) in bodies.iter_mut().enumerate() {
        if let Some(part) = model.elastic_part(index) {
            body.form = BodyForm::Polygons(part.block.drawn().0);
        }
    }
    let fields =
        || FIELDS.iter().map(|(name, _)| FieldInfo { name: (*name).to_owned(), unit: "Pa".to_owned() }).collect();
    Features { deforming: true, point_fields: fields(), body_fields: fields(), ..Features::default() }
}

/// Adds the deformed bodies and their stresses to a frame.
pub(crate) fn show<S: Space>(model: &Model<S>, state: &State<S>, snapshot: &mut Snapshot) {
    if !model.is_elastic() {
        return;
    }
    snapshot.body_fields = vec![vec![f64::NAN; model.bodies.len()]; FIELDS.len()];
    for body in (0..model.bodies.len()).filter(|&body| state.presence[body].is_there()) {
        let Some(part) = model.elastic_part(body) else { continue };
        let stresses = point_stresses(part, state, body);
        let (surface, points) = part.block.drawn();
        let displacement = &state.elastic[body].displacement;
        let moved = |(place, p): (&[f64; 3], &u32)| {
            let own = &displacement[*p as usize * S::DIM..][..S::DIM];
            std::array::from_fn(|c| place[c] + own.get(c).copied().unwrap_or(0.0))
        };
        let values = FIELDS.map(|(_, of)| points.iter().map(|&p| of(&stresses[p as usize])).collect()).to_vec();
        for (field, (_, of)) in snapshot.body_fields.iter_mut().zip(FIELDS) {
            field[body] = stresses.iter().map(of).fold(0.0, f64::max);
        }
        let points = surface.points.iter().zip(&points).map(moved).collect();
        snapshot.deformed.push(Deformed { body: body as u32, points, values });
    }
}
