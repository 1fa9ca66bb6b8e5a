//! What is constant over a run, as packed arrays: names, materials, faces and edges of all bodies.

use std::collections::HashMap;

use serde_json::json;
use voussoir_results::SceneFacts;
use voussoir_results::picture::{faces_of_bodies, force_reach, median_size};

use crate::pack::Pack;
use crate::run::Opened;

/// Packs bodies: corners in the axes of their bodies, faces cut into triangles, edges.
pub fn pack(opened: &Opened, scene: &dyn SceneFacts) -> Vec<u8> {
    let results = &opened.results;
    let cast = results.cast();
    let mut pack = Pack::default();
    pack.say("title", results.title());
    pack.say("dimension", cast.dimension);
    pack.say("generation", opened.generation());
    pack.say("names", cast.bodies.iter().map(|body| body.name.clone()).collect::<Vec<_>>());
    pack.say("materials", cast.materials.clone());
    pack.say("block", median_size(cast));
    pack.say("reach", force_reach(cast));
    pack.say("origin", json!(opened.origin));
    pack.say("stages", scene.stages().into_iter().map(|(name, _)| name).collect::<Vec<_>>());
    pack.u32s("material", cast.bodies.iter().map(|body| body.material as u32));
    pack.u8s("support", cast.bodies.iter().map(|body| u8::from(body.support)));
    pack.u8s("endless", opened.endless.iter().map(|&endless| u8::from(endless)));

    let faces = faces_of_bodies(cast);
    let mut corners = Corners::default();
    let (mut triangles, mut edges) = (Vec::new(), Vec::new());
    for face in &faces {
        let own: Vec<u32> = face.points.iter().map(|&point| corners.number(face.body, point)).collect();
        triangles.extend((2..own.len()).flat_map(|k| [own[0], own[k - 1], own[k]]));
        // every edge once: the one of its two directions that goes upwards
        let lone = cast.bodies[face.body].surface().polygons.len() == 1;
        for (k, _) in face.creases.iter().enumerate().filter(|(_, crease)| **crease) {
            let (a, b) = (own[k], own[(k + 1) % own.len()]);
            if lone || a < b {
                edges.extend([a, b]);
            }
        }
    }
    pack.f32s("points", corners.points.iter().flatten().copied());
    pack.u32s("owners", corners.owners.iter().copied());
    pack.u32s("triangles", triangles.into_iter());
    pack.u32s("edges", edges.into_iter());
    pack.finish()
}

/// Corners of all bodies, those that faces share once: what a graphics card has to place in every picture.
#[derive(Default)]
struct Corners {
    points: Vec<[f64; 3]>,
    owners: Vec<u32>,
    numbers: HashMap<(usize, [u64; 3]), u32>,
}

impl Corners {
    /// The number of a corner of a body.
    fn number(&mut self, body: usize, point: [f64; 3]) -> u32 {
        *self.numbers.entry((body, point.map(f64::to_bits))).or_insert_with(|| {
            self.points.push(point);
            self.owners.push(body as u32);
            self.points.len() as u32 - 1
        })
    }
}
