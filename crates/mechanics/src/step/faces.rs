//! Contacts of a step that are the nodes of one plane interface.

use voussoir_contact::Problem;
use voussoir_contact::face_element::Face;
use voussoir_geometry::{Space, Vector};

use super::law::{Contact, Laws};

/// Normals that differ by less belong to one plane.
const SAME_NORMAL: f64 = 1e-12;

/// Declares interfaces of three and more nodes in a 3D problem: contacts of one pair of bodies with one normal.
pub(crate) fn push_faces<S: Space>(problem: &mut Problem, contacts: &[Contact<S>], laws: &Laws<S>) {
    if S::DIM != 3 {
        return;
    }
    let frames: Vec<&[S::Vector]> = laws.frames.chunks_exact(3).collect();
    let pair = |i: usize| {
        let key = &contacts[laws.active[i].contact].key;
        (key.candidate, key.antagonist)
    };
    let mut start = 0;
    for end in 1..=laws.active.len() {
        let goes_on = end < laws.active.len()
            && pair(end) == pair(start)
            && frames[end][0].dot(frames[start][0]) > 1.0 - SAME_NORMAL;
        if goes_on {
            continue;
        }
        if end - start >= 3 {
            let places: Vec<[f64; 2]> = (start..end)
                .map(|i| {
                    let position = contacts[laws.active[i].contact].point.position;
                    [position.dot(frames[start][1]), position.dot(frames[start][2])]
                })
                .collect();
            problem.push_face(in_order(start, &places));
        }
        start = end;
    }
}

/// The face of contacts `start …`, in order around the centre of their places.
fn in_order(start: usize, places: &[[f64; 2]]) -> Face {
    let count = places.len() as f64;
    let centre: [f64; 2] = std::array::from_fn(|c| places.iter().map(|p| p[c]).sum::<f64>() / count);
    let angle = |k: usize| (places[k][1] - centre[1]).atan2(places[k][0] - centre[0]);
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)));
    Face {
        contacts: order.iter().map(|&k| (start + k) as u32).collect(),
        points: order.iter().map(|&k| [places[k][0] - centre[0], places[k][1] - centre[1]]).collect(),
    }
}
