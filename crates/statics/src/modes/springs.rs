//! Springs of the closed contacts: positions, axes and stiffnesses of all points.
//!
//! A joint of two points in 2D is rounded (its points move inwards) or gets a middle point (weights 1/6, 2/3, 1/6). A
//! point of a disc, which has no area, has the influence length of its joint.

use voussoir_geometry::{Pose, Solid, Space, Vector};
use voussoir_mechanics::any::AnyDimension;
use voussoir_mechanics::contacts::ContactRecord;
use voussoir_mechanics::model::{Model, Role};

use super::ModeOptions;

/// Contacts are closed up to this gap, relative to the size of the smaller body.
const CLOSED_GAP: f64 = 1e-6;
/// Contacts are detected up to this gap, so that a joint with one open end counts as a joint of two points.
const DETECTION_GAP: f64 = 0.02;

/// A contact point with stiffness [N/m].
#[derive(Clone, Copy, Debug)]
pub(super) struct SpringPoint<S: Space> {
    pub bodies: [usize; 2],
    /// Materials of the bodies.
    pub materials: [usize; 2],
    pub position: S::Vector,
    pub normal: S::Vector,
    /// Normal and tangential.
    pub stiffness: [f64; 2],
}

/// Springs of the contacts that are closed at `poses`.
pub(super) fn springs<S: AnyDimension>(
    model: &Model<S>,
    poses: &[Pose<S>],
    options: &ModeOptions,
) -> Vec<SpringPoint<S>> {
    let records = S::contacts_within(model, poses, DETECTION_GAP);
    let pair = |record: &ContactRecord<S>| (record.key.candidate, record.key.antagonist);
    let mut points = Vec::new();
    for joint in records.chunk_by(|a, b| pair(a) == pair(b)) {
        let bodies = [joint[0].key.candidate as usize, joint[0].key.antagonist as usize];
        let materials = bodies.map(|body| model.bodies[body].material);
        let Some(elastic) = model.joints.between(materials[0], materials[1]).elastic else { continue };
        let sizes = bodies.map(|body| model.bodies[body].shape.size());
        let closed = CLOSED_GAP * sizes[0].min(sizes[1]);
        let mut add = |position: S::Vector, normal: S::Vector, area: f64, gap: f64| {
            if gap <= closed && area > 0.0 {
                let stiffness = [elastic.normal * area, elastic.tangential * area];
                points.push(SpringPoint { bodies, materials, position, normal, stiffness });
            }
        };
        match joint {
            [first, second] if S::DIM == 2 => {
                let along = second.position - first.position;
                let length = along.length();
                let unit = along / length.max(f64::MIN_POSITIVE);
                let rest = length - 2.0 * options.rounding;
                let ends = [first.position + unit * options.rounding, second.position - unit * options.rounding];
                let share = if options.three_points { rest / 6.0 } else { rest / 2.0 };
                add(ends[0], first.normal, share, first.gap);
                add(ends[1], first.normal, share, second.gap);
                if options.three_points {
                    let gap = 0.5 * (first.gap + second.gap);
                    add((ends[0] + ends[1]) * 0.5, first.normal, rest * 2.0 / 3.0, gap);
                }
            }
            points => points.iter().for_each(|point| add(point.position, point.normal, point.area, point.gap)),
        }
    }
    points
}

/// Free bodies with enough springs to be held, and the number of the others: a body needs two points in 2D, three in
/// 3D, and neighbours that are held themselves.
pub(super) fn held<S: Space>(model: &Model<S>, points: &mut Vec<SpringPoint<S>>) -> (Vec<usize>, usize) {
    let free = |body: usize| model.bodies[body].role == Role::Free;
    let mut out = vec![false; model.bodies.len()];
    loop {
        let mut count = vec![0usize; model.bodies.len()];
        for point in points.iter() {
            point.bodies.iter().for_each(|&body| count[body] += 1);
        }
        let loose: Vec<usize> =
            (0..model.bodies.len()).filter(|&body| free(body) && !out[body] && count[body] < S::DIM).collect();
        if loose.is_empty() {
            break;
        }
        loose.iter().for_each(|&body| out[body] = true);
        points.retain(|point| point.bodies.iter().all(|&body| !out[body]));
    }
    let kept = (0..model.bodies.len()).filter(|&body| free(body) && !out[body]).collect();
    (kept, out.iter().filter(|out| **out).count())
}
