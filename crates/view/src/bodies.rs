//! What is constant over a run, as packed arrays: names, materials, faces and edges of all bodies.

use serde_json::json;
use voussoir_results::SceneFacts;
use voussoir_results::picture::{faces_of_bodies, force_reach, median_size};

use crate::pack::Pack;
use crate::run::Opened;

/// Packs bodies. Faces are cut into triangles, each face with its own corners and normal, in the axes of its body.
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
    let corners = || faces.iter().flat_map(|face| face.points.iter().map(move |point| (face, *point)));
    pack.f32s("points", corners().flat_map(|(_, point)| point));
    pack.f32s("normals", corners().flat_map(|(face, _)| face.normal));
    pack.u32s("owners", corners().map(|(face, _)| face.body as u32));
    let mut first = 0;
    let triangles = faces.iter().flat_map(|face| {
        let (start, count) = (first, face.points.len() as u32);
        first += count;
        (2..count).flat_map(move |k| [start, start + k - 1, start + k])
    });
    pack.u32s("triangles", triangles.collect::<Vec<_>>().into_iter());

    // every edge once: the one of its two directions that goes upwards in the list of its points
    let mut edges = Vec::new();
    for face in &faces {
        for (k, _) in face.creases.iter().enumerate().filter(|(_, crease)| **crease) {
            let (a, b) = (face.points[k], face.points[(k + 1) % face.points.len()]);
            let lone = cast.bodies[face.body].surface.polygons.len() == 1;
            if lone || a < b {
                edges.push((face.body as u32, [a, b]));
            }
        }
    }
    pack.f32s("edges", edges.iter().flat_map(|(_, ends)| ends).flatten().copied());
    pack.u32s("edge_owners", edges.iter().flat_map(|(body, _)| [*body; 2]));
    pack.finish()
}
